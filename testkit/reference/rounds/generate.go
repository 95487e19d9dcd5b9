package rounds

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// A generator writes random texts.
type generator struct {
	*rand.Rand
	strings.Builder
	faults     string
	parameters []string
	outcomes   int    // of coins, and values of v
	enum       bool   // whether v is one of V0, V1 ...
	locked     bool   // whether there is a kept lock
	sane       bool   // whether it is much like a published algorithm
	defined    bool   // whether there is a name for a threshold
	last       bool   // whether processes send a message as they end a round
	coinless   bool   // whether there are no coins, but perhaps coordinators
	ends       bool   // whether something is true after some rounds
	atLast     bool   // whether rounds may be good at last
	after      string // after how many the common coin is known, if that is said
}

// Generate writes the random text of a seed.
func Generate(seed uint64) string {
	g := &generator{Rand: rand.New(rand.NewPCG(seed, 28)), outcomes: 2}
	text := g.usual()
	if other := familial(seed, text); other != "" {
		return other
	}
	return text
}

// usual is a text without rules that have parameters.
func (g *generator) usual() string {
	g.sane = g.IntN(5) > 1
	if g.chance(20) {
		g.outcomes = 3
	}
	g.enum = g.chance(5)
	g.locked = g.chance(6)
	switch g.IntN(26) {
	case 0:
		g.oneExchange(false)
	case 1, 2:
		g.oneExchange(true)
	case 3:
		g.twoExchanges()
	case 4, 5, 6:
		g.relay()
	case 7, 8:
		g.random()
	case 9, 10, 11:
		g.synchronous()
	case 12, 13:
		g.king()
	case 14, 15, 16:
		g.quorums()
	case 17:
		g.waiting()
	default:
		g.likely()
	}
	g.properties()
	return g.mixed(g.String())
}

// pick is one of some strings.
func (g *generator) pick(choices ...string) string { return choices[g.IntN(len(choices))] }

// chance is true once in so many times; what is odd is rarer in sane texts.
func (g *generator) chance(of int) bool {
	if g.sane && of >= 6 {
		of *= 5
	}
	return g.IntN(of) == 0
}

// sometimes is a text once in so many times, and else nothing.
func (g *generator) sometimes(of int, format string, args ...any) string {
	if g.chance(of) {
		return fmt.Sprintf(format, args...)
	}
	return ""
}

func (g *generator) write(format string, args ...any) {
	fmt.Fprintf(&g.Builder, format+"\n", args...)
}

// heading writes parameters, assumptions, the fault model and messages.
func (g *generator) heading(messages string) {
	g.faults = g.pick("none", "none", "byzantine", "byzantine", "byzantine", "crash", "clean", "clean", "clean", "symmetric", "symmetric")
	if g.IntN(25) == 0 {
		g.faults = "omission"
	}
	g.parameters = []string{"n", "t", "f"}
	assume := g.pick("n > 3 * t, t >= f", "n > 3 * t, t >= f", "n > 2 * t, t >= f", "n > 2 * t, t >= f", "n > t, t >= f", "n >= 2 * t, t >= f", "n > 2 * t, t = f") +
		g.pick(", t >= 1", ", t >= 1", "", ", t <= 1")
	if g.sane {
		assume = g.pick("n > 2 * t", "n > 3 * t", "n > 4 * t", "n > 5 * t") + ", t >= f" + g.pick(", t >= 1", "")
	} else if g.chance(4) {
		g.parameters = []string{"n", "f"}
		assume = g.pick("n > 3 * f", "n > 2 * f", "n > f", "n >= f", "n > f, f <= 1", "n >= 2, n > 2 * f")
	}
	budget := " f"
	switch {
	case g.faults == "none" && !g.chance(40):
		budget = ""
	case g.chance(15):
		budget = g.pick(" 1", " 0", " f + 1")
	}
	g.write("protocol random;\nparameters %s;\nassume %s;\nfaults %s%s;\nmessages %s;", strings.Join(g.parameters, ", "), assume, g.faults, budget, messages)
	if g.chance(6) {
		g.write("define ENOUGH = %s;", g.bound())
		g.defined = true
	}
	g.write("\nprocess node[n]")
}

// bound is a sum of parameters.
func (g *generator) bound() string {
	if g.defined && g.chance(4) {
		return "ENOUGH"
	}
	if len(g.parameters) == 3 {
		return g.pick("t + 1", "t + 1", "t + 1", "n - t", "n - t", "n - t", "n - 2 * t", "2 * t + 1", "1", "2", "n", "f + 1", "n - f")
	}
	return g.pick("f + 1", "f + 1", "n - f", "n - f", "n - f", "n - 2 * f", "1", "2", "n")
}

// most is the number of messages for which processes can wait.
func (g *generator) most() string {
	if g.chance(8) {
		return g.bound()
	}
	if len(g.parameters) == 3 {
		return "n - t"
	}
	return "n - f"
}

// quorum is a condition that a count is large.
func (g *generator) quorum(count string) string {
	if g.sane && g.IntN(4) > 0 { // what all who begin with one value hear of it
		if g.faults == "byzantine" || g.faults == "symmetric" {
			return g.pick(count+" >= n - 2 * t", count+" >= n - 2 * t", "2 * "+count+" > n + f", count+" >= t + 1")
		}
		return g.pick(count+" >= n - t", "2 * "+count+" > n", count+" >= n - 2 * t", count+" >= t + 1")
	}
	switch g.IntN(8) {
	case 0:
		return fmt.Sprintf("2 * %s > %s", count, g.pick("n", "n", "n + f"))
	case 1:
		return fmt.Sprintf("%s >= [%s / 2]", count, g.pick("(n + 1)", "(n + f + 1)", "n"))
	case 2:
		return fmt.Sprintf("%s > n / 2", count)
	}
	return fmt.Sprintf("%s %s %s", count, g.pick(">=", ">=", ">=", ">"), g.bound())
}

