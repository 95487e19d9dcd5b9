package protocol_test

import (
	"context"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/protocol/story"
)

// TestStories: what stories say of small texts, line by line, and what they do not say.
func TestStories(t *testing.T) {
	head := "type N: role[2]; message A, B; var node: array[N] of record x: bool = false; y: bool = false; ready: bool = false; end;\n"
	for _, c := range []struct{ name, text, says, not string }{
		{"else", `type P: role[1]; var p: array[P] of record x: 0..3 = 0; b: bool = false; end;
			rules [](i: P) go: if p[i].b then p[i].x := 1; else p[i].x := 2; endif invariant v: forall (i: P) p[i].x != 2;`, "since not p[1].b", ""},
		{"value that is chosen", `type P: role[1]; var p: array[P] of record x: 0..3 = 0; b: bool = false; end; z: 1..2 = 1;
			rules [](i: P) go: p[i].x := if p[i].b then 1 else 2; define y(i: P) = if p[i].b then 1 else 2; invariant v: p[z].x < y(z);`, "p[z].x < y(z) is false", ""},
		{"another if of the same shape", `type N: role[2]; message M(term: 0..2, commit: 0..2);
			var node: array[N] of record term: 0..2 = 2; commit: 0..2 = 0; other: bool = false; done: bool = false; end;
			rules [](i: N) go: if not node[i].done then node[i].done := true; send M(2, 1) to others; endif
			[] [](i: N) get: receive M(t, commit) from j
			if t >= node[i].term then if t > node[i].term then node[i].other := true; endif if commit > node[i].commit then node[i].commit := commit; endif endif
			invariant no: forall (i: N) node[i].commit = 0;`, ".commit = 0", ".term = 0"},
		{"what is sent to others is no condition", `type P: role[2]; message A; var p: array[P] of record x: 0..2 = 0; b: bool = false; end;
			rules [](i: P) go: if p[i].x = 0 then if p[i].b then p[i].x := 1; else p[i].x := 2; send A to others; endif endif
			invariant v: forall (i: P) p[i].x != 2;`, "since p[1].x = 0, not p[1].b", ""},
		{"definition that is a quantifier", `type P: role[2]; var p: array[P] of record r: bool = false; end;
			rules [](i: P) go: if not p[i].r then p[i].r := true; endif
			define done = forall (k: P) p[k].r; invariant x: not done;`, "done is true (for k = 1 and 2: p[k].r)", ""},
		{"definition with a bound variable of the name of its argument", `type P: role[2]; var p: array[P] of record r: bool = false; end;
			rules [](i: P) go: if not p[i].r then p[i].r := true; endif
			define same(j: P) = forall (k: P) p[k].r = p[j].r; invariant x: forall (k: P) (not p[k].r or not same(k));`, "broken", "p[k].r = p[k].r"},
		{"what is counted twice over", `type P: role[2]; var p: array[P] of record r: bool = true; end; a: bool = false; b: bool = false; z: bool = false;
			rules [](i: P) first: if not a then p[2].r := false; a := true; endif [](i: P) then_: if a then b := true; endif
			[](i: P) stop: if b and 2 * size({k: P | p[k].r}) > 1 then z := true; endif invariant v: not z;`, "= 2 (p 1), by step 2; then z becomes true", ""},
		{"what could have changed", `type P: role[1]; var p: array[P] of record a: 0..2 = 0; b: 0..2 = 0; end; again: bool = false; z: bool = false;
			rules [](i: P) go: if p[i].a < 2 then p[i].a := p[i].a + 1; if again then p[i].b := p[i].a; endif endif
			[](i: P) stop: if p[i].a = 2 and p[i].b = 0 then z := true; endif invariant v: not z;`, "p[1].b stays 0", ""},
		{"why it becomes so", `type P: role[2]; var p: array[P] of record v: 0..3 = 0; end; clash: bool = false;
			rules [](i: P) go: if p[i].v = 0 then clash := exists (k: P) p[k].v = 2; p[i].v := 2; endif invariant v: not clash;`,
			"clash becomes true, since p[1].v = 2", ""},
		{"what of values decides", `type P: role[2]; var p: array[P] of record v, w: 0..1; end;
			init [] go: p[1].v := 0; p[1].w := 0; p[2].v := 1; p[2].w := 1;
			rules [](i: P) idle: if false then p[i].v := 0; endif
			invariant x: exists (k: P) exists (b: 0..1) not isundefined(p[k].v) and p[k].v = b and (if b = 0 then p[k].w else p[k].v) != b;`,
			"(p[1].w = 0, p[1].v = 0, p[2].v = 1)", "isundefined(p[1].v),"},
		{"a restart is a fault", `type P: role[1]; var p: array[P] of record a: bool = false; stable b: bool = false; end;
			rules [](i: P) go: if not p[i].a and not p[i].b then p[i].a := true; p[i].b := true; endif recovery P;
			invariant v: forall (i: P) p[i].b -> p[i].a;`, "fault step 2: p: restart", ""},
		{"whoever is faulty is counted", `type N: role[3]; var n: array[N] of record v: bool = false; d: bool = false; end;
			init [](F: quorum[1] of N) go: for k: N do if k in F then n[k].status := byz; endif endfor
			rules [](i: N) vote: if not n[i].v then n[i].v := true; endif
			[](i: N) decide: if size({k: N | n[k].status = byz or n[k].v}) >= 2 then n[i].d := true; endif
			invariant x: forall (i: N) n[i].status = corr -> not n[i].d;`, "which is faulty, is counted in step 2", ""},
		{"parameters", `type N: role[2]; var node: array[N] of record open: bool = false; done: bool = false; end;
			rules [](k: N) [](z: 0..0) [](i: N) finish: if k != i and node[k].open and not node[i].done then node[i].done := true; endif
			ltl live fair: forall (i: N) F node[i].done;`, "finish is not possible: not node[2].open", "not node[1].open"},
		{"guard", "channels asynchronous reliable authenticated fifo bounded 1;" + head + `rules [](i: N) s: if not node[i].x then send A to others; node[i].x := true; endif
			[] [](i: N) g: receive A from j if node[i].ready then node[i].y := true; endif
			ltl l fair: F exists (i: N) node[i].y;`, "g is not possible with A from node 2: not node[1].ready", "never comes"},
		{"guard of what is received, too", `channels asynchronous reliable authenticated fifo bounded 1; type N: role[2]; message A(v: 0..1);
			var node: array[N] of record x: bool = false; y: bool = false; ready: bool = false; end;
			rules [](i: N) s: if not node[i].x then send A(1) to others; node[i].x := true; endif
			[] [](i: N) g: receive A(v) from j if v = 1 and node[i].ready then node[i].y := true; endif
			ltl l fair: F exists (i: N) node[i].y;`, ": not node[1].ready", "never comes"},
		{"room", "channels asynchronous reliable authenticated fifo bounded 1;" + head + `rules [](i: N) s: if not node[i].x then send A to others; node[i].x := true; endif
			[] [](i: N) g: receive A from j if not node[i].y then node[i].y := true; send A to sender; endif
			ltl l fair: F exists (i: N) node[i].y;`, "there is no room for what it sends to node 2, which has not received A", "never comes"},
		{"behind another", "channels asynchronous reliable authenticated fifo bounded 2;" + head + `rules [](i: N) s: if not node[i].x then send B to others; send A to others; node[i].x := true; endif
			[] [](i: N) g: receive A from j node[i].y := true;
			ltl l fair: F exists (i: N) node[i].y;`, "A from node 2 comes behind B", "never comes"},
		{"nobody sends it", head + `rules [](i: N) g: receive A from j node[i].y := true;
			ltl l fair: F exists (i: N) node[i].y;`, "g waits for a message that never comes", ""},
		{"voluntary", head + `rules [](i: N) maybe g: if not node[i].y then node[i].y := true; endif
			ltl l fair: F exists (i: N) node[i].y;`, "g is always possible", "now and then"},
	} {
		m, err := instantiate.Read("p.ftdp", c.text, nil)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		list, err := machine.Check(context.Background(), m, []*protocol.Prop{&m.Props[0]}, machine.Options{Bounds: explore.Bounds{Jobs: 1}})
		if err != nil || list[0].Run == nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		why, err := story.Explain(list[0].Run)
		said := ""
		for _, line := range why {
			said += string(line.Kind) + " " + line.Text + "\n"
		}
		if err != nil || !strings.Contains(said, c.says) || c.not != "" && strings.Contains(said, c.not) {
			t.Errorf("%s (%v): there should be %q, and not %q, in\n%s", c.name, err, c.says, c.not, said)
		}
	}
}

