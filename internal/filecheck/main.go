package filecheck

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Main is the command: args are FileCheck's, without its name. It gives the
// exit status: 0 the input matches, 1 it does not (or a flag is unknown), 2 the
// check file is wrong, the input is empty or cannot be read.
func Main(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	var opts Options
	checkFile, inputFile := "", "-"
	for len(args) > 0 {
		arg := args[0]
		args = args[1:]
		if arg == "-" || !strings.HasPrefix(arg, "-") {
			if checkFile != "" {
				fmt.Fprintf(stderr, "FileCheck: Too many positional arguments specified!\n")
				return 1
			}
			checkFile = arg
			continue
		}
		flag := strings.TrimPrefix(arg[1:], "-")
		if define, ok := strings.CutPrefix(flag, "D"); ok {
			if define == "" && len(args) > 0 {
				define, args = args[0], args[1:]
			}
			opts.Defines = append(opts.Defines, define)
			continue
		}
		name, value, hasValue := strings.Cut(flag, "=")
		if on := opts.flag(name); on != nil && !hasValue {
			*on = true
			continue
		}
		if !valued[name] {
			fmt.Fprintf(stderr, "FileCheck: Unknown command line argument '%s'.\n", arg)
			return 1
		}
		if !hasValue {
			if len(args) == 0 {
				fmt.Fprintf(stderr, "FileCheck: for the --%s option: requires a value!\n", name)
				return 1
			}
			value, args = args[0], args[1:]
		}
		switch name {
		case "check-prefix", "check-prefixes":
			opts.CheckPrefixes = append(opts.CheckPrefixes, strings.Split(value, ",")...)
		case "comment-prefixes":
			opts.CommentPrefixes = append(opts.CommentPrefixes, strings.Split(value, ",")...)
		case "implicit-check-not":
			opts.ImplicitCheckNot = append(opts.ImplicitCheckNot, value)
		case "input-file":
			inputFile = value
		}
	}
	if checkFile == "" {
		fmt.Fprintf(stderr, "<check-file> not specified\n")
		return 2
	}
	check, err := read(checkFile, stdin)
	if err != nil {
		fmt.Fprintf(stderr, "Could not open check file '%s': %v\n", checkFile, reason(err))
		return 2
	}
	input, err := read(inputFile, stdin)
	if err != nil {
		fmt.Fprintf(stderr, "Could not open input file '%s': %v\n", inputFile, reason(err))
		return 2
	}
	opts.CheckName, opts.InputName = shown(checkFile), shown(inputFile)
	err = Run(check, input, opts)
	if err == nil {
		return 0
	}
	io.WriteString(stderr, err.(*Error).Text)
	if err.(*Error).Malformed {
		return 2
	}
	return 1
}

// flag is the option that a flag without a value turns on.
func (o *Options) flag(name string) *bool {
	switch name {
	case "allow-empty":
		return &o.AllowEmpty
	case "allow-unused-prefixes":
		return &o.AllowUnused
	case "match-full-lines":
		return &o.MatchFullLines
	case "strict-whitespace":
		return &o.StrictWhitespace
	case "ignore-case":
		return &o.IgnoreCase
	case "enable-var-scope":
		return &o.VarScope
	case "v", "vv", "color":
		return new(bool)
	}
	return nil
}

var valued = map[string]bool{
	"check-prefix": true, "check-prefixes": true, "comment-prefixes": true, "implicit-check-not": true, "input-file": true,
	"dump-input": true, "dump-input-context": true, "dump-input-filter": true,
}

func read(name string, stdin io.Reader) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(name)
}

func shown(name string) string {
	if name == "-" {
		return "<stdin>"
	}
	return name
}

// reason is an error without the name of the file.
func reason(err error) error {
	var p *os.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
