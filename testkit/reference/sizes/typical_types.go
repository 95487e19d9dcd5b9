package sizes

import (
	"fmt"
	"strings"
)

// leader is broadcast of a value by a distinguished process, which may be faulty.
func (g *generator) leader(b *strings.Builder) {
	amplify := func(value int) string {
		if g.chance(2) {
			return ""
		}
		return fmt.Sprintf(" or heard(ECHO(%d)) >= %s", value, g.bound())
	}
	enough, op, decided := g.bound(), g.pick(">=", ">=", ">"), g.pick("all", "every")
	from := g.pick("", "king.")
	fmt.Fprintf(b, `messages INITIAL(0..1), ECHO(0..1);

process king[1]
  input v: 0..1;
  local began: bool;

  begin: if not began then send INITIAL(v); began := true; endif
end

process node[%s]
  local echoed: bool;
  local d: enum {NONE, ZERO, ONE};

  echo0: if not echoed and (heard(%sINITIAL(0)) >= 1%s) then send ECHO(0); echoed := true; endif
  echo1: if not echoed and (heard(%sINITIAL(1)) >= 1%s) then send ECHO(1); echoed := true; endif
  accept0: if d = NONE and heard(ECHO(0)) %s %s then d := ZERO; endif
  accept1: if d = NONE and heard(ECHO(1)) %s %s then d := ONE; endif
end

invariant agreement: %s(d != ZERO) or %s(d != ONE);
ltl validity: all(king.v = 0) -> G %s(d != ONE);
ltl progress fair: F (all(d != NONE)%s);
ltl totality fair: G (some(d != NONE) -> F all(d != NONE));
`, g.pick("n", "n", "n - 1"), from, amplify(0), from, amplify(1), op, enough, op, enough, decided, decided, decided,
		g.pick("", " or all(d = NONE)", " or all(not king.began)"))
}

// coordinator is two-phase commit: one process asks, or only counts, and tells the outcome.
func (g *generator) coordinator(b *strings.Builder) {
	refuse := "heard(VOTE(false)) >= 1"
	if g.faults == "crash" || g.faults == "clean" {
		refuse = g.pick(refuse, refuse+" or crashes >= 1", refuse+" or heard(VOTE or crashed) >= n")
	}
	number := g.pick("n", "n", g.bound())
	choices := []string{fmt.Sprintf("not told and heard(VOTE(true)) >= %s then send OUTCOME(true); told := true;", number),
		fmt.Sprintf("not told and (%s) then told := true; send OUTCOME(false);", refuse)}
	if g.chance(2) {
		choices[0], choices[1] = choices[1], choices[0]
	}
	leave := ""
	if g.chance(3) {
		leave = "\n  maybe leave: if state = WAITING then state := ABORT; endif"
	}
	early := g.pick("", " if not yes then state := ABORT; endif")
	uniform := g.pick("all", "every", "every")
	fmt.Fprintf(b, `messages VOTE(bool), OUTCOME(enum {YES, NO});
define GO = heard(OUTCOME(YES)) >= 1;

process node[n]
  input yes: bool;
  local state: enum {START, WAITING, COMMIT, ABORT};

  vote: if state = START then send VOTE(yes); state := WAITING;%s endif
  decide: if state = WAITING and GO then state := COMMIT; elsif state = WAITING and heard(OUTCOME(NO)) >= 1 then state := ABORT; endif%s
end

process king[1]
  local told: bool;

  tell: if %s elsif %s endif
end

invariant agreement: %s(state != COMMIT) or %s(state != ABORT);
ltl validity: some(not yes) -> G %s(state != COMMIT);
ltl termination fair: %sF all(state = COMMIT or state = ABORT);
`, early, leave, strings.NewReplacer("OUTCOME(true)", "OUTCOME(YES)", "OUTCOME(false)", "OUTCOME(NO)").Replace(choices[0]),
		strings.NewReplacer("OUTCOME(true)", "OUTCOME(YES)", "OUTCOME(false)", "OUTCOME(NO)").Replace(choices[1]),
		uniform, uniform, uniform, g.pick("", "all(yes) -> ", "F all(king.told) -> "))
}
