package random

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Restarts returns the text of a small random protocol for every size in which processes restart, some have names, and
// the greatest of what some have is taken, or what stands for it. What survives, who is named, and what is claimed
// differs, so that some claims hold for every size and some do not.
func Restarts(r *rand.Rand) string {
	g := &sizesText{r: r}
	stable := func() string { return g.pick("", "stable ") }
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("protocol restarts;\nconst n = 3; m = 2;\nassume n >= 2, m >= 1;\nmessage OFFER(no: 0..m), TAKEN;\ntype N: role[n];")
	named := g.chance(50)
	who := "j"
	if named {
		line("names a, b: N;")
		who = g.pick("a", "b", "j")
	}
	line("var\n  node: array[N] of record\n    %soffer: 0..m;\n    %sbest: 0..m%s;\n    %sdone: bool = false;\n    %sseen: set of N = {};\n  end;",
		stable(), stable(), g.pick(" = 0", ""), stable(), stable())
	line("rules\n  [](v: 0..m) [](i: N) give: receive nothing\n    if isundefined(node[i].offer)%s then node[i].offer := v; send OFFER(v) to others; endif",
		g.pick("", " and not node[i].done"))
	key := g.pick("node[k].offer", "node[k].offer", "node[k].best", "node[k].offer by node[k].best", "k by node[k].offer", "node[k].done by node[k].offer")
	least := g.pick("0", "m", "node[i].offer")
	what := fmt.Sprintf("node[i].best := %s (k: N) %s", g.mostly("max", "min"), key)
	switch {
	case strings.HasPrefix(key, "k "):
		what, least = strings.Replace(what, "node[i].best :=", "node[i].seen +=", 1), "i"
	case strings.HasPrefix(key, "node[k].done"):
		what, least = strings.Replace(what, "best", "done", 1), g.pick("false", "true", "node[i].done")
	}
	line("  [](i: N) take:\n    if not node[i].done then %s default %s; %sendif", what, least, g.pick("", "node[i].done := true; "))
	line("  [](i: N) heard: receive OFFER(no) from j\n    if %s then node[i].seen += j; %s endif",
		g.pick("true", "no > 0", "j = "+who, "not isundefined(node[i].best) and no > node[i].best"), g.pick("", "send TAKEN to sender;", "node[i].best := no;"))
	if named {
		line("  [](i: N) left: receive TAKEN from j\n    if i = a%s then node[a].done := %s; endif", g.pick("", " or j = b"), g.pick("true", "node[b].done"))
		g.claim("node[a].done -> %s", g.pick("(exists (j: N) not isundefined(node[j].offer))", "not isundefined(node[a].offer)", "not node[b].done"))
	}
	g.claim("forall (i: N) isundefined(node[i].best) or node[i].best = 0 or (exists (j: N) %s)",
		g.pick("node[j].offer >= node[i].best", "not isundefined(node[j].offer)", "node[j].done"))
	g.claim("forall (i: N) forall (j: N) j in node[i].seen -> %s", g.pick("i != j", "not isundefined(node[j].offer)", "node[i].done or i != j"))
	if g.chance(80) {
		line("recovery N;")
	}
	for i, c := range g.claims {
		line("invariant c%d:\n  %s;", i+1, c)
	}
	return b.String()
}
