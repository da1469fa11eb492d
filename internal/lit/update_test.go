package lit

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var defineREAll = regexp.MustCompile(`(?m)^define\b.*?@(\w+)\(`)

// updated writes a file's checks anew, twice, and runs the result.
func updated(t *testing.T, text string) string {
	t.Helper()
	path := file(t, "a.ll", text)
	cfg := testConfig()
	sh := newShell(t, path, cfg)
	got, err := sh.update(text)
	require.NoError(t, err)
	again, err := sh.update(got)
	require.NoError(t, err)
	require.Equal(t, got, again, "-update changes what it wrote")
	require.NoError(t, os.WriteFile(path, []byte(got), 0o666))
	s, err := parse(got)
	require.NoError(t, err)
	require.True(t, sh.script(s.run), "%s\n%s", got, sh.log.String())
	return got
}

const note = "; NOTE: CHECK lines are kept by -update\n"

func TestUpdateKeepsTheLinesOfFunctions(t *testing.T) {
	for name, tt := range map[string]struct{ text, want string }{
		"before the definitions": {
			note + "; RUN: list %s | FileCheck %s\n\ndefine void @f() {\n}\n\n; of g\n; CHECK-LABEL: old\n; CHECK-NEXT{LITERAL}: older\ndefine void @g() {\n}\n",
			note + "; RUN: list %s | FileCheck %s\n\n" +
				"; CHECK-LABEL: {{^}}f:\n; CHECK-NEXT{LITERAL}: MOV  R4, c[[0]] ;\n; CHECK-EMPTY:\n; CHECK-NEXT: RET ;\ndefine void @f() {\n}\n\n; of g\n" +
				"; CHECK-LABEL: {{^}}g:\n; CHECK-NEXT{LITERAL}: MOV  R4, c[[0]] ;\n; CHECK-EMPTY:\n; CHECK-NEXT: RET ;\ndefine void @g() {\n}\n",
		},
		"under the first prefix that its RUN lines agree on": {
			note + "; RUN: list %s | FileCheck %s --check-prefixes=ALL,A --allow-unused-prefixes\n; RUN: list %s -x | FileCheck %s --check-prefixes=ALL,B --allow-unused-prefixes\n" +
				"; RUN: list %s -x | FileCheck %s --check-prefix=B\n; RUN: not list /none | FileCheck --allow-empty %s --check-prefix=NONE\n; NONE-NOT: {{.}}\ndefine void @f() {\n}\n",
			note + "; RUN: list %s | FileCheck %s --check-prefixes=ALL,A --allow-unused-prefixes\n; RUN: list %s -x | FileCheck %s --check-prefixes=ALL,B --allow-unused-prefixes\n" +
				"; RUN: list %s -x | FileCheck %s --check-prefix=B\n; RUN: not list /none | FileCheck --allow-empty %s --check-prefix=NONE\n; NONE-NOT: {{.}}\n" +
				"; A-LABEL: {{^}}f:\n; A-NEXT{LITERAL}: MOV  R4, c[[0]] ;\n; A-EMPTY:\n; A-NEXT: RET ;\n" +
				"; B-LABEL: {{^}}f:\n; B-NEXT{LITERAL}: MOV  R4, c[[0]] ;\n; B-EMPTY:\n; B-NEXT: -x    RET ;\ndefine void @f() {\n}\n",
		},
		"at the top when the order differs": {
			note + "; RUN: list %s -names=g,f | FileCheck %s\ndefine void @f() {\n}\ndefine void @g() {\n}\n; CHECK: old\n",
			note + "; RUN: list %s -names=g,f | FileCheck %s\n; CHECK-LABEL: {{^}}g:\n; CHECK-NEXT: RET ;\n; CHECK-LABEL: {{^}}f:\n; CHECK-NEXT: RET ;\n" +
				"define void @f() {\n}\ndefine void @g() {\n}\n",
		},
		"at the top when a function is not in the file": {
			note + "; RUN: list %s -names=f,h | FileCheck %s\ndefine void @f() {\n}\n",
			note + "; RUN: list %s -names=f,h | FileCheck %s\n; CHECK-LABEL: {{^}}f:\n; CHECK-NEXT: RET ;\n; CHECK-LABEL: {{^}}h:\n; CHECK-NEXT: RET ;\ndefine void @f() {\n}\n",
		},
		"of LLVM IR, past the comments that come along": {
			note + "; RUN: cat %s | FileCheck %s\n\ndeclare void @x()\ndefine i32 @f(i32 %a) {\nentry:\n  %b = add i32 %a, 1\n\n  ret i32 %b\n}\nattributes #0 = {}\n",
			note + "; RUN: cat %s | FileCheck %s\n\ndeclare void @x()\n; CHECK-LABEL: {{^}}define i32 @f(i32 %a) {\n; CHECK-NEXT: entry:\n" +
				"; CHECK-NEXT: %b = add i32 %a, 1\n; CHECK-EMPTY:\n; CHECK-NEXT: ret i32 %b\n; CHECK-NEXT: }\n" +
				"define i32 @f(i32 %a) {\nentry:\n  %b = add i32 %a, 1\n\n  ret i32 %b\n}\nattributes #0 = {}\n",
		},
		"of an output without functions": {
			"# NOTE: CHECK lines are kept by -update\n# RUN: upper 'a: 1' b | FileCheck %s\nrest\n",
			"# NOTE: CHECK lines are kept by -update\n# RUN: upper 'a: 1' b | FileCheck %s\n# CHECK: a: 1\n# CHECK-NEXT: b\nrest\n",
		},
		"of PTX": {
			"// NOTE: CHECK lines are kept by -update\n// RUN: list %s -names=f,k | FileCheck %s\n.visible .func (.reg .b32 %r) f(.reg .b32 %a)\n{ }\n.entry k()\n{ }\n",
			"// NOTE: CHECK lines are kept by -update\n// RUN: list %s -names=f,k | FileCheck %s\n// CHECK-LABEL: {{^}}f:\n// CHECK-NEXT: RET ;\n.visible .func (.reg .b32 %r) f(.reg .b32 %a)\n{ }\n" +
				"// CHECK-LABEL: {{^}}k:\n// CHECK-NEXT: RET ;\n.entry k()\n{ }\n",
		},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, tt.want, updated(t, tt.text)) })
	}
}

