package random

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// fieldsOfKinds are the fields of kinds of messages, where they have their own.
var fieldsOfKinds = map[string]string{"VOTE": "val: 0..2", "ECHO": "", "BALLOT": "no: 0..m", "DOWN": "who: N", "HERE": "", "TELL": "val: 0..2", "FIRST": "val: 0..2",
	"SECOND": "other: 0..2, flag: bool"}

// declared are the declarations of kinds with their fields.
func (g *sizesText) declared() (list []string) {
	for _, kind := range slices.Sorted(slices.Values(g.kinds)) {
		if f := fieldsOfKinds[kind]; f != "" {
			kind += "(" + f + ")"
		}
		list = append(list, kind)
	}
	return slices.Compact(list)
}

// letter sends a message of a kind, without saying to whom.
func (g *sizesText) letter(kind string, values ...string) string {
	var parts []string
	for _, v := range values {
		if v != "" && fieldsOfKinds[kind] != "" {
			parts = append(parts, v)
		}
	}
	if parts == nil {
		return "send " + kind
	}
	return fmt.Sprintf("send %s(%s)", kind, strings.Join(parts, ", "))
}

var asksKind = regexp.MustCompile(`\[\]\(j: N\) (\w+): if msg\.kind = (\w+)( and .*)? then`)

// headed has a rule name the kind that it receives in its head, in half of the cases.
func (g *sizesText) headed(rule string) string {
	at := asksKind.FindStringSubmatch(rule)
	if at == nil || g.chance(50) {
		return rule
	}
	guard := strings.TrimPrefix(at[3], " and ")
	if guard == "" {
		guard = "true"
	}
	return strings.Replace(rule, at[0], fmt.Sprintf("[](j: N) %s: receive %s from j if %s then", at[1], at[2], guard), 1)
}

// twofold: a node tells its value by two messages of different kinds, in one step.
func (g *sizesText) twofold() {
	g.kinds = append(g.kinds, "FIRST", "SECOND")
	g.cells = append(g.cells, "spoken: 0..2;", "one, two: array[N] of 0..2;")
	g.first = append(g.first, "node[k].spoken := 0;", "for l: N do node[k].one[l] := 0; node[k].two[l] := 0; endfor")
	g.rule("[](v: 1..2) [](i: N) %s: if %s then node[i].spoken := v; send FIRST(v) to %s of N; send SECOND(%s, %s) to %s of N; endif", g.label(),
		g.mostly("node[i].spoken = 0", "true"), g.pick("all", "others"), g.mostly("v", "node[i].spoken", "3 - v"), g.pick("true", "v = 1"), g.pick("all", "others"))
	g.rule("[](i: N) %s: receive FIRST(x) from j: N if true then node[i].one[j] := x; endif", g.label())
	g.rule("[](i: N) %s: receive SECOND(x, y) from j: N if %s then node[i].two[j] := x; endif", g.label(), g.pick("true", "y"))
	c := g.correct("j")
	switch g.r.IntN(3) {
	case 0:
		g.claim("forall (i: N) forall (j: N) %snode[i].one[j] > 0 and node[i].two[j] > 0 -> node[i].one[j] = node[i].two[j]", c)
	case 1:
		g.claim("forall (i: N) forall (j: N) forall (l: N) %snode[i].one[j] > 0 and node[l].two[j] > 0 -> node[i].one[j] = node[l].two[j]", c)
	default:
		g.claim("forall (i: N) forall (j: N) %snode[i].two[j] > 0 -> node[i].two[j] %s node[j].spoken", c, g.mostly("=", "<="))
	}
}
