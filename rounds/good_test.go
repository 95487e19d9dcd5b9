package rounds

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// Decide decides one specification.
func Decide(ctx context.Context, a *ta.Automaton, name string, o verify.Options) (*Result, error) {
	d, err := NewDecider(a)
	if err != nil {
		return nil, err
	}
	return d.Decide(ctx, name, o)
}

// flooding: consensus by flooding with crashes, in synchronous rounds. A process that has sent something to all waits for as many messages as there are
// processes, those that are gone counted; then it has 0 if one has sent it that.
const flooding = `ta Flooding {
  shared s0, s1, a0, a1, down, lost;
  parameters n, f;
  assumptions { n > f; f >= 2; }
  locations { v0; v1; w0; w1; d0; d1; crashed; }
  inits { v0 + v1 == n; w0 == 0; w1 == 0; d0 == 0; d1 == 0; crashed == 0; s0 == 0; s1 == 0; a0 == 0; a1 == 0; down == 0; lost == 0; }
  rules {
    1: v0 -> w0 when (true) do { s0' == s0 + 1; a0' == a0 + 1; };
    2: v1 -> w1 when (true) do { s1' == s1 + 1; a1' == a1 + 1; };
    3: v0 -> crashed when (down < f) do { a0' == a0 + 1; down' == down + 1; lost' == lost + 1; };
    4: v1 -> crashed when (down < f) do { a1' == a1 + 1; down' == down + 1; lost' == lost + 1; };
    5: w0 -> d0 when (s0 + s1 + lost >= n) do { };
    6: w1 -> d0 when (s0 + s1 + lost >= n && a0 >= 1) do { };
    7: w1 -> d1 when (s0 + s1 + lost >= n && s0 < 1) do { };
    8: w0 -> crashed when (down < f) do { down' == down + 1; };
    9: w1 -> crashed when (down < f) do { down' == down + 1; };
    10: d0 -> crashed when (down < f) do { down' == down + 1; };
    11: d1 -> crashed when (down < f) do { down' == down + 1; };
  }
  rounds {
    d0 -> v0; d1 -> v1;
    throughout down;
    missing lost (v0, v1) n;
    enough: after f + 1: v0 + w0 + d0 == 0 || v1 + w1 + d1 == 0;
    few: after f: v0 + w0 + d0 == 0 || v1 + w1 + d1 == 0;
    many: after 2 * f: v0 + w0 + d0 == 0 || v1 + w1 + d1 == 0;
    most: after n - 1: v0 + w0 + d0 == 0 || v1 + w1 + d1 == 0;
    less: after n - 2: v0 + w0 + d0 == 0 || v1 + w1 + d1 == 0;
  }
  specifications { any: [](s0 >= 0); }
}`

// flooding3 is flooding with three values, of which a process keeps the least that it hears.
func flooding3() string {
	var rules, two []string
	rule := func(format string, args ...any) {
		rules = append(rules, fmt.Sprintf("%d: "+format, append([]any{len(rules) + 1}, args...)...))
	}
	const all = "s0 + s1 + s2 + lost >= n"
	for v := range 3 {
		rule("v%d -> w%d when (true) do { s%d' == s%d + 1; a%d' == a%d + 1; };", v, v, v, v, v, v)
		rule("v%d -> crashed when (down < f) do { a%d' == a%d + 1; down' == down + 1; lost' == lost + 1; };", v, v, v)
		for less := range v {
			none := ""
			for l := range less {
				none += fmt.Sprintf(" && s%d < 1", l)
			}
			rule("w%d -> d%d when (%s && a%d >= 1%s) do { };", v, less, all, less, none)
		}
		none := ""
		for l := range v {
			none += fmt.Sprintf(" && s%d < 1", l)
		}
		rule("w%d -> d%d when (%s%s) do { };", v, v, all, none)
		for _, at := range []string{"w", "d"} {
			rule("%s%d -> crashed when (down < f) do { down' == down + 1; };", at, v)
		}
		two = append(two, fmt.Sprintf("v%d + w%d + d%d == 0", v, v, v))
	}
	few := strings.Join(two, " || ")
	return `ta Flooding {
  shared s0, s1, s2, a0, a1, a2, down, lost;
  parameters n, f;
  assumptions { n > f; f >= 2; }
  locations { v0; v1; v2; w0; w1; w2; d0; d1; d2; crashed; }
  inits { v0 + v1 + v2 == n; w0 + w1 + w2 == 0; d0 + d1 + d2 == 0; crashed == 0; s0 == 0; s1 == 0; s2 == 0; a0 == 0; a1 == 0; a2 == 0; down == 0; lost == 0; }
  rules { ` + strings.Join(rules, "\n") + ` }
  rounds {
    d0 -> v0; d1 -> v1; d2 -> v2;
    throughout down;
    missing lost (v0, v1, v2) n;
    half: after f / 2 + 1: ` + few + `;
    third: after f / 3 + 1: ` + few + `;
  }
  specifications { any: [](s0 >= 0); }
}`
}

