// Measure explores the embedded protocols in many ways and writes
// benchmarks/PROTOCOLS.md: tables of the sources, theirs beside ours. It also proves their invariants.
//
//	go run ./benchmarks/protocols/measure > benchmarks/PROTOCOLS.md
//	go run ./benchmarks/protocols/measure inductions > benchmarks/INDUCTION.md
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"runtime"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interference"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
)

// limit is how long a case may take.
const limit = 5 * time.Minute

// read reads an embedded protocol.
func read(file string, set map[string]int64) *protocol.Model {
	text, ok := benchmarks.Read(file)
	if !ok {
		log.Fatalf("there is no %s", file)
	}
	m, err := instantiate.Read(file, text, set)
	if err != nil {
		log.Fatal(err)
	}
	return m
}

// run explores a protocol; "" stands for what is the same as without it.
func run(file string, set map[string]int64, property string, o machine.Options) *machine.Result {
	m := read(file, set)
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	o.Bounds = explore.Bounds{Jobs: 1, Memory: 12 << 30, States: o.States}
	if o.Partial == "" {
		o.Partial = machine.Unreduced
	}
	r, err := machine.Check(ctx, m, []*protocol.Prop{m.Lookup(property)}, o)
	if err != nil {
		log.Fatalf("%s %v %s: %v", file, set, property, err)
	}
	runtime.GC()
	return r[0]
}

func states(r *machine.Result) string {
	if r.Verdict == machine.Unknown {
		return fmt.Sprintf("more than %d", r.States)
	}
	return fmt.Sprint(r.States)
}

func seconds(r *machine.Result) string { return fmt.Sprintf("%.2f s", r.Time.Seconds()) }

func show(title, text string, header table.Row, rows []table.Row) {
	t := table.NewWriter()
	t.AppendHeader(header)
	t.AppendRows(rows)
	fmt.Printf("## %s\n\n%s\n\n%s\n\n", title, text, t.RenderMarkdown())
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "inductions" {
		inductions()
		return
	}
	fmt.Println("# Protocols: states and times\n\nMade by `make protocols`: one core, one run each. Theirs are from " +
		"the papers, on machines of their time (Xeon, 4 GB, 2009 and 2010). Counts depend on\ndetails of models, so " +
		"ours need not be equal; where the model is the one that is printed, they are (OM(1)).")
	fmt.Println()
	symmetry()
	traffic()
	splits()
	orders()
	together()
	suite()
}

// symmetry is figure 6 of the FTDP paper.
func symmetry() {
	var rows []table.Row
	for _, c := range []struct {
		name, file, property string
		set                  map[string]int64
		theirs               string
		plain                bool
	}{
		{"Paxos m=2 n=3 L=1, safety", "paxos_literal.ftdp", "agreement", nil, "1,591,897 in 268 s / 136,915 in 32 s",
			true},
		{"Paxos, accepted is chosen (wrong)", "paxos_literal.ftdp", "acceptedIsChosen", nil,
			"649,301 in 61 s / 57,677 in 12 s", true},
		{"OM(1), 3 lieutenants", "om1.ftdp", "IC1", nil, "1,797 in 0.1 s / 345 in 0.1 s", true},
		{"OM(1), 4 lieutenants", "om1.ftdp", "IC1", map[string]int64{"n": 4}, "150,417 in 9.6 s / 6,999 in 7.4 s",
			true},
		{"OM(1), 5 lieutenants", "om1.ftdp", "IC1", map[string]int64{"n": 5}, "out of memory / 490,839 in 2 h", false},
		{"OM(1), two traitors, 3 lieutenants", "om1_traitors.ftdp", "IC1", nil, "934 in 0.1 s / 200 in 0.1 s", true},
	} {
		roles := run(c.file, c.set, c.property, machine.Options{Crash: "explicit"})
		none := "not tried"
		if c.plain {
			r := run(c.file, c.set, c.property, machine.Options{Crash: "explicit", Plain: true})
			none = states(r) + " in " + seconds(r)
		}
		rows = append(rows, table.Row{c.name, roles.Verdict, none, states(roles) + " in " + seconds(roles), c.theirs})
	}
	show("Role-based symmetry",
		"Without symmetry, and with role-based symmetry; beside the figures of Bokor, Serafini, Suri, Veith (ICFEM "+
			"2009), figure 6. Their Paxos is not the one that is printed.",
		table.Row{"protocol, property", "verdict", "none", "roles", "theirs: none / roles"}, rows)
}