// value is a value of v, as it is written.
func (g *generator) value(i int) string {
	if g.enum {
		return fmt.Sprintf("V%d", i)
	}
	return fmt.Sprint(i)
}

// anyValue is one of them.
func (g *generator) anyValue() string { return g.value(g.IntN(g.outcomes)) }

// domain is the type of v.
func (g *generator) domain() string {
	if g.enum {
		return "enum {" + strings.Join([]string{"V0", "V1", "V2"}[:g.outcomes], ", ") + "}"
	}
	return fmt.Sprintf("0..%d", g.outcomes-1)
}

// revealed decides after how many the common coin is known.
func (g *generator) revealed() {
	if g.faults != "none" && g.chance(4) {
		g.after = " after " + g.pick("f + 1", "f + 1", "n - f", "2", g.bound())
	}
}

// kept declares what all texts keep: v and decided, and perhaps a lock.
func (g *generator) kept() {
	if g.chance(12) {
		g.write("  kept local v: %s = %s;", g.domain(), g.anyValue())
	} else {
		g.write("  kept input v: %s;", g.domain())
	}
	g.write("  kept local decided: enum {NO, %s};", strings.Join([]string{"D0", "D1", "D2"}[:g.outcomes], ", "))
	if g.locked {
		g.write("  kept local lock: bool%s;", g.pick("", " = false", " = true"))
	}
}

// decide is a statement by which a value is decided, perhaps only by those who have not decided.
func (g *generator) decide(i int) string {
	if g.chance(3) {
		return fmt.Sprintf("if decided = NO then decided := D%d; endif", i)
	}
	return fmt.Sprintf("decided := D%d;", i)
}

// lock changes the lock, if there is one.
func (g *generator) lock() string {
	if !g.locked {
		return ""
	}
	return g.pick("", "lock := true; ", "lock := false; ", "lock := not lock; ")
}

// draw is a draw, and what follows, up to the end of the round.
func (g *generator) draw(common bool) string {
	if g.after == "" && g.IntN(15) == 0 {
		common = !common
	}
	switch {
	case g.coinless:
		return fmt.Sprintf("v := %s; %snext;", g.anyValue(), g.lock())
	case !common && g.chance(6):
		return fmt.Sprintf("toss c; v := c; %snext;", g.lock())
	case !common:
		return fmt.Sprintf("toss v; %s%snext;", g.lock(), g.sometimes(15, "if v = %s then decided := D0; endif ", g.anyValue()))
	case g.chance(4):
		return fmt.Sprintf("coin v%s; next;", g.after)
	}
	return fmt.Sprintf("coin c%s; v := c; %s%snext;", g.after, g.sometimes(8, "if c = %s then %s endif ", g.anyValue(), g.decide(0)), g.lock())
}

// settle is the end of a round with a value: v becomes it; it may be decided, if the common coin says so.
func (g *generator) settle(i int, decides, common bool) string {
	v := fmt.Sprintf("v := %s; ", g.value(i))
	if g.last && !g.chance(3) {
		v = fmt.Sprintf("send LAST(%s); ", g.value(i)) + v
	}
	if g.chance(30) {
		v = ""
	}
	switch {
	case g.after != "" && !decides:
		return fmt.Sprintf("%scoin c%s; %snext;", v, g.after, g.lock())
	case decides && common && !g.chance(5) || g.after != "":
		return fmt.Sprintf("%scoin c%s; if c = %s then %s endif %snext;", v, g.after, g.value(i), g.decide(i), g.lock())
	case decides && !g.chance(12):
		return v + g.decide(i) + " " + g.lock() + "next;"
	}
	return v + g.lock() + "next;"
}

// ending is the choice by which a round ends: what the messages of a kind say of values.
func (g *generator) ending(kind string, common bool) string {
	var branches []string
	levels := 1
	if g.chance(4) {
		levels = 2
	}
	for level := range levels {
		threshold := g.quorum("COUNT")
		for i := range g.outcomes {
			own := threshold
			if g.chance(12) {
				own = g.quorum("COUNT")
			}
			guard := strings.Replace(own, "COUNT", fmt.Sprintf("heard(%s(%s))", kind, g.value(i)), 1)
			if g.locked && g.chance(4) {
				guard += g.pick(" and not lock", " and lock")
			}
			if g.chance(10) {
				guard += fmt.Sprintf(" and v = %s", g.anyValue())
			}
			branches = append(branches, guard+" then "+g.settle(i, level == 0, common))
		}
	}
	if g.chance(10) {
		g.Shuffle(len(branches), func(i, j int) { branches[i], branches[j] = branches[j], branches[i] })
	}
	last := "else " + g.draw(common) + " "
	switch ends := g.IntN(14); {
	case g.after != "" || g.sane:
	case ends == 0:
		last = "else next; "
	case ends == 1:
		last = fmt.Sprintf("else v := %s; next; ", g.anyValue())
	case ends == 2:
		last = ""
	}
	return "if " + strings.Join(branches, "\n      elsif ") + "\n      " + last + "endif"
}
