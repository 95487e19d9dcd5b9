package induct

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/smt/z3"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestToldForSizes proves texts that need what was told to whom: that two messages of a process go to one, and that a quorum has told a
// process, or the sender of a message, what this rests on, Paxos with two proposers and voting in ballots among them; and one whose small instances have to be looked at for long. With one mistake, none
// is proved.
func TestToldForSizes(t *testing.T) {
	for i, c := range []struct {
		file, old, new string
		want           verdict.Verdict
		says           string // some lemma
		slow           bool
	}{
		{"grants", "", "", machine.Holds, "or j = k", false},
		{"grants", "number > server[i].last", "number >= server[i].last", machine.Violated, "", false},
		{"election", "", "", machine.Holds, "exists (y: sent(k, i)) y.kind = VOTE) >= n / 2 + 1", false},
		{"terms", "", "", machine.Holds, "y.term = node[i].term) >= n / 2", true},
		{"election", "n / 2 + 1", "(n + 1) / 2", machine.Violated, "", false},
		{"election", "voter[i].voted := true", "voter[i].voted := false", machine.Violated, "", false},
		{"multicast", "", "", machine.Holds, "exists (y: sent(k, i)) y.kind = SIGNED and y.b = x.b) >= q", true},
		{"multicast", "(n + t) / 2 + 1", "(n + t) / 2", machine.Violated, "", false},
		{"multicast", "if isundefined(receiver[i].signed) then", "if isundefined(receiver[i].delivered) then", machine.Violated, "", false},
		{"duel", "", "", machine.Holds, "count (k: acceptorID)", true},
		{"duel", "b >= acceptor[a].ballot", "true", machine.Violated, "", false},
		{"duel", "n / 2 + 1", "(n + 1) / 2", machine.Violated, "", false},
		{"tables", "", "", machine.Holds, "voter[k].now <= c or voter[k].voted[c]", true},
		{"tables", "and b >= voter[i].now", "", machine.Violated, "", false},
		{"tables", "c < d and d < b", "c < d and d < b - 1", machine.Violated, "", false},
		{"token", "", "", machine.Holds, "", false}, // a global variable beside processes that may be Byzantine
		{"sides", "", "", machine.Holds, " in counter[i].for_it)", false},
		{"sides", "> n + t then", "> n - t then", machine.Violated, "", false},
		{"../first/const_index", "", "", machine.Holds, "", true},
		{"../first/firewall", "", "", machine.Holds, "exists (k_: nodeID) node[k_].inside and node[k_].sent[i]", false},
		{"../first/naive_consensus", "", "", machine.Holds, "", false},
		{"../first/sharded_kv_const", "", "", machine.Holds, "", false},
		{"named", "", "", machine.Holds, "p[chief].val", false},
		{"named", ".by) = n", ".by) >= n - 1", machine.Violated, "", false},
		{"kinds", "", "", machine.Holds, "x.kind = TELL", false},
		{"kinds", ".val := v;", ".val := v - 1;", machine.Violated, "", false},
		{"uniform", "", "", machine.Holds, "or i < j", true},
		{"uniform", "(forall (k: nodeID) k in node[i].seen -> k <= j)", "not (j in node[i].seen)", machine.Violated, "", false},
	} {
		if c.slow && need.Every(t, 2) > 1 || i%need.Every(t, 1) > 0 {
			continue
		}
		file := "testdata/told/" + c.file + ".ftdp"
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		if c.old != "" {
			if !strings.Contains(text, c.old) {
				t.Fatalf("%s: nothing was changed", c.file)
			}
			text = strings.ReplaceAll(text, c.old, c.new)
		}
		m, err := instantiate.Read(file, text, nil)
		if err != nil {
			t.Fatal(err)
		}
		r, err := EverySize(context.Background(), m, &m.Props[0], Options{Solver: z3.New})
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, l := range r.Lemmas {
			said += l.Name + "\n"
		}
		if r.Verdict != c.want || !strings.Contains(said, c.says) {
			t.Errorf("%s with %q: %s, %s, by\n%s", c.file, c.new, r.Verdict, r.Failing, said)
		}
	}
}

// TestOpen stops work as soon as it is told what is open: the result says that, too.
func TestOpen(t *testing.T) {
	m := fromFile(t, "testdata/first/firewall.ftdp")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var told ForSizes
	r, err := EverySize(ctx, m, m.Lookup("safe"), Options{Solver: z3.New, Open: func(known ForSizes) {
		if told = known; known.Before != nil {
			stop()
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != machine.Unknown || told.Failing == "" || r.Failing != told.Failing || r.Before == nil {
		t.Errorf("%s, open is %q, and was %q: %q", r.Verdict, r.Failing, told.Failing, r.Before)
	}
	if late := Unanswered(m, m.Lookup("safe"), Options{}, &told, "timeout", 0); told.Explored+told.Partly == 0 ||
		late.Explored != told.Explored || late.Partly != told.Partly || late.Failing != told.Failing {
		t.Errorf("%d and %d instances, and %d and %d are told", told.Explored, told.Partly, late.Explored, late.Partly)
	}
}
