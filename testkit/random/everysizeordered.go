package random

import "math/rand/v2"

// Ordered returns the text of a small random protocol for every size, as EverySize does, in which processes of a role are ordered by their
// numbers: ties of tickets, one who leads since no greater one is there, processes that follow each other, a first one. What makes
// it right is sometimes replaced by something else, here, too.
func Ordered(r *rand.Rand) string {
	g := &sizesText{r: r, numbers: r.IntN(3) == 0, own: r.IntN(2) == 0}
	g.faults = g.pick("corr", "corr", "corr", "crash", "byz")
	parts := []func(){g.ties, g.leader, g.queue, g.foremost}
	parts[r.IntN(len(parts))]()
	if g.chance(25) {
		others := []func(){g.barrier, g.suspicions, g.counter, g.votes}
		others[r.IntN(len(others))]()
	}
	return g.written()
}

// ties: tickets that are looked for first, and taken later, so that two may be the same.
func (g *sizesText) ties() {
	g.cells = append(g.cells, "pc: enum {OUT, DOOR, WAIT, IN};", "ticket, most: 0..m;")
	g.first = append(g.first, "node[k].pc := OUT;", "node[k].ticket := 0;", "node[k].most := 0;")
	g.rule("[](i: N) %s: if node[i].pc = OUT and (max (j: N) node[j].ticket) < m then node[i].most := max (j: N) node[j].ticket; node[i].pc := DOOR; endif", g.label())
	g.rule("[](i: N) %s: if node[i].pc = DOOR and node[i].most < m then node[i].ticket := node[i].most + %s; node[i].pc := WAIT; endif", g.label(), g.mostly("1", "1", "0"))
	tie := g.mostly("i < j", "j < i", "i <= j", "i != j")
	g.rule("[](i: N) %s: if node[i].pc = WAIT %sand (forall (j: N) j = i or %snode[i].ticket < node[j].ticket or (node[i].ticket = node[j].ticket and %s)) then node[i].pc := IN; endif",
		g.label(), g.mostly("and (forall (j: N) node[j].pc != DOOR) ", "and (forall (j: N) node[j].pc != DOOR) ", ""), g.mostly("node[j].ticket = 0 or ", "node[j].pc = OUT or "), tie)
	g.rule("[](i: N) %s: if node[i].pc = IN then %snode[i].pc := OUT; endif", g.label(), g.mostly("node[i].ticket := 0; ", ""))
	g.claim("forall (i: N) forall (j: N) node[i].pc = IN and node[j].pc = IN -> i = j")
	if g.chance(40) {
		g.claim("forall (i: N) forall (j: N) node[i].pc = IN and node[j].pc = WAIT and i != j -> node[i].ticket < node[j].ticket or node[i].ticket = node[j].ticket and i %s j", g.mostly("<", ">"))
	}
}

// leader: a process that is greater than all others that have not gone leads; or who has heard of all follows the greatest.
func (g *sizesText) leader() {
	than := g.mostly("<", "<", "<=", "!=")
	if g.chance(50) {
		g.cells = append(g.cells, "gone, leads: bool;")
		g.first = append(g.first, "node[k].gone := false;", "node[k].leads := false;")
		g.rule("[](i: N) %s: if not node[i].gone %sthen node[i].gone := true; endif", g.label(), g.mostly("and not node[i].leads ", ""))
		g.rule("[](i: N) %s: if not node[i].gone and (forall (j: N) i %s j -> node[j].gone) then node[i].leads := true; endif", g.label(), than)
		g.claim("forall (i: N) forall (j: N) node[i].leads and node[j].leads -> i = j")
		g.claim("forall (i: N) forall (j: N) node[i].leads and %s -> node[j].gone", g.mostly("i < j", "j < i", "i <= j"))
		return
	}
	g.kinds = append(g.kinds, "HERE")
	g.cells = append(g.cells, "seen: array[N] of bool;", "follows: N;")
	g.first = append(g.first, "for l: N do node[k].seen[l] := false; endfor")
	g.rule("[](i: N) %s: if true then %s endif", g.label(), g.send("HERE", "1", "", ""))
	g.rule("[](i: N) [](j: N) %s: if msg.kind = HERE then node[i].seen[j] := true; endif", g.label())
	switch g.r.IntN(3) {
	case 0:
		g.rule("[](i: N) %s: if (forall (k: N) node[i].seen[k]) then node[i].follows := %s (k: N) k; endif", g.label(), g.mostly("max", "min"))
	case 1:
		g.rule("[](k: N) [](o: 1..1) [](i: N) %s: if node[i].seen[k] and (forall (l: N) %sk %s l) then node[i].follows := k; endif", g.label(), g.mostly("", "not node[i].seen[l] or "), g.mostly(">=", "<="))
	default:
		g.rule("[](i: N) %s: if (exists (k: N) node[i].seen[k]) then node[i].follows := max (k: N) k by (count (l: N) (l %s k and node[i].seen[k])); endif", g.label(), than)
	}
	both := "not isundefined(node[i].follows) and not isundefined(node[j].follows) -> "
	g.claim("forall (i: N) forall (j: N) %s%snode[i].follows %s node[j].follows", g.correct("i", "j"), both, g.mostly("=", "<="))
	g.claim("forall (i: N) forall (j: N) %s%s(node[i].follows >= j or node[j].follows > i or i = j)", g.correct("i", "j"), both)
}

