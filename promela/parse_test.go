package promela_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/promela"
)

const small = `symbolic int N;
int sent;
active[N] proctype Proc() {
  byte pc = 0; int got = 0, next = 0;
  do
    :: atomic { havoc(next); assume(got <= next && next <= sent); got = next; next = 0; STEP }
  od;
}
ltl f { FORMULA }
`

// TestErrors: what is wrong is said with the place, and a suggestion where one is likely.
func TestErrors(t *testing.T) {
	in := func(step, formula string) string {
		return strings.NewReplacer("STEP", step, "FORMULA", formula).Replace(small)
	}
	for _, c := range []struct{ text, want string }{
		{"", "m.pml:1:1: the file is empty"},
		{"#ifdef X\n", "m.pml:1:2: this conditional has no #endif"},
		{"int a;\n#endif\n", "m.pml:2:2: #endif without #if"},
		{"#else\n", "#else without #if"},
		{"#ifdef A\n#else\n#else\n#endif\nint x;", "m.pml:3:2: #else after #else"},
		{"#include \"a.h\"\nint x;", "#include is not supported"},
		{"#defne A 1\nint x;", "unknown directive #defne (did you mean \"define\"?)"},
		{"#define A 1\n#define A 2\nint x;", "A is defined again, differently"},
		{"#define F(a, b) a\nint x = F(1);", "the macro F takes 2 arguments, not 1"},
		{"/* open", "this comment is not closed"},
		{"symbolic int N; chan c;", "m.pml:1:17: channels are not supported"},
		{in("goto end", "true"), "there is no label \"end\" to go to"},
		{in("nxet = 1", "true"), "unknown name \"nxet\""},
		{in("senf = 1", "true"), "(did you mean \"sent\"?)"},
		{in("N = 1", "true"), "the parameter \"N\" cannot be changed"},
		{in("pc = 1", "[](all(Proc:pd == 0))"), "unknown name \"pd\""},
		{in("pc = 1", "[](all(pc == 0))"), "cannot be used here (write Proc:pc"},
		{in("pc = 1", "[](all(Prc:pc == 0))"), "the process is called Proc"},
		{in("pc = 1", "some(Proc@end)"), "the process has no label \"end\""},
		{in("pc = 1", "[](pc == 0)"), "cannot be used here"},
		{in("pc = 1", "<>(sent >= 1) && "), "unexpected \"}\""},
		{in("pc = 1", "true") + "active[N] proctype Other() { do :: atomic { skip } od }",
			"several proctypes are not supported"},
		{"symbolic int N; int x;", "the model has no `active[N] proctype`"},
		{"symbolic int N; active[N] proctype P() { byte b; b = 1 }", "the process has no loop"},
		{"symbolic int N; active[N] proctype P() { byte b; break; do :: b = 1; b = 2 od }",
			"there is no loop that break could leave"},
		{"symbolic int N; active[N] proctype P() { byte b; do :: b = 1; break od; on: goto on }",
			"this goes round without a step"},
		{"symbolic int N; active[N] proctype P() { byte b; if :: in: b = 2 :: b = 3 fi; do :: b = 1; goto in od }",
			"the label \"in\" belongs to the initial block"},
		{"symbolic int N; active[N] proctype P() { byte b; l: do :: b = 1; l: b = 2 od }",
			"the label \"l\" is written again"},
		{"symbolic int N; byte a[2]; active[N] proctype P() { do :: a[0] = 1 od }",
			"elements of arrays are not supported"},
		{"symbolic int N; byte a[2]; active[N] proctype P() { do :: a == 1 od }",
			"elements of arrays are not supported"},
		{"symbolic int N; byte a; active[N] proctype P() { do :: a++ od } init { a = 2 }",
			"init is left out, and this would change something"},
		{"symbolic int N; active[N] proctype P() { do :: atomic { skip } od } init { run P() }",
			"init is left out, and this would change something"},
		{"symbolic int N, N; int x;", "\"N\" is declared again"},
		{strings.Repeat("#if 1\n", 3) + "int x;", "has no #endif"},
		{"int x = " + strings.Repeat("(", 300) + "1" + strings.Repeat(")", 300) + ";", "nested more than"},
		{"int x = " + strings.Repeat("!", 3000) + "1;", "nested more than"},
		{bomb(40), "expand to too much"},
		{strings.Repeat("#if 1\n", 1000), "conditionals are nested more than"},
		{strings.Repeat("x ", 1_000_000), "more than 200000 words"},
	} {
		_, err := promela.Parse("m.pml", c.text, nil)
		var list diag.List
		if !errors.As(err, &list) {
			t.Errorf("%.60q: %v, want %q", c.text, err, c.want)
			continue
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60q: %v, want %q", c.text, err, c.want)
		}
		for _, e := range list {
			if !e.Pos.IsValid() {
				t.Errorf("%.60q: %v has no place", c.text, e)
			}
		}
	}
}

