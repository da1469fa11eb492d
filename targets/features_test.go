package targets_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/ir"
	"github.com/ptxlower/ptxlower/targets"
	"github.com/ptxlower/ptxlower/targets/amd"
	"github.com/ptxlower/ptxlower/targets/nv"
)

// bits are the names in the first block of constants of a file, which counts up
// from one of them.
func bits(t *testing.T, file string) []string {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	require.NoError(t, err)
	var names []string
	for _, d := range f.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.CONST {
			for _, s := range g.Specs {
				names = append(names, s.(*ast.ValueSpec).Names[0].Name)
			}
			break
		}
	}
	require.NotEmpty(t, names)
	return names
}

func TestFeaturesAreNamedAsTheirConstants(t *testing.T) {
	all := ^ir.Features(0)
	require.Equal(t, bits(t, "amd/features.go"), amd.FeatureNames(all))
	before, after := bits(t, "nv/features_cc.go"), bits(t, "nv/features.go")
	require.Equal(t, before, nv.FeatureNames(all&^(1<<32-1)))
	require.Equal(t, after, nv.FeatureNames(1<<32-1))
	for _, i := range targets.All() {
		if i.Target != nil && !i.Target.Machine.SSA {
			require.NotEmpty(t, i.Features(), i.Name)
		}
	}
}
