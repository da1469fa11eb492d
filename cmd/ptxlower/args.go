package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/lower"
	"github.com/ptxlower/ptxlower/targets"
)

// gpuFlags are the flags of llc, clang, ptxas and nvcc that say what --target
// says. archFlags may also name an architecture: -march=nvptx64,
// --target=amdgcn-amd-amdhsa.
var (
	gpuFlags  = []string{"mcpu", "arch", "gpu-name", "gpu-architecture", "cuda-gpu-arch", "offload-arch", "march", "mtriple", "target"}
	archFlags = []string{"march", "mtriple", "target"}
)

// rewrite turns the spellings of other compilers into flags that pflag knows;
// it would take -mcpu=x for a bundle of one-letter flags. typed maps a flag that
// it made up to what was written.
func rewrite(root *cobra.Command, args []string) (out []string, typed map[string]string, err error) {
	flags := allFlags(root)
	typed = map[string]string{}
	arch, target := "", ""
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			out = append(out, args[i:]...)
			break
		}
		name, value, eq := strings.Cut(strings.TrimLeft(a, "-"), "=")
		known := flags[name]
		switch {
		case !strings.HasPrefix(a, "-") || a == "-":
		case slices.Contains(gpuFlags, name):
			if !eq && i+1 < len(args) {
				i++
				value = args[i]
			}
			switch {
			case value == "":
				return nil, nil, usagef("%s needs the name of a GPU; see ptxlower targets", strings.TrimSuffix(a, "="))
			case value == "help":
				return []string{"targets"}, nil, nil
			case slices.Contains(archFlags, name) && (strings.HasPrefix(value, "nvptx") || strings.HasPrefix(value, "amdgcn")):
				arch, _, _ = strings.Cut(value, "-")
				continue
			}
			target = value
			a = "--target=" + value
		case strings.HasPrefix(a, "-W") && len(a) > 2:
			a = "--warn=" + a[2:]
		case a == "-w":
			a = "--warn=none"
		case strings.HasPrefix(a, "-O"):
			switch a[2:] {
			case "0":
				a = "--opt-level=0"
			case "", "1", "2", "3", "s", "z":
				a = "--opt-level=1"
			default:
				return nil, nil, usagef("unknown level %s: -O0 or -O1", a)
			}
		case a == "-emit-llvm":
			a = "--emit=llvm"
		case a == "-S":
			continue // the output is always text
		case known != nil && len(name) > 1:
			a = "--" + strings.TrimLeft(a, "-") // -emit=llvm, as llc's users write
		case !strings.HasPrefix(a, "--") && len(a) > 2 && a[1] != 'o' && !(a[1] == 'e' && strings.ContainsAny(a, ". ")):
			typed[name] = "-" + name // neither -oFILE nor -eBODY
			a = "-" + a
		}
		out = append(out, a)
		if known != nil && !eq && known.NoOptDefVal == "" && i+1 < len(args) && !slices.Contains(gpuFlags, name) {
			i++
			out = append(out, args[i]) // a value, whatever it looks like
		}
	}
	if arch == "" {
		return out, typed, nil
	}
	if target == "" {
		return nil, nil, usagef("%s is an architecture: name a GPU of it with -mcpu, or leave it out to take the module's", arch)
	}
	want := targets.NVIDIA
	if arch == "amdgcn" {
		want = targets.AMD
	}
	if info, err := targets.Find(target); err == nil && info.Vendor != want {
		return nil, nil, usagef("%s is not a GPU of %s", target, arch)
	}
	return out, typed, nil
}

// allFlags are the flags of all commands by name and letter.
func allFlags(root *cobra.Command) map[string]*pflag.Flag {
	m := map[string]*pflag.Flag{}
	add := func(f *pflag.Flag) {
		m[f.Name] = f
		if f.Shorthand != "" {
			m[f.Shorthand] = f
		}
	}
	for _, cmd := range append(root.Commands(), root) {
		cmd.Flags().VisitAll(add)
		cmd.PersistentFlags().VisitAll(add)
	}
	return m
}

// flagError words pflag's error about a flag of a command, with the flag as it
// was typed and the nearest one that there is.
func flagError(cmd *cobra.Command, err error, typed map[string]string) error {
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "unknown flag: --"); ok {
		if t := typed[name]; t != "" {
			text = "unknown flag: " + t
		}
		if allFlags(cmd.Root())[name] != nil {
			return usagef("%s takes no --%s", cmd.CommandPath(), name)
		}
		names := slices.Clone(gpuFlags)
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !f.Hidden {
				names = append(names, f.Name)
			}
		})
		if s := targets.Nearest(name, names); s != "" {
			text += "; did you mean --" + s + "?"
		}
		return usagef("%s", text)
	}
	if rest, ok := strings.CutPrefix(text, "unknown shorthand flag: "); ok { // 'q' in -q
		return usagef("unknown flag: %s", rest[strings.LastIndexByte(rest, ' ')+1:])
	}
	var bad *pflag.InvalidValueError
	if errors.As(err, &bad) && bad.GetFlag().Value.Type() == "int" {
		return usagef("--%s takes a number, not %q", bad.GetFlag().Name, bad.GetValue())
	}
	return usagef("%s", text)
}