// bomb is macros each of which doubles the one before.
func bomb(n int) string {
	var b strings.Builder
	b.WriteString("#define A0 x\n")
	for i := range n {
		fmt.Fprintf(&b, "#define A%d A%d A%d\n", i+1, i, i)
	}
	fmt.Fprintf(&b, "int A%d;\n", n)
	return b.String()
}

// TestPreprocessor: conditionals, macros with and without parameters, names from the command line, places.
func TestPreprocessor(t *testing.T) {
	const text = `#define ONE 1
#define PLUS(a, b) (a + \
  b)
#if defined(LOW) && ONE
symbolic int LOW_N;
#elif ONE > 1 || !defined(HIGH)
symbolic int N;
#else
symbolic int HIGH_N;
#endif
active[PLUS(ONE, K)] proctype Proc() { byte pc; do :: atomic { pc = ONE; } od }
`
	for define, want := range map[string]string{"": "N", "LOW": "LOW_N", "HIGH": "HIGH_N"} {
		m, err := promela.Parse("m.pml", text, map[string]string{define + "_": "", "K": "2", define: "1"})
		if define == "" {
			m, err = promela.Parse("m.pml", text, map[string]string{"K": "2"})
		}
		if err != nil {
			t.Fatal(err)
		}
		if m.Params[0] != want || m.Count.String() != "1 + 2" || m.Count.Pos.Line != 11 {
			t.Errorf("%q: %v, %s at %v", define, m.Params, m.Count, m.Count.Pos)
		}
	}
}

// TestLinear: ten times the text takes about ten times the memory.
func TestLinear(t *testing.T) {
	allocated := func(options int) uint64 {
		text := strings.Replace(strings.Replace(small, "STEP", "if "+
			strings.Repeat(":: pc == 1 && next >= 2 -> pc = 2; \n", options)+":: else fi", 1), "FORMULA", "true", 1)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := promela.Parse("large.pml", text, nil); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	allocated(100) // builds the parser
	if few, many := allocated(1_000), allocated(10_000); many > 15*few {
		t.Errorf("1,000 alternatives take %d bytes, 10,000 take %d", few, many)
	}
}

// FuzzPromela: whatever the text, there is a model or problems with places.
func FuzzPromela(f *testing.F) {
	for _, name := range []string{"rb.pml", "aba.pml", "frb.pml"} {
		text, ok := benchmarks.Read(name)
		if !ok {
			f.Fatal(name)
		}
		f.Add(text)
	}
	f.Add(strings.Replace(strings.Replace(small, "STEP", "sent++", 1), "FORMULA", "<>(card(Proc:got >= 1) == N)", 1))
	f.Fuzz(func(t *testing.T, text string) {
		_, err := promela.Parse("fuzz.pml", text, nil)
		var list diag.List
		if err != nil && (!errors.As(err, &list) || len(list) == 0) {
			t.Fatalf("%T: %v", err, err)
		}
	})
}
