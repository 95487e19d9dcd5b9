package trace

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/trace/reading"
)

// BenchmarkIntervals explains 10,000 events that have intervals, in no order of lines, of processes that tell each other what
// they have: intervals are as long as so many events take; those of one process overlap, or it does one thing at a time.
func BenchmarkIntervals(b *testing.B) {
	for _, size := range []struct {
		processes, overlap int
		threads            bool
	}{{3, 3, false}, {5, 10, false}, {20, 10, false}, {20, 60, false}, {3, 1, true}, {3, 2, true}} {
		name := fmt.Sprintf("processes-%d/overlap-%d/threads-%v", size.processes, size.overlap, size.threads)
		b.Run(name, func(b *testing.B) {
			text, err := ftdp.Parse("register.ftdp", strings.Replace(register, "role[2]",
				fmt.Sprintf("role[%d]", size.processes), 1))
			if err != nil {
				b.Fatal(err)
			}
			r, err := reading.Parse("register.reading", "clock from $b to $d;\n"+registered)
			if err != nil {
				b.Fatal(err)
			}
			log := overlapping(10_000, size.processes, size.overlap, size.threads)
			for b.Loop() {
				out, err := Check(context.Background(), text, r, []Source{Bytes("log", []byte(log))}, How{})
				if err != nil || out.Verdict != Explained {
					b.Fatal(err, out.Verdict, out.Reason)
				}
				b.ReportMetric(float64(out.Result.States), "places")
			}
		})
	}
}

// overlapping is the log of a random run.
func overlapping(events, processes, overlap int, threads bool) string {
	r := rand.New(rand.NewPCG(1, 1))
	x := make([]int, processes)
	sent := map[[2]int][]int{}
	var lines []string
	began, texts := make([]int, events), make([]string, events)
	last := make([]int, processes) // the event before
	for p := range last {
		last[p] = -1
	}
	write := func(i, ended int) {
		lines = append(lines, fmt.Sprintf(`{%s,"b":%d,"d":%d}`, texts[i], began[i], ended))
	}
	ends := func(i, before int) int { return 100*i + r.IntN(max(1, min(100*overlap, before-100*i))) }
	for i := range events {
		me, from := r.IntN(processes), r.IntN(processes)
		e := "see"
		switch c := sent[[2]int{from, me}]; {
		case r.IntN(4) == 0:
			e, x[me] = "put", r.IntN(10)
		case r.IntN(3) == 0:
			room := true
			for to := range processes {
				room = room && (to == me || len(sent[[2]int{me, to}]) < 4)
			}
			for to := range processes {
				if room && to != me {
					e, sent[[2]int{me, to}] = "tell", append(sent[[2]int{me, to}], x[me])
				}
			}
		case len(c) > 0:
			k := r.IntN(len(c))
			e, x[me] = "hear", c[k]
			sent[[2]int{from, me}] = append(c[:k:k], c[k+1:]...)
		}
		texts[i] = fmt.Sprintf(`"e":%q,"at":"n%d","from":"n%d","v":%d`, e, me, from, x[me])
		earliest := 100*i - 100*overlap
		if k := last[me]; k >= 0 && !threads { // it has ended before this one begins
			end := ends(k, 100*i)
			write(k, end)
			earliest = max(earliest, end+1)
		}
		began[i] = earliest + r.IntN(100*i-earliest+1)
		if last[me] = i; threads {
			write(i, ends(i, 100*events*2))
		}
	}
	for _, k := range last {
		if k >= 0 && !threads {
			write(k, 100*k)
		}
	}
	r.Shuffle(len(lines), func(i, k int) { lines[i], lines[k] = lines[k], lines[i] })
	return strings.Join(lines, "\n")
}