// traffic is table 1 of the paper on models of message traffic.
func traffic() {
	var rows []table.Row
	for _, c := range []struct {
		name, file, property string
		set                  map[string]int64
		theirs               string
	}{
		{"Paxos n=3, safety", "paxos_literal.ftdp", "agreement", nil,
			"1,754,621 in 15 min / 1,754,621 in 13 min / 135,271 in 24 s"},
		{"Paxos n=3, accepted is chosen (wrong)", "paxos_literal.ftdp", "acceptedIsChosen", nil,
			"468,581 in 2 min / 468,444 in 2 min / 49,290 in 8 s"},
		{"Paxos n=4, safety", "paxos_literal.ftdp", "agreement", map[string]int64{"n": 4},
			"out of memory / out of memory / 775,355 in 4 min"},
		{"Paxos with quorums, agreement", "paxos.ftdp", "agreement", nil, ""},
		{"echo multicast, agreement", "multicast.ftdp", "agreement", map[string]int64{"i": 1}, ""},
		{"storage, regularity", "storage.ftdp", "regularity", nil, ""},
	} {
		var cells []string
		var of []*machine.Result
		for _, t := range []interp.Traffic{interp.Generalized, interp.Reference, interp.Direct} {
			if c.set["n"] == 4 && t != interp.Direct {
				cells = append(cells, "not tried")
				of = append(of, nil)
				continue
			}
			r := run(c.file, c.set, c.property, machine.Options{Traffic: t})
			cells, of = append(cells, states(r)+" in "+seconds(r)), append(of, r)
		}
		ratio := ""
		if of[1] != nil && of[1].Verdict != machine.Unknown {
			ratio = fmt.Sprintf("%.1f", float64(of[1].States)/float64(of[2].States))
		}
		rows = append(rows, table.Row{c.name, of[2].Verdict, cells[0], cells[1], cells[2], ratio, c.theirs})
	}
	show("Models of message traffic",
		"With symmetry, crashes as by default; beside Bokor, Serafini, Suri (FORTE 2010), table 1, whose M-MP, MP "+
			"and M are called GRM, RM and M here.",
		table.Row{"protocol, property", "verdict", "GRM", "RM", "M", "RM / M", "theirs: GRM / RM / M"}, rows)
}

func both(r *machine.Result) string { return states(r) + " in " + seconds(r) }

func ratio(a, b *machine.Result) string {
	if a.Verdict == machine.Unknown {
		return fmt.Sprintf("> %.1f", float64(a.States)/float64(b.States))
	}
	return fmt.Sprintf("%.1f", float64(a.States)/float64(b.States))
}

// instance is a protocol of the tables on partial orders.
type instance struct {
	name, file, property string
	set                  map[string]int64
}

var instances = []instance{
	{"Paxos (2,3,1)", "paxos.ftdp", "agreement", nil},
	{"Paxos (2,3,1), drained", "paxos_drained.ftdp", "agreement", nil},
	{"Paxos (2,3,1), not comparing values (wrong)", "paxos_learner.ftdp", "agreement", nil},
	{"Echo Multicast (3,0,1,1), drained", "multicast_drained.ftdp", "agreement",
		map[string]int64{"h": 3, "b": 1, "i": 1}},
	{"Echo Multicast (4,1,1,0), drained", "multicast_drained.ftdp", "agreement",
		map[string]int64{"h": 4, "b": 1, "i": 1, "traitor": 0}},
	{"Echo Multicast (3,1,1,1), drained", "multicast_drained.ftdp", "agreement",
		map[string]int64{"h": 3, "b": 1, "i": 2}},
	{"Echo Multicast (2,1,2,1) (wrong)", "multicast.ftdp", "agreement", map[string]int64{"b": 2}},
	{"Regular storage (3,1), drained", "storage_drained.ftdp", "regularity", nil},
	{"Regular storage (3,2), one write, drained", "storage_drained.ftdp", "regularity",
		map[string]int64{"r": 2, "w": 1}},
	{"Regular storage (3,3), one write, drained", "storage_drained.ftdp", "regularity",
		map[string]int64{"r": 3, "w": 1}},
	{"Regular storage (5,1), one write, drained", "storage_drained.ftdp", "regularity",
		map[string]int64{"n": 5, "w": 1}},
	{"Regular storage (3,1), the last write only (wrong)", "storage_drained.ftdp", "lastOnly", nil},
}

