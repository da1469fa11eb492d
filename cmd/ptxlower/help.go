package main

import (
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ptxlower/ptxlower"
	"github.com/ptxlower/ptxlower/diag"
	"github.com/ptxlower/ptxlower/targets"
)

func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "describe a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if len(args) == 0 {
				root.InitDefaultHelpFlag()
				root.InitDefaultVersionFlag()
				return root.Help()
			}
			for _, sub := range root.Commands() {
				if sub.Name() == args[0] && len(args) == 1 {
					sub.InitDefaultHelpFlag()
					return sub.Help()
				}
			}
			text := "no help about " + strings.Join(args, " ")
			if s := nearestCommand(cmd, args[0]); s != "" {
				text += "; did you mean " + s + "?"
			}
			return usagef("%s", text)
		},
	}
}

// completionCommand prints the script that completes commands, flags and their
// values in a shell.
func (c *command) completionCommand() *cobra.Command {
	shells := map[string]func(root *cobra.Command, w io.Writer) error{
		"bash":       func(root *cobra.Command, w io.Writer) error { return root.GenBashCompletionV2(w, true) },
		"fish":       func(root *cobra.Command, w io.Writer) error { return root.GenFishCompletion(w, true) },
		"powershell": (*cobra.Command).GenPowerShellCompletionWithDesc,
		"zsh":        (*cobra.Command).GenZshCompletion,
	}
	names := slices.Sorted(maps.Keys(shells))
	return &cobra.Command{
		Use:       "completion SHELL",
		Short:     "print a script that completes commands and flags in bash, fish, powershell or zsh",
		Example:   "  source <(ptxlower completion bash)",
		ValidArgs: names,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 || shells[args[0]] == nil {
				return usagef("completion takes one of %s", strings.Join(names, ", "))
			}
			return shells[args[0]](cmd.Root(), &c.out)
		},
	}
}

// complete gives the values of flags to shells.
func complete(root *cobra.Command) {
	var names []string
	for _, i := range targets.All() {
		names = append(names, i.Name)
	}
	for flag, values := range map[string][]string{
		"target": names, "emit": words(ptxlower.Emits), "sites": sitesKinds, "verify": verifies, "vmad": models, "diag-format": words(diag.Formats),
	} {
		_ = root.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	}
}
