package sizes

import (
	"fmt"
	"strings"
)

// typical writes a text like those of published algorithms, with other thresholds.
func (g *generator) typical(b *strings.Builder) {
	g.several = g.chance(3)
	g.sizes(b)
	if g.modern {
		g.valued(b)
		return
	}
	if g.several {
		if g.chance(2) {
			g.leader(b)
		} else {
			g.coordinator(b)
		}
		return
	}
	switch g.IntN(4) {
	case 0:
		g.broadcast(b)
	case 1:
		g.readies(b)
	case 2:
		g.consensus(b)
	default:
		g.commit(b)
	}
}

// broadcast is reliable broadcast: echo what was heard often enough, and accept.
func (g *generator) broadcast(b *strings.Builder) {
	early := ""
	if g.chance(2) {
		early = " and sent"
	}
	fmt.Fprintf(b, `messages ECHO;

process node[n]
  input knows: bool;
  local sent, accepted: bool;

  echo: if (knows or heard(ECHO) >= %s) and not sent then send ECHO; sent := true; endif
  accept: if heard(ECHO) %s %s%s and not accepted then accepted := true; endif
end

ltl unforgeability: all(not knows) -> G all(not accepted);
ltl correctness fair: all(knows) -> F some(accepted);
ltl relay fair: G (some(accepted) -> F all(accepted));
`, g.bound(), g.pick(">=", ">=", ">"), g.bound(), early)
}

// readies is broadcast with two kinds of messages.
func (g *generator) readies(b *strings.Builder) {
	fmt.Fprintf(b, `messages ECHO, READY;

process node[n]
  input begins: bool;
  local echoed, readied, accepted: bool;

  echo: if (begins or heard(READY) >= %s) and not echoed then send ECHO; echoed := true; endif
  ready: if (2 * heard(ECHO) > %s or heard(READY) >= %s) and not readied then send READY; readied := true; endif
  accept: if heard(READY) >= %s and readied and not accepted then accepted := true; endif
end

ltl unforgeability: all(not begins) -> G all(not accepted);
ltl correctness fair: all(begins) -> F some(accepted);
ltl agreement fair: G (some(accepted) -> F all(accepted));
`, g.bound(), g.pick("n", "n - f", g.bound()), g.bound(), g.bound())
}

// consensus decides in one step, if enough propose the same.
func (g *generator) consensus(b *strings.Builder) {
	many, twice := g.bound(), g.pick("n", "n + f", g.bound())
	branches := []string{
		fmt.Sprintf("heard(VALUE(0)) >= %s then state := DECIDED0;", many),
		fmt.Sprintf("heard(VALUE(1)) >= %s then state := DECIDED1;", many),
		fmt.Sprintf("2 * heard(VALUE(0)) > %s then state := GOES0;", twice),
		"heard(VALUE(0)) > heard(VALUE(1)) then state := GOES0;",
		"heard(VALUE(1)) = 0 then state := DECIDED0;",
		"v = 0 then state := GOES0;",
	}
	g.Shuffle(len(branches), func(i, j int) { branches[i], branches[j] = branches[j], branches[i] })
	end := g.pick("", "else state := GOES1; ")
	fmt.Fprintf(b, `messages VALUE(0..1);

process node[n]
  input v: 0..1;
  local state: enum {START, WAITING, DECIDED0, DECIDED1, GOES0, GOES1};

  propose: if state = START then send VALUE(v); state := WAITING; endif
  decide: if state = WAITING and heard(VALUE) >= %s then if %s %sendif endif
end

ltl one_step fair: all(v = 0) -> F all(state = DECIDED0);
ltl agreement: G (some(state = DECIDED0) -> all(state != DECIDED1%s));
ltl termination fair: F all(state != START and state != WAITING);
`, g.bound(), strings.Join(branches[:2], " elsif "), end, g.pick("", " and state != GOES1"))
}

// commit is atomic commit, with a detector that changes its mind.
func (g *generator) commit(b *strings.Builder) {
	detect := g.pick("state = WAITING", "state = WAITING and heard(VOTE(0)) < 1")
	outcome := "F G all(state != SUSPECTS)"
	if g.faults == "crash" || g.faults == "clean" {
		detect = g.pick(detect, "state = WAITING and crashes >= 1", "state = START and crashes >= 1")
		outcome = g.pick(outcome, "F G (all(state != SUSPECTS) and (all(not crashed) or all(state != WAITING)))", "G all(not crashed)")
	}
	fmt.Fprintf(b, `messages VOTE(0..1);

process node[n]
  input yes: bool;
  local state: enum {START, WAITING, SUSPECTS, COMMIT, ABORT};

  vote: if state = START then state := WAITING; if yes then send VOTE(1); else send VOTE(0); endif endif
  maybe suspect: if %s then state := SUSPECTS; endif
  %strust: if state = SUSPECTS then state := WAITING; endif
  abort: if state = WAITING and heard(VOTE(0)) >= 1 or state = SUSPECTS%s then state := ABORT; endif
  commit: if (state = WAITING or state = SUSPECTS) and heard(VOTE(1)) >= %s then state := COMMIT; endif
end

ltl validity: some(not yes) -> G all(state != COMMIT);
ltl agreement: G (all(state != COMMIT) or all(state != ABORT));
ltl termination fair: %s -> F all(state = COMMIT or state = ABORT);
`, detect, g.pick("maybe ", ""), g.pick("", "", " and heard(VOTE(1)) < 1"), g.pick("n", g.bound()), outcome)
}
