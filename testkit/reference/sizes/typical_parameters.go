package sizes

import (
	"fmt"
	"strings"
)

// valued writes a text about values, with a rule for each of them.
func (g *generator) valued(b *strings.Builder) {
	if g.several {
		g.valuedLeader(b)
		return
	}
	more := g.pick("", "", " and not MANY(1 - v)", " and heard(ECHO(v)) >= heard(ECHO(1 - v))")
	support := g.pick("v = i or SOME(v)", "SOME(v)", "heard(VALUE(v)) >= "+g.bound(), "i = v and heard(VALUE(v)) >= "+g.bound())
	fmt.Fprintf(b, `messages VALUE(0..1), ECHO(0..1);
define MANY(w: 0..1) = heard(ECHO(w)) >= %s;
define SOME(w: 0..1) = heard(VALUE(w)) >= %s;
define CHOSEN(w: 0..1, yes: bool) = some(d = w) <-> yes;

process node[n]
  input i: 0..1;
  local began, echoed: bool;
  local d: 0..2 = 2;

  begin: if not began then began := true; send VALUE(i); endif
  [](v: 0..1) echo: if not echoed and (%s) then echoed := true; send ECHO(v); endif
  [](v: 0..1)%s decide: if d = 2 and MANY(v)%s then d := v; endif
end

invariant agreement: CHOSEN(0, false) or CHOSEN(1, false);
ltl validity: all(i = 0) -> G CHOSEN(1, false);
ltl progress fair: all(i = 1) -> F CHOSEN(1, true);
ltl totality fair: G (some(d != 2) -> F all(d != 2));
`, g.bound(), g.bound(), support, g.pick("", "", " maybe"), more)
}

// valuedLeader is broadcast of a value by a distinguished process, with rules for all values and for who decides.
func (g *generator) valuedLeader(b *strings.Builder) {
	amplify := g.pick("", " or heard(ECHO(v, _)) >= "+g.bound())
	decided := g.pick("all", "every")
	fmt.Fprintf(b, `messages INITIAL(enum {ZERO, ONE}), ECHO(enum {ZERO, ONE}, loud: bool);
define READY(w: enum {ZERO, ONE}, k: 0..2) = heard(ECHO(w, true)) + k >= %s;
define NOT(o: enum {ZERO, ONE}) = %s(d != o or not done);

process king[1]
  input v: enum {ZERO, ONE};
  local began: bool;

  begin: if not began then send INITIAL(v); began := true; endif
end

process node[%s]
  local echoed, done: bool;
  local d: enum {ZERO, ONE};

  [](v: enum {ZERO, ONE}) [](o: bool) echo:
    if not echoed and o != echoed and (heard(INITIAL(v)) >= 1%s) then send ECHO(v, o); echoed := true; endif
  [](v: enum {ZERO, ONE}) [](k: 0..1) accept: if not done and k = 0 and READY(v, k) then d := v; done := true; endif
end

invariant agreement: NOT(ZERO) or NOT(ONE);
ltl validity: all(king.v = ZERO) -> G NOT(ONE);
ltl progress fair: F all(done);
ltl totality fair: G (some(done) -> F all(done));
`, g.bound(), decided, g.pick("n", "n", "n - 1"), amplify)
}