// TestAfter: good values are among the rounds after which they are asked for, for the reason that is given; if at most
// one process crashes in a round, two values of three are left, which takes f / 2 + 1 rounds, and not f / 3 + 1.
func TestAfter(t *testing.T) {
	const none, one = "after a round in which no process stops", "after a round in which at most 1 process stops"
	for _, c := range []struct {
		text, spec, because string // a proof; "" where a run violates the specification
		rounds              int    // of that run
	}{
		{flooding, "enough", none, 0}, {flooding, "few", "", 3}, {flooding, "many", none, 0}, {flooding, "most", none, 0}, {flooding, "less", "", 2},
		{flooding3(), "half", one, 0}, {flooding3(), "third", "", 2},
	} {
		a, err := ta.Parse("flooding.ta", c.text)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Decide(context.Background(), a, c.spec, verify.Options{})
		switch {
		case err != nil:
			t.Fatal(err)
		case c.because == "" && (r.Verdict != verify.Violated || r.Witness == nil || r.Rounds != c.rounds):
			t.Errorf("%s: %s (%s), a run of %d rounds: %v", c.spec, r.Verdict, r.Reason, r.Rounds, r.Witness)
		case c.because != "" && r.Verdict != verify.Holds:
			t.Errorf("%s: %s (%s)", c.spec, r.Verdict, r.Reason)
		case !strings.Contains(strings.Join(r.Because, "\n"), c.because):
			t.Errorf("%s: proof: %q", c.spec, r.Because)
		}
	}
}

// TestAfterMutants: mistakes in the automaton are found, or nothing is known.
func TestAfterMutants(t *testing.T) {
	for _, m := range []struct{ old, new string }{
		{"6: w1 -> d0", "6: w1 -> d1"},
		{"when (s0 + s1 + lost >= n && s0 < 1)", "when (s0 + s1 + lost >= n)"},
		{"7: w1 -> d1 when (s0 + s1 + lost >= n && ", "7: w1 -> d1 when ("},
		{"5: w0 -> d0 when (s0 + s1 + lost >= n)", "5: w0 -> d1 when (s0 + s1 + lost >= n)"},
		{"10: d0 -> crashed", "10: d0 -> d1"},
	} {
		text := strings.Replace(flooding, m.old, m.new, 1)
		if text == flooding {
			t.Fatalf("there is no %q", m.old)
		}
		a, err := ta.Parse("flooding.ta", text)
		if err != nil {
			continue // refused
		}
		r, err := Decide(context.Background(), a, "enough", verify.Options{})
		if err != nil {
			t.Fatalf("%s: %v", m.new, err)
		}
		if r.Verdict == verify.Holds {
			t.Errorf("with %q: %s", m.new, r.Verdict)
		}
	}
}

// omission: of n processes f lose what they like, and count for nothing. In good rounds processes wait for n - f messages.
const omission = `ta Omission {
  shared x, x_some;
  parameters n, f;
  assumptions { n > 2 * f; f >= 1; }
  locations { a; b; sent; had; done; not; fa; fsent; fdone; }
  inits { a + b == n - f; fa == f; sent == 0; had == 0; done == 0; not == 0; fsent == 0; fdone == 0; x == 0; x_some == 0; }
  rules {
    1: a -> sent when (true) do { x' == x + 1; x_some' == x_some + 1; };
    2: b -> had when (true) do { x' == x + 1; x_some' == x_some + 1; };
    3: fa -> fsent when (true) do { x_some' == x_some + 1; };
    4: sent -> done when (x_some >= n - f) do { };
    5: sent -> not when (true) do { };
    6: had -> done when (true) do { };
    7: fsent -> fdone when (true) do { };
  }
  rounds {
    done -> b; not -> a; fdone -> fa;
    late 5;
    fair <>[](a == 0 && b == 0 && sent == 0 && had == 0);
    timely <>[](a == 0 && b == 0 && had == 0 && (sent == 0 || x < n - f));
    comes: good_at_last b + done;
    nobody: good_at_last fsent;
  }
  specifications { any: [](x >= 0); }
}`