// TestSendsInOrder: messages of a step are told in the order in which they are sent, whether they are letters or written part by part.
func TestSendsInOrder(t *testing.T) {
	for sends, want := range map[string]string{
		"send A to others; send B to all;": "A to node 2 | B to node 1 and 2",
		"send B to all; send A to others;": "B to node 1 and 2 | A to node 2",
		"send A to other; send B to me;":   "A to node 2 | B to node 1",
		"send B to me; send A to other;":   "B to node 1 | A to node 2",
	} {
		sends = strings.NewReplacer("other;", "o;", "me;", "i;").Replace(sends)
		m, err := instantiate.Read("p.ftdp", `protocol p; channels asynchronous reliable authenticated unordered bounded 2; type N: role[2]; message A, B;
			var node: array[N] of record x: bool = false; end; rules [](o: N) [](z: 0..0) [](i: N) s: if not node[i].x and i = 1 and o = 2 then `+sends+` node[i].x := true; endif`, nil)
		if err != nil {
			t.Fatal(err)
		}
		run := &interp.Run{Model: m, Loop: -1}
		for range 2 {
			if ok, err := run.Extend(func(s interp.Successor) bool { return true }); err != nil || !ok {
				t.Fatal(err)
			}
		}
		if got := strings.Join(story.Told(run).Events[0].Sends, " | "); strings.NewReplacer("(kind=", "", ")", "").Replace(got) != want {
			t.Errorf("%s is told as %s", sends, got)
		}
	}
}