// splits is table 3.3 of the thesis.
func splits() {
	theirs := map[string]string{
		"Paxos (2,3,1), drained":                      "2,822,764 / 1,826,560 / 1,087,486 / 548,061 in 3.5 h",
		"Paxos (2,3,1), not comparing values (wrong)": "279 / 279 / 105 / 105 in 8 s",
		"Echo Multicast (3,0,1,1), drained":           "652 / 232 / 652 / 232 in 12 s",
		"Echo Multicast (3,1,1,1), drained": "12,023,663 / 7,600,843 / > 10,472,557 / 7,087,193 in " +
			"42 h",
		"Echo Multicast (2,1,2,1) (wrong)":                   "48 / 48 / 48 / 48 in 9 s",
		"Regular storage (3,1), drained":                     "20,039 / 18,451 / 18,451 / 18,451 in 4.5 min",
		"Regular storage (3,2), one write, drained":          "",
		"Regular storage (3,1), the last write only (wrong)": "",
	}
	var rows []table.Row
	for _, c := range instances {
		of, known := theirs[c.name]
		if !known {
			continue
		}
		row := table.Row{c.name}
		verdict := ""
		for _, split := range []interference.Split{interference.None, interference.Quorum, interference.Reply,
			interference.Combined} {
			r := run(c.file, c.set, c.property, machine.Options{Plain: true, Partial: machine.LPORNet, Split: split})
			row, verdict = append(row, both(r)), string(r.Verdict)
		}
		rows = append(rows, append(row, verdict, of))
	}
	show("Splits",
		"Rules divided by whom they receive from, with partial orders (lpor-net) and no symmetry; beside Bokor's "+
			"thesis, table 3.3 (combined with its time).",
		table.Row{"protocol", "none", "quorum", "reply", "combined", "verdict",
			"theirs: none / quorum / reply / combined"}, rows)
}

// orders is table I of the paper on LPOR, and 4.1 of the thesis.
func orders() {
	theirs := map[string]string{
		"Paxos (2,3,1), drained": "> 38,000,000 in > 192 h / 3,305,752 in 23 h / " +
			"1,130,234 in 7 h / 548,061 in 3.3 h",
		"Paxos (2,3,1), not comparing values (wrong)": "238,790 / 2,028 / 3,489 / 3,415",
		"Echo Multicast (4,1,1,0), drained": "102,058 in 28 min / 183,265 in 45 min / 94,186 in 26 " +
			"min / 12,494 in 3.6 min",
		"Regular storage (3,1), drained": "287,638 in 47 min / 27,763 in 7 min / 18,451 in 4.5 " +
			"min / 18,451 in 4.6 min",
		"Regular storage (3,1), the last write only (wrong)": "7,619 / 2,344 / 3,497 / 3,497",
	}
	var rows []table.Row
	for _, c := range instances {
		with := func(partial string, states int64) *machine.Result {
			o := machine.Options{Plain: true, Partial: partial}
			o.States = states
			return run(c.file, c.set, c.property, o)
		}
		none, lpor, net, dynamic := with(machine.Unreduced, 0), with(machine.LPOR, 0), with(machine.LPORNet, 0),
			with(machine.DPOR, 300_000)
		per := func(r *machine.Result) float64 { return r.Time.Seconds() / float64(r.States) }
		slower := ""
		if none.States > 10_000 && net.States > 1_000 {
			slower = fmt.Sprintf("%.1f", per(net)/per(none))
		}
		rows = append(rows, table.Row{c.name, net.Verdict, both(none), both(dynamic), both(lpor), both(net),
			ratio(none, net), ratio(lpor, net), slower, theirs[c.name]})
	}
	show("Partial orders",
		"Without symmetry, combined split, beside Bokor, Kinder, Serafini, Suri (ASE 2011), table I. Dynamic "+
			"reduction (DPOR) remembers no states, counts them again and again, and was stopped after 300,000. "+
			"Time for a state is relative to that without reduction. Reductions depend on the size of a model. "+
			"Two are weaker than theirs. In storage (3,1) every write and the read come in some order at each "+
			"base object, and each order is another run. For Paxos, lpor knows as well what guards say of growing"+
			" numbers.",
		table.Row{"protocol", "verdict", "none", "dpor", "lpor", "lpor-net", "none / lpor-net", "lpor / lpor-net",
			"time for a state", "theirs: none / DPOR / LPOR / LPOR + NET"}, rows)
}

