package counter

import (
	"slices"

	"github.com/tacheck/tacheck/ta"
)

// Player has processes that take the steps of a run of an automaton. Its errors are *NoRun if no process can.
type Player interface {
	// Begin puts so many processes at each location.
	Begin(counts []int64) error
	// Take lets a process take a move. Before that it receives what the move asks for.
	Take(move int) error
	// Idle reports whether processes that take a move again do nothing more.
	Idle(move int) bool
	// Settle lets processes receive what arrives anyway, before some moves are taken again and again. It reports
	// whether all goes on as it is then for ever.
	Settle(loop []int) (stays bool, err error)
	// State is where the processes have come to, and Length by how many steps.
	State() (key string, length int)
}

// mostPlayed bounds the steps that are played, and mostTurns how often a loop is.
const mostPlayed, mostTurns = 20_000, 50

// TooLong says that there are too many steps to be played.
var TooLong = &NoRun{Text: "the run is too long to be followed with numbers for what is received"}

// Play has processes take the steps of a run of the automaton that some locations and moves are built to. With lasso,
// what the run repeats is played until the processes come back to where they were; the loop begins after so many steps
// then, and is ta.Finite without.
func Play(p Player, run *ta.Run, locations, moves int, lasso bool) (loop int, err error) {
	counts := make([]int64, locations)
	for i := range counts {
		counts[i] = run.Start.Counters[i].Int64()
	}
	if err := p.Begin(counts); err != nil {
		return ta.Finite, err
	}
	begin := len(run.Steps)
	if run.Loop != ta.Finite {
		begin = run.Loop
	}
	take := func(list []ta.Transition) error {
		for _, t := range list {
			if t.Rule >= moves { // not one of processes
				continue
			}
			times := t.Factor.Int64()
			if !t.Factor.IsInt64() || times > mostPlayed {
				return TooLong
			} else if p.Idle(t.Rule) {
				times = 1
			}
			for range times {
				if _, length := p.State(); length > mostPlayed {
					return TooLong
				}
				if err := p.Take(t.Rule); err != nil {
					return err
				}
			}
		}
		return nil
	}
	if err := take(run.Steps[:begin]); err != nil || !lasso || run.Loop == ta.Finite {
		return ta.Finite, err
	}
	var again []int
	for _, t := range run.Steps[begin:] {
		if t.Rule < moves && !slices.Contains(again, t.Rule) {
			again = append(again, t.Rule)
		}
	}
	stays, err := p.Settle(again)
	key, length := p.State()
	if stays || err != nil {
		return length, err
	}
	seen := map[string]int{key: length}
	for range mostTurns {
		if err := take(run.Steps[begin:]); err != nil {
			return ta.Finite, err
		}
		key, length := p.State()
		if at, known := seen[key]; known && at < length {
			return at, nil
		}
		seen[key] = length
	}
	return ta.Finite, &NoRun{Text: "with numbers for what is received, the loop does not come back to where it began"}
}
