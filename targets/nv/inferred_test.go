package nv_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/ptxlower/ptxlower/mach"
	"github.com/ptxlower/ptxlower/targets/nv"
)

// Rows whose meaning or encoding no output of the maker's tools showed with these
// operands; a new one is named here on purpose.
var inferredRows = []string{
	"I2I.S32.S16 $d, |$0|",
	"IADD.64 $d, $e, $0, $1",
	"IADD.64 $d, $e, $0, -$1",
	"IADD3 $d, $0, $1.H0, $2.H0",
	"IADD3 $d, $0, $1.H1, $2.H1",
	"IADD3.LS $d, $0, $1, $2.H0",
	"ICMP.LT $d, $0, $1, $2",
	"PLOP3.LUT $d, PT, $0, PT, PT, 0x80, 0x0",
	"PSETP.AND.AND $d, PT, $0, $1, PT",
	"PSETP.AND.AND $d, PT, $0, PT, PT",
	"PSETP.AND.AND $d, PT, $0, PT, PT",
	"PSETP.XOR.AND $d, PT, $0, $1, PT",
	"XMAD.CHI $d, $0, $1.H1, $2",
	"XMAD.CHI $d, $0.H1, $1.H1, $2",
	"XMAD.CLO $d, $0, $1, $2",
	"XMAD.PSL $d, $0, $1.H1, $2",
	"XMAD.PSL $d, $0.H1, $1, $2",
	"XMAD.PSL $d, $0.H1, $1.H1, $2",
	"XMAD.S16.S16 $d, $0.H1, $1, $2",
	"XMAD.S16.S16 $d, $0.H1, $1.H1, $2",
	"XMAD.S16.S16.CSFU $d, $0.H1, $1.H1, $2",
	"XMAD.S16.U16.CHI $d, $0.H1, $1.H1, $2",
	"XMAD.U16.S16 $d, $0, $1, $2",
	"XMAD.U16.S16 $d, $0.H1, $1, $2",
	"XMAD.U16.S16 $d, $0.H1, $1.H1, $2",
}

func TestRowsThatNoDisassemblyShowedAreNamed(t *testing.T) {
	of := map[mach.Conf]int{}
	vmads := 0
	var got []string
	for _, o := range slices.Concat(nv.Ops(), nv.FermiOps(), nv.TeslaOps()) {
		of[o.Conf]++
		require.NotEmpty(t, o.Src, o.Name)
		switch {
		case o.Conf != mach.Inferred:
		case strings.HasPrefix(o.Name, "VMAD"):
			vmads++
		default:
			got = append(got, o.Name+" "+o.Syntax)
		}
	}
	t.Logf("%d rows documented, %d disassembled, %d inferred", of[mach.Documented], of[mach.Disassembled], of[mach.Inferred])
	slices.Sort(got)
	require.Equal(t, 4116, vmads) // with .PO, .SHR or .SAT: spelled as by ptxas, meaning what the manual says
	require.Equal(t, inferredRows, got)
}
