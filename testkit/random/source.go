package random

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Source returns the text of a small random protocol for all sizes: one or two kinds of
// messages, all fault models, thresholds over parameters, safety and liveness.
func Source(r *rand.Rand) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	chance := func(percent int) bool { return r.IntN(100) < percent }
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	faults := pick("byzantine", "crash", "clean", "omission", "symmetric", "none")
	line("protocol random;")
	line("parameters n, t, f;")
	if chance(12) { // all may be faulty
		line("assume n >= f, n <= 2, t <= 1;")
	} else {
		line("assume n > %d * t, t >= f, t >= %d;", 1+r.IntN(3), r.IntN(2))
	}
	crashing := faults == "crash" || faults == "clean"
	if faults == "none" {
		line("faults none;")
	} else {
		line("faults %s f;", faults)
	}
	kinds := []string{"A", "B"}[:1+r.IntN(2)]
	valued := chance(30)
	var declared []string
	for i, k := range kinds {
		if i == 0 && valued {
			k += "(0..1)"
		}
		declared = append(declared, k)
	}
	line("messages %s;", strings.Join(declared, ", "))
	count := func() string {
		i := r.IntN(len(kinds))
		if i == 0 && valued {
			return "heard(" + pick("A", "A(0)", "A(1)") + ")"
		}
		return "heard(" + kinds[i] + ")"
	}
	compare := func() string {
		c := count()
		switch {
		case chance(10):
			return fmt.Sprintf("%s < %s", c, pick("t + 1", "n - t", "2"))
		case chance(10):
			return fmt.Sprintf("2 * %s > n + t", c)
		}
		return fmt.Sprintf("%s >= %s", c, pick("1", "t + 1", "n - t", "2", "n - f", "2 * t + 1"))
	}
	guard := func() string {
		switch r.IntN(4) {
		case 0:
			return "(x or " + compare() + ")"
		case 1:
			return "(" + compare() + " or " + compare() + ")"
		case 2:
			return "x"
		}
		return compare()
	}
	line("process node[n]\n  input x: bool;\n  local done: bool;")
	for i := range kinds {
		line("  local s%d: bool;", i)
	}
	walks := chance(50) // some rules that come back to where they began
	if walks {
		line("  local at: 0..2;")
	}
	for i, k := range kinds {
		send := k
		if i == 0 && valued {
			send += "(" + pick("0", "1") + ")"
		}
		extra := ""
		if i > 0 && chance(40) {
			extra = " and s0"
		}
		body := fmt.Sprintf("send %s; s%d := true;", send, i)
		if i == 0 && valued && chance(60) {
			body = "s0 := true; if x then send A(1); else send A(0); endif"
		}
		if chance(25) {
			other := pick("s%[1]d := true;", "send "+send+"; s%[1]d := true;")
			line("  rule%d: if %s and x and not s%d then %s elsif %s and not s%d then "+fmt.Sprintf(other, i)+" endif", i, guard(), i, body, guard(), i)
			continue
		}
		line("  %srule%d: if %s and not s%d%s then %s endif", map[bool]string{true: "maybe "}[chance(12)], i, guard(), i, extra, body)
	}
	if walks {
		switch r.IntN(3) {
		case 0:
			line("  look: if at = 0 then at := 1; if %s then at := 2; else at := 0; endif endif", compare())
		case 1:
			line("  up: if at = 0%s then at := 1; endif", pick("", " and "+compare()))
			line("  down: if at = 1%s then at := 0; endif", pick("", " and "+compare()))
			line("  leave: if at <= 1%s then at := 2; endif", pick("", " and "+compare()))
		case 2:
			line("  look: if at < 2 then if %s then at := at + 1; elsif %s then at := 0; endif endif", compare(), compare())
		}
	}
	switch {
	case chance(25):
		line("  finish: if not done then if %s then done := true; endif endif\nend", compare())
	case crashing && chance(30):
		line("  finish: if heard(%s) >= %s and not done then done := true; endif\nend", kinds[0], pick("crashes", "crashes + 1", "n - crashes"))
	default:
		line("  finish: if %s and not done then done := true; endif\nend", compare())
	}
	if walks {
		line("ltl settles fair: F G all(at %s);", pick("= 2", "= 0", "!= 1"))
		line("ltl moves fair: all(x) -> F %s(at = %s);", pick("all", "some"), pick("1", "2"))
	}
	if crashing {
		line("invariant uniform: not (some(%s and done) and some(%s and %s));", pick("crashed", "(crashed or not crashed)"), pick("not crashed", "(crashed or not crashed)"), pick("not s0", "x", "not x"))
	}
	line("ltl unforgeable: all(%s) -> G all(not done);", pick("not x", "x"))
	line("ltl correct fair: all(x) -> F %s(done);", pick("all", "some"))
	line("ltl relay fair: G (some(done) -> F all(done));")
	line("invariant together: all(not done) or %s(s0);", pick("some", "all"))
	return b.String()
}