// together is symmetry and partial orders, one without the other and both.
func together() {
	why := map[string]string{
		"paxos.ftdp": "which quorum a proposer or a learner uses stays open in what is left in channels: " +
			"states without steps, which all have to be kept",
		"paxos_drained.ftdp": "what comes late is in no way, and majorities are the same up to permutation",
		"paxos_literal.ftdp": "messages may be lost, and channels may be full: nearly everything gets in each " +
			"other's way",
		"paxos_accepting.ftdp": "the search ends at a counterexample, which is deep, so most of the space is seen " +
			"by then",
		"paxos_learner.ftdp": "a counterexample is near, and before it hardly anything is independent",
		"paxos_lowest.ftdp":  "the same, deeper",
		"multicast.ftdp":     "receivers work independently of each other; what one confirms gets in nobody's way",
		"om1_traitors.ftdp":  "a counterexample is near, and traitors may do everything everywhere",
		"storage.ftdp": "a majority is received at once, and what is left stays in channels: states " +
			"without steps, which all have to be kept",
		"multicast_drained.ftdp": "receivers work independently of each other, and are many and alike",
		"storage_drained.ftdp": "at each base object a write and a read come in some order, which matters; which " +
			"object is which does not",
		"rb.ftdp":  "each receipt may be the one that makes a threshold",
		"om1.ftdp": "a traitor sends anything at any time, and who was told what decides",
	}
	var rows []table.Row
	for _, c := range []instance{
		{"", "paxos.ftdp", "agreement", nil}, {"", "paxos_drained.ftdp", "agreement", nil},
		{"", "paxos_literal.ftdp", "agreement", nil}, {"", "paxos_accepting.ftdp", "agreement", nil},
		{"", "paxos_learner.ftdp", "agreement", nil}, {"", "paxos_lowest.ftdp", "agreement", nil},
		{"", "multicast.ftdp", "agreement", nil}, {"", "om1_traitors.ftdp", "IC1", nil},
		{"", "storage.ftdp", "regularity", map[string]int64{"r": 2}},
		{"", "multicast_drained.ftdp", "agreement", map[string]int64{"h": 3, "b": 1, "i": 2}},
		{"", "storage_drained.ftdp", "regularity", map[string]int64{"r": 3, "w": 1}},
		{"", "rb.ftdp", "unforgeability", nil}, {"", "om1.ftdp", "IC1", map[string]int64{"n": 4}},
	} {
		with := func(partial string, plain bool) *machine.Result {
			return run(c.file, c.set, c.property, machine.Options{Plain: plain, Partial: partial})
		}
		none, sym, por, all := with(machine.Unreduced, true), with(machine.Unreduced, false),
			with(machine.LPORNet, true), with(machine.LPORNet, false)
		rows = append(rows, table.Row{c.file, c.property, none.Verdict, both(none), both(sym), both(por), both(all),
			why[c.file]})
	}
	show("Symmetry and partial orders together", "Neither, each alone, and both at once.",
		table.Row{"protocol", "property", "verdict", "neither", "symmetry", "partial orders", "both", "why"}, rows)
}

// suite is everything that has an expected verdict.
func suite() {
	var rows []table.Row
	for _, e := range benchmarks.ExpectedProtocols() {
		m := read(e.File, e.Set)
		roles := run(e.File, e.Set, e.Property, machine.Options{Crash: "explicit"})
		plain := run(e.File, e.Set, e.Property, machine.Options{Crash: "explicit", Plain: true})
		loose := run(e.File, e.Set, e.Property, machine.Options{Crash: "implicit"})
		if roles.Verdict != e.Verdict || plain.Verdict != e.Verdict || loose.Verdict != e.Verdict {
			log.Fatalf("%+v: %s, %s, %s", e, roles.Verdict, plain.Verdict, loose.Verdict)
		}
		depth := ""
		if e.Verdict == machine.Violated {
			depth = fmt.Sprint(roles.Depth)
		}
		rows = append(rows, table.Row{e.File, m.Assignments(), e.Property, e.Verdict, depth, states(plain),
			states(roles), states(loose), seconds(roles), e.Why})
	}
	show("The suite",
		"Every property of the embedded protocols, with its expected verdict; states without and with symmetry "+
			"(crashes explicit), and with crashes left implicit; steps of the shortest counterexample.",
		table.Row{"protocol", "constants", "property", "verdict", "steps", "none", "roles", "roles, implicit", "time",
			"why"}, rows)
}