// noArguments checks the arguments of a command that takes none.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return usagef("%s takes no arguments", cmd.CommandPath())
	}
	return nil
}

// oneFile checks the arguments of a command that takes a file or standard
// input.
func oneFile(cmd *cobra.Command, args []string) error {
	if len(args) < 2 {
		return nil
	}
	if _, err := os.Stat(args[0]); err != nil {
		if s := nearestCommand(cmd, args[0]); s != "" {
			return usagef("unknown command %q; did you mean %s?", args[0], s)
		}
	}
	return usagef("one FILE at a time, not %d", len(args))
}

// nearestCommand is how to call the subcommand with a name near to a word.
func nearestCommand(cmd *cobra.Command, word string) string {
	if word == "version" {
		return "ptxlower --version"
	}
	var names []string
	for _, sub := range cmd.Root().Commands() {
		names = append(names, sub.Name())
	}
	if s := targets.Nearest(word, names); s != "" {
		return "ptxlower " + s
	}
	return ""
}

var (
	sitesKinds = words([]ptxlower.SiteCode{ptxlower.SitesLLVM, ptxlower.SitesAsm})
	verifies   = words([]ptxlower.Verify{ptxlower.VerifyRun, ptxlower.VerifyProve, ptxlower.VerifyOff})
	models     = []string{"isa", "ptxas"}
)

func words[T ~string](list []T) []string {
	var out []string
	for _, x := range list {
		out = append(out, string(x))
	}
	return out
}

// choose checks the value of a flag against what it can be.
func choose(flag, value string, among []string) error {
	if slices.Contains(among, value) {
		return nil
	}
	text := fmt.Sprintf("unknown --%s %q: %s or %s", flag, value, strings.Join(among[:len(among)-1], ", "), among[len(among)-1])
	if s := targets.Nearest(value, among); s != "" {
		text += "; did you mean " + s + "?"
	}
	return usagef("%s", text)
}

// validate checks the flags' values before a command runs.
func (c *command) validate(cmd *cobra.Command) error {
	if format := c.diagFormat; !slices.Contains(diag.Formats, diag.Format(format)) {
		c.diagFormat = string(diag.Text)
		return choose("diag-format", format, words(diag.Formats))
	}
	if cmd.Flags().Changed("emit") {
		if err := choose("emit", c.emit, words(ptxlower.Emits)); err != nil {
			return err
		}
	}
	if cmd.Flags().Changed("sites") {
		if err := choose("sites", c.sites, sitesKinds); err != nil {
			return err
		}
	}
	if err := choose("verify", c.verify, verifies); err != nil {
		return err
	}
	if err := choose("vmad", c.model, models); err != nil {
		return err
	}
	if cmd.Flags().Changed("print-after") {
		var passes []string
		for _, p := range lower.Passes {
			passes = append(passes, p.Name)
		}
		if err := choose("print-after", c.printAfter, append(passes, "all")); err != nil {
			return err
		}
	}
	if c.level < 0 || c.level > 3 {
		return usagef("unknown --opt-level %d: 0 or 1", c.level)
	}
	if c.errorLimit < 0 {
		return usagef("--error-limit is 0 or more, not %d", c.errorLimit)
	}
	if c.target != "" && (c.target != "all" || cmd.Name() != "explain" && cmd.Name() != "prove") {
		if _, err := targets.Find(c.target); err != nil {
			return usagef("%v", err)
		}
	}
	for _, w := range c.warn {
		if err := checkWarning(w); err != nil {
			return err
		}
	}
	return nil
}

// checkWarning checks what stands behind -W.
func checkWarning(w string) error {
	if slices.Contains([]string{"none", "all", "error", "no-error"}, w) {
		return nil
	}
	id := w
	for _, prefix := range []string{"error=", "no-error=", "no-"} {
		if rest, ok := strings.CutPrefix(w, prefix); ok {
			id = rest
			break
		}
	}
	k, ok := diag.Find(id)
	switch {
	case !ok:
		var ids []string
		for _, k := range diag.Kinds() {
			if k.Severity != diag.Error {
				ids = append(ids, k.ID)
			}
		}
		text := fmt.Sprintf("unknown warning -W%s", w)
		if s := targets.Nearest(id, ids); s != "" {
			text += fmt.Sprintf("; did you mean -W%s%s?", strings.TrimSuffix(w, id), s)
		}
		return usagef("%s", text)
	case k.Severity == diag.Error:
		return usagef("-W%s: %s is an error, and no flag changes that", w, id)
	}
	return nil
}