// TestOmission: processes that do not come to the goal need not come to the end of rounds, and all others do.
func TestOmission(t *testing.T) {
	for _, c := range []struct {
		spec, old, new string
		want           verify.Verdict
	}{
		{"comes", "", "", verify.Holds},
		{"comes", " n - f)", " n - f + 1)", verify.Unknown}, // they wait for ever
		{"comes", "had == 0);", "true);", verify.Unknown},
		{"nobody", "", "", verify.Unknown},
	} {
		a, err := ta.Parse("omission.ta", strings.NewReplacer(cmp.Or(c.old, "?"), c.new).Replace(omission))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Decide(context.Background(), a, c.spec, verify.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != c.want {
			t.Errorf("%s with %q: %s (%s), want %s", c.spec, c.new, r.Verdict, r.Reason, c.want)
		}
	}
}

// turns: the coordinator of a round says 0 or 1, and all believe it; one that is faulty tells some this, some that.
const turns = `ta Turns {
  shared k0, k1;
  parameters n, f, bad;
  assumptions { n > f; f >= 1; bad <= 1; bad <= f; n >= 2; n - 1 >= f - bad; }
  locations { v0; v1; c0; c1; m0; m1; }
  inits { v0 + v1 == n - 1 - f + bad; c0 + c1 == 1 - bad; m0 == 0; m1 == 0; k0 == 0; k1 == 0; }
  rules {
    1: c0 -> m0 when (true) do { k0' == k0 + 1; };
    2: c1 -> m1 when (true) do { k1' == k1 + 1; };
    3: v0 -> m0 when (k0 + bad >= 1) do { };
    4: v0 -> m1 when (k1 + bad >= 1) do { };
    5: v1 -> m0 when (k0 + bad >= 1) do { };
    6: v1 -> m1 when (k1 + bad >= 1) do { };
  }
  rounds {
    m0 -> turn(v0, c0); m1 -> turn(v1, c1);
    coordinator (c0, c1) most f when bad;
    enough: after f + 1: v0 + c0 + m0 == 0 || v1 + c1 + m1 == 0;
    few: after f: v0 + c0 + m0 == 0 || v1 + c1 + m1 == 0;
  }
  specifications { any: [](k0 >= 0); }
}`

// believed: as turns, but who hears neither keeps what it has. How many of the next round make a guard true depends on its coordinator.
var believed = strings.NewReplacer("k0 + bad >= 1", "k0 + k1 >= 1 - bad && k1 < 1", "k1 + bad >= 1", "k0 + k1 >= 1 - bad && k0 < 1").Replace(turns)

// TestTurns: no process can keep a value here when a faulty coordinator comes again, so nothing is proved; where none comes again, it is. Each of two
// mistakes in the prover would prove it.
func TestTurns(t *testing.T) {
	never := strings.Replace(turns, "bad <= f;", "bad <= f; bad == 0;", 1)
	for _, c := range []struct {
		name, text, spec string
		want             verify.Verdict
		make             func(m *machine)
	}{
		{"faulty coordinators come again", turns, "enough", verify.Unknown, nil},
		{"what guards suggest of a round is not of others", believed, "enough", verify.Unknown, nil},
		{"none is faulty", never, "enough", verify.Holds, nil},
		{"after too few", never, "few", verify.Unknown, nil},
		{"mistake: all coordinators are correct", never, "few", verify.Holds, func(m *machine) { m.rs.Leader.Most = ta.Int(0) }},
	} {
		a, err := ta.Parse("turns.ta", c.text)
		if err != nil {
			t.Fatal(err)
		}
		d, err := NewDecider(a)
		if err != nil {
			t.Fatal(err)
		}
		if c.make != nil {
			c.make(d.m)
		}
		r, err := d.Decide(context.Background(), c.spec, verify.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if r.Verdict != c.want {
			t.Errorf("%s: %s (%s), want %s", c.name, r.Verdict, r.Reason, c.want)
		}
	}
}

// led: who hears of the coordinator is done; who gives up waiting begins another round.
const led = `ta Led {
  shared k;
  parameters n, f, bad;
  assumptions { n > f; f >= 1; bad <= 1; bad <= f; n >= 2; n - 1 >= f - bad; }
  locations { v; c; d; e; g; h; }
  inits { v + d == n - 1 - f + bad; c + e == 1 - bad; d == 0; e == 0; g == 0; h == 0; k == 0; }
  rules {
    1: c -> g when (true) do { k' == k + 1; };
    2: e -> g when (true) do { k' == k + 1; };
    3: v -> g when (k + bad >= 1) do { };
    4: v -> h when (true) do { };
    5: d -> g when (true) do { };
  }
  rounds {
    g -> turn(d, e); h -> turn(v, c);
    coordinator (c, e) most f when bad;
    late 4;
    fair <>[](c == 0 && e == 0 && d == 0 && v == 0);
    timely <>[](c == 0 && e == 0 && d == 0 && (v == 0 || k < 1));
    done: good_at_last g + d + e;
  }
  specifications { any: [](k >= 0); }
}`

func TestAtLast(t *testing.T) {
	for _, c := range []struct {
		name, old, new string
		want           verify.Verdict
	}{
		{"as it is", "", "", verify.Holds},
		{"giving up is always possible", "late 4;", "late 5;", verify.Unknown},
		{"nobody has to follow", "(v == 0 || k < 1)", "true", verify.Unknown},
		{"nobody has to give up", "e == 0 && d == 0 && v == 0);", "e == 0 && d == 0 && (v == 0 || k < 1));", verify.Unknown},
		{"the coordinator says nothing", "1: c -> g when (true) do { k' == k + 1; };", "1: c -> g when (true) do { };", verify.Unknown},
	} {
		text := led
		if c.old != "" {
			text = strings.Replace(led, c.old, c.new, 1)
			if text == led {
				t.Fatalf("there is no %q", c.old)
			}
		}
		a, err := ta.Parse("led.ta", text)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		r, err := Decide(context.Background(), a, "done", verify.Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if r.Verdict != c.want {
			t.Errorf("%s: %s (%s), want %s", c.name, r.Verdict, r.Reason, c.want)
		}
	}
}