// queue: processes follow each other.
func (g *sizesText) queue() {
	g.cells = append(g.cells, "went: bool;", "turn: 0..n;")
	g.first = append(g.first, "node[k].went := false;", "node[k].turn := 0;")
	g.rule("[](i: N) %s: if (forall (j: N) j %s i -> node[j].went) then node[i].went := true; endif", g.label(), g.mostly("<", ">", "<="))
	g.rule("[](i: N) %s: if node[i].went and count (j: N) (node[j].went and j %s i) >= %s then node[i].turn := n; endif", g.label(), g.mostly("<", "<="), g.pick("1", "n - t", "n"))
	g.claim("forall (i: N) forall (j: N) node[i].went and j %s i -> node[j].went", g.mostly("<", "<", ">"))
	switch g.r.IntN(3) {
	case 0:
		g.claim("forall (i: N) node[i].turn > 0 -> (exists (j: N) %s and node[j].went)", g.mostly("j < i", "i < j", "j <= i"))
	case 1:
		g.claim("forall (i: N) node[i].went -> (forall (j: N) node[j].went or %s)", g.mostly("i < j", "j < i"))
	default:
		g.claim("count (i: N) (node[i].went and (exists (j: N) not node[j].went and j < i)) < %s", g.mostly("1", "n"))
	}
}

// foremost: the first process is special, and numbers are compared with those of processes.
func (g *sizesText) foremost() {
	g.cells = append(g.cells, "begun: bool;", "steps: 0..n;")
	g.first = append(g.first, "node[k].begun := false;", "node[k].steps := 0;")
	g.rule("[](i: N) %s: if %s then node[i].begun := true; endif", g.label(), g.mostly("i = 1 or (exists (j: N) node[j].begun)", "i = 1", "i <= 2", "i = n or (exists (j: N) j < i and node[j].begun)"))
	g.rule("[](i: N) %s: if node[i].begun and node[i].steps < %s then node[i].steps := node[i].steps + 1; endif", g.label(), g.mostly("i", "n"))
	g.claim("(exists (i: N) node[i].begun) -> (exists (i: N) node[i].begun and i = %s)", g.mostly("1", "n"))
	g.claim("forall (i: N) node[i].steps %s i", g.mostly("<=", "<"))
	if g.chance(50) { // the greatest of truth values
		g.cells = append(g.cells, "any: bool;")
		g.first = append(g.first, "node[k].any := false;")
		g.rule("[](i: N) %s: if %s then node[i].any := %s; endif", g.label(), g.pick("true", "not (min (j: N) node[j].begun)"),
			g.mostly("max (j: N) node[j].begun", "min (j: N) node[j].begun", "max (j: N) node[j].begun by node[j].steps", "min (j: N) node[j].begun by j", "max (j: N) node[j].begun by node[j].any"))
		g.claim("forall (i: N) node[i].any -> %s", g.mostly("(exists (j: N) node[j].begun)", "node[i].begun", "(max (j: N) node[j].begun)"))
	}
	if g.chance(50) {
		g.claim("forall (i: N) forall (j: N) node[i].begun and node[j].steps %s i -> node[j].begun or j %s i", g.mostly(">=", "="), g.pick(">=", "<"))
	}
}
