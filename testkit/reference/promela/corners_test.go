package promela

import (
	"fmt"
	"sort"
	"testing"
	"time"

	"github.com/tacheck/tacheck/testkit/need"
)

// corners are texts at the edges of the language: what stands before the process, its declarations, its initial block, its loop, and
// formulas.
var corners = map[string][5]string{
	"arithmetic in #if":                      {"#define A 2\n#if A + 1 > 2 && (B || !defined C) && -1 < 0\n#define V 1\n#else\n#define V 2\n#endif", "byte pc = 0;", "", ":: atomic { pc == 0 -> pc = V }", "ltl f { [](all(Proc:pc != 2)) }"},
	"a macro in a macro":                     {"#define P(x) ((x) + Q)\n#define Q R(1)\n#define R(y) (y - 1)", "byte pc = 0;", "", ":: atomic { pc == 0 -> pc = P(2) }", "ltl f { <>(some(Proc:pc == 2)) }\nltl g { []<>(x < Q) }"},
	"a macro of two statements":              {"#define SET(v) pc = v; x++", "byte pc = 0;", "", ":: atomic { pc == 0 -> SET(1) }", "ltl f { [](x <= card(Proc:pc == 1)) }"},
	"#elif after a taken one":                {"#if 1\n#define V 1\n#elif 1 / 0\n#define V 2\n#else\n#define V 3\n#endif", "byte pc = 0;", "", ":: atomic { pc == 0 -> pc = V }", "ltl f { [](all(Proc:pc < 2)) }"},
	"precedence of comparisons":              {"", "byte pc = 0; byte a = 0;", "", ":: atomic { pc == 0 -> pc = 1; a = (0 < 2 == 1) }", "ltl f { [](all(Proc:pc == 0 || Proc:a == 1)) }\nltl g { [](all(Proc:pc != 0 == 1 || Proc:a == 0)) }"},
	"or and and":                             {"", "byte pc = 0;", "", ":: atomic { if :: pc == 0 || pc == 1 && x == 7 -> pc = 2 :: else fi }", "ltl f { <>(all(Proc:pc == 2)) }"},
	"division rounds to zero":                {"", "int pc = 0;", "", ":: atomic { pc == 0 -> pc = (0 - 3) / 2 }", "ltl f { [](all(Proc:pc >= 0 - 1)) }"},
	"the rest of a division":                 {"", "int pc = 0;", "", ":: atomic { pc == 0 -> pc = (0 - 3) % 2 }", "ltl f { <>(all(Proc:pc == 0 - 1)) }"},
	"minus in a row":                         {"", "int pc = 5;", "", ":: atomic { pc == 5 -> pc = pc - 1 - 1 }", "ltl f { <>(all(Proc:pc == 3)) }"},
	"a value out of range":                   {"", "bit pc = 0;", "", ":: atomic { pc == 0 -> pc = 2 }", "ltl f { [](all(Proc:pc == 0)) }"},
	"a byte below zero":                      {"", "byte pc = 0;", "", ":: atomic { pc == 0 -> pc = pc - 1 }", "ltl f { [](all(Proc:pc <= 1)) }"},
	"an initial block that blocks somewhere": {"", "byte pc = 0;", "if :: pc = 1; pc == 2 :: pc = 3 fi;", ":: atomic { skip }", "ltl f { all(Proc:pc == 3) }"},
	"a chain of ifs at the start":            {"", "byte pc = 0; byte a = 0;", "if :: pc = 1 :: pc = 2 fi; if :: pc == 1 -> a = 1 :: else -> a = 2 fi;", ":: atomic { skip }", "ltl f { [](all(Proc:pc == Proc:a)) }"},
	"atomic in the initial block":            {"", "byte pc = 0;", "atomic { pc = 1; if :: pc = 2 :: skip fi }", ":: atomic { skip }", "ltl f { [](all(Proc:pc > 0)) }\nltl g { some(Proc:pc == 2) }"},
	"else and a condition in the middle":     {"", "byte pc = 0;", "", ":: atomic { if :: pc == 0 -> x >= 1; pc = 1 :: else -> pc = 2 fi } :: atomic { x < 1 -> x++ }", "ltl f { <>(all(Proc:pc == 2)) }\nltl g { [](all(Proc:pc == 0) || x > 0) }"},
	"else of a nested if":                    {"", "byte pc = 0;", "", ":: atomic { if :: if :: pc == 1 -> pc = 2 :: else -> pc = 1 fi; pc == 1 :: else -> pc = 3 fi }", "ltl f { [](all(Proc:pc != 3)) }\nltl g { <>(some(Proc:pc == 3)) }"},
	"only else":                              {"", "byte pc = 0;", "", ":: atomic { if :: else -> pc = 1 fi }", "ltl f { <>(all(Proc:pc == 1)) }"},
	"a step undoes itself":                   {"", "byte pc = 0;", "", ":: atomic { pc == 0 -> pc = 1; pc = 0 }", "ltl f { [](all(Proc:pc == 0)) }\nltl g { <>(x > 0) }"},
	"sending for ever, and a label":          {"", "byte pc = 0;", "", ":: atomic { x < N -> x++; goto end }", "ltl f { <>(x >= N) }\nltl g { [](all(Proc@end)) }"},
	"havoc of a control variable":            {"", "byte pc = 0;", "", ":: atomic { pc == 0 -> havoc(pc); assume(pc <= 2) }", "ltl f { [](all(Proc:pc <= 1)) }\nltl g { [](all(Proc:pc <= 2)) }"},
	"havoc twice":                            {"", "byte pc = 0; int r = 0, q = 0;", "", ":: atomic { havoc(q); assume(r <= q && q <= x); havoc(q); assume(r <= q && q <= x); r = q; q = 0 } :: atomic { pc == 0 -> pc = 1; x++ }", "ltl f { []<>(all(Proc:r >= x)) }\nltl g { [](all(Proc:r <= x)) }"},
	"an assertion that cannot be reached":    {"", "byte pc = 0;", "", ":: atomic { pc == 0 -> assert(pc == 1); pc == 1 } :: atomic { pc == 0 -> pc = 3; assert(pc == 3) }", "ltl f { <>(all(Proc:pc == 3)) }"},
	"an assertion that fails later":          {"", "byte pc = 0;", "", ":: atomic { pc == 0 -> pc = 1; x++; } :: atomic { pc == 1 -> assert(x < 2); pc = 2 }", "ltl f { [](x < 3) }"},
	"fairness that nothing satisfies":        {"", "byte pc = 0;", "", ":: atomic { pc == 0 -> pc = 1 }", "ltl fairness { [](x > 0) }\nltl f { <>(x > 5) }\nltl g { [](all(Proc:pc == 0)) }"},
	"fairness of a stop":                     {"", "byte pc = 0;", "", ":: atomic { pc == 0 -> pc = 1 } :: atomic { skip }", "ltl fairness { []<>(all(Proc:pc == 1)) }\nltl f { <>(all(Proc:pc == 1)) }\nltl g { <>(some(Proc:pc == 0)) }"},
	"no premise":                             {"", "byte pc = 0;", "", ":: atomic { pc == 0 -> pc = 1 }", "ltl f { false -> false -> false }\nltl g { true -> <>true -> []true }"},
	"many arrows":                            {"", "byte pc = 0;", "", ":: atomic { pc < 2 -> pc = pc + 1 }", "atomic p = some(Proc:pc == 1);\natomic q = some(Proc:pc == 2);\nltl f { []p -> <>q -> []q -> <>p }\nltl g { p -> q -> p -> <>q }\nltl h { !p -> !q -> <>[]q }"},
	"two shared initial values":              {"int y = 2, z = 3;", "byte pc = 0;", "", ":: atomic { pc == 0 -> pc = 1; y = y + 2; z++ }", "ltl f { [](y <= z + N) }\nltl g { <>(y > z) }"},
}