func TestUpdateLeavesOtherFilesAlone(t *testing.T) {
	text := "; RUN: list %s | FileCheck %s\n; CHECK: old\n"
	sh := newShell(t, file(t, "a.ll", text), testConfig())
	got, err := sh.update(text)
	require.NoError(t, err)
	require.Equal(t, text, got)
}

func TestUpdateSaysWhyItCannot(t *testing.T) {
	for text, want := range map[string]string{
		"; RUN: list %s\n":                   "no RUN line has the shape",
		"; RUN: list /none | FileCheck %s\n": "exit status 1",
		"nothing\n":                          "no RUN: line",
		"; RUN: list %q | FileCheck %s\n":    "unknown substitution",
		"; RUN: list %s | FileCheck %s\n; RUN: list %s -x | FileCheck %s\ndefine void @f() {\n}\n": `RUN lines print "f" in different ways`,
	} {
		sh := newShell(t, file(t, "a.ll", note+text), testConfig())
		_, err := sh.update(note + text)
		require.ErrorContains(t, err, want)
	}
}

func TestRunWritesUpdatedFiles(t *testing.T) {
	path := file(t, "a.ll", note+"; RUN: list %s -names=f | FileCheck %s\ndefine void @f() {\n}\n")
	cfg := testConfig()
	cfg.Update = true
	Run(t, filepath.Dir(path), cfg)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, 1, strings.Count(string(text), "; CHECK-LABEL: {{^}}f:\n; CHECK-NEXT: RET ;\ndefine"))
}
