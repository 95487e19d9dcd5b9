// Measure explores the embedded protocols in many ways and writes
// benchmarks/PROTOCOLS.md: tables of the sources, theirs beside ours.
//
//	go run ./benchmarks/protocols/measure > benchmarks/PROTOCOLS.md
package main

import (
	"context"
	"fmt"
	"log"
	"runtime"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"

	"tacheck/benchmarks"
	"tacheck/explore"
	"tacheck/protocol"
	"tacheck/protocol/machine"
)

// limit is how long a case may take.
const limit = 5 * time.Minute

// run explores a protocol; "" stands for what is the same as without it.
func run(file string, set map[string]int64, property string, o machine.Options) *machine.Result {
	text, ok := benchmarks.Read(file)
	if !ok {
		log.Fatalf("there is no %s", file)
	}
	m, err := protocol.Read(file, text, set)
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := context.WithTimeout(context.Background(), limit)
	defer stop()
	o.Bounds = explore.Bounds{Jobs: 1, Memory: 12 << 30}
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
	fmt.Println("# Protocols: states and times\n\nMade by `make protocols`: one core, one run each. Theirs are from the papers, on machines of their time (Xeon, 4 GB, 2009 and 2010). Counts depend on\ndetails of models, so ours need not be equal; where the model is the one that is printed, they are (OM(1)).")
	fmt.Println()
	symmetry()
	traffic()
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
		{"Paxos m=2 n=3 L=1, safety", "paxos_literal.ftdp", "agreement", nil, "1,591,897 in 268 s / 136,915 in 32 s", true},
		{"Paxos, accepted is chosen (wrong)", "paxos_literal.ftdp", "acceptedIsChosen", nil, "649,301 in 61 s / 57,677 in 12 s", true},
		{"OM(1), 3 lieutenants", "om1.ftdp", "IC1", nil, "1,797 in 0.1 s / 345 in 0.1 s", true},
		{"OM(1), 4 lieutenants", "om1.ftdp", "IC1", map[string]int64{"n": 4}, "150,417 in 9.6 s / 6,999 in 7.4 s", true},
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
	show("Role-based symmetry", "Without symmetry, and with role-based symmetry; beside the figures of Bokor, Serafini, Suri, Veith (ICFEM 2009), figure 6. Their Paxos is not the one that is printed.",
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
		{"Paxos n=3, safety", "paxos_literal.ftdp", "agreement", nil, "1,754,621 in 15 min / 1,754,621 in 13 min / 135,271 in 24 s"},
		{"Paxos n=3, accepted is chosen (wrong)", "paxos_literal.ftdp", "acceptedIsChosen", nil, "468,581 in 2 min / 468,444 in 2 min / 49,290 in 8 s"},
		{"Paxos n=4, safety", "paxos_literal.ftdp", "agreement", map[string]int64{"n": 4}, "out of memory / out of memory / 775,355 in 4 min"},
		{"Paxos with quorums, agreement", "paxos.ftdp", "agreement", nil, ""},
		{"echo multicast, agreement", "multicast.ftdp", "agreement", map[string]int64{"i": 1}, ""},
		{"storage, regularity", "storage.ftdp", "regularity", nil, ""},
	} {
		var cells []string
		var of []*machine.Result
		for _, t := range []protocol.Traffic{protocol.Generalized, protocol.Reference, protocol.Direct} {
			if c.set["n"] == 4 && t != protocol.Direct {
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
	show("Models of message traffic", "With symmetry, crashes as by default; beside Bokor, Serafini, Suri (FORTE 2010), table 1, whose M-MP, MP and M are called GRM, RM and M here.",
		table.Row{"protocol, property", "verdict", "GRM", "RM", "M", "RM / M", "theirs: GRM / RM / M"}, rows)
}

// suite is everything that has an expected verdict.
func suite() {
	var rows []table.Row
	for _, e := range benchmarks.ExpectedProtocols() {
		text, _ := benchmarks.Read(e.File)
		m, err := protocol.Read(e.File, text, e.Set)
		if err != nil {
			log.Fatal(err)
		}
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
		rows = append(rows, table.Row{e.File, m.Assignments(), e.Property, e.Verdict, depth, states(plain), states(roles), states(loose), seconds(roles), e.Why})
	}
	show("The suite", "Every property of the embedded protocols, with its expected verdict; states without and with symmetry (crashes explicit), and with crashes left implicit; steps of the shortest counterexample.",
		table.Row{"protocol", "constants", "property", "verdict", "steps", "none", "roles", "roles, implicit", "time", "why"}, rows)
}