// TestCorners compares texts at the edges, in a campaign with several numbers of processes each.
func TestCorners(t *testing.T) {
	t.Parallel()
	var names []string
	all := map[string][5]string{}
	for _, table := range []map[string][5]string{corners, controlCorners} {
		for name, c := range table {
			all[name] = c
			names = append(names, name)
		}
	}
	sort.Strings(names)
	seed := int64(0)
	for i, name := range names {
		c := all[name]
		counts := []string{"N", "N - F", "2"}
		every := need.Every(t, 2*len(counts))
		for j, count := range counts {
			if (i+j)%every != 0 {
				continue
			}
			seed++
			source := c[0] + "\nsymbolic int N, F;\nint x;\nassume(N >= F);\nassume(N >= 1);\nassume(F <= 1);\n" +
				"active[" + count + "] proctype Proc() {\n  " + c[1] + "\n  " + c[2] + "\nend: do\n  " + c[3] + "\n  od;\n}\n" + c[4] + "\n"
			k := NewComparison(&Program{Path: program, Timeout: 20 * time.Second}, t.TempDir())
			k.Limits.Params = 2
			if err := k.Case(&Case{Seed: seed, Text: source, Tags: map[string]bool{}}); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			for _, d := range k.Found {
				t.Errorf("%s, %s: %s: %s\n%s", name, count, d.Kind, d.Detail, source)
			}
			if len(k.Refusals) > 0 {
				t.Logf("%s: %s", name, fmt.Sprint(k.Refusals))
			}
		}
	}
}
