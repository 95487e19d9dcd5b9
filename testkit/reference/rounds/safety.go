package rounds

import (
	"math/rand/v2"
	"strings"
)

// A Verdict is what the reference says of a property of an instance; empty if it does not know.
type Verdict string

// Verdicts.
const (
	Holds    Verdict = "holds"
	Violated Verdict = "violated"
)

// A spot is a world, and for each property what a run still has to do to violate it.
type spot struct {
	world world
	rest  []*formula
}

func (s spot) key() string {
	var b strings.Builder
	b.Write(s.world)
	for _, f := range s.rest {
		b.WriteString(f.key)
		b.WriteByte(0)
	}
	return b.String()
}

// A search looks for violations of properties that finite runs violate; the others have no formula.
type search struct {
	in       *Instance
	violated []bool
}

// Safety visits all states of an instance, limit of them at most, and then some more at random. Verdicts are those of the
// properties of the text, in order; they are empty where more states would have to be visited, and of other properties.
func (in *Instance) Safety(limit, walks int, random *rand.Rand) []Verdict {
	s := search{in, make([]bool, len(in.Text.Properties))}
	complete := true
	for _, in.seat = range in.seatings() {
		if !s.visit(limit) {
			complete = false
			s.walk(walks, random)
		}
	}
	var verdicts []Verdict
	for i, p := range in.Text.Properties {
		switch {
		case violation(p) == nil:
			verdicts = append(verdicts, "")
		case s.violated[i]:
			verdicts = append(verdicts, Violated)
		case complete:
			verdicts = append(verdicts, Holds)
		default:
			verdicts = append(verdicts, "")
		}
	}
	return verdicts
}

// begin are the spots in which runs begin.
func (s *search) begin() []spot {
	var spots []spot
	for _, w := range s.in.initial() {
		var rest []*formula
		for _, p := range s.in.Text.Properties {
			f := violation(p)
			if f == nil {
				f = no
			}
			rest = append(rest, f)
		}
		spots = append(spots, s.enter(w, rest))
	}
	return spots
}

// enter goes on to a world.
func (s *search) enter(w world, rest []*formula) spot {
	next := spot{s.in.sorted(w), make([]*formula, len(rest))}
	state := s.in.state(w)
	for i, f := range rest {
		next.rest[i] = f.after(state)
		if next.rest[i] == yes {
			s.violated[i] = true
			next.rest[i] = no
		}
		if s.violated[i] {
			next.rest[i] = no
		}
	}
	return next
}

// visit visits all states, and tells whether they were no more than the limit.
func (s *search) visit(limit int) bool {
	met := map[string]bool{}
	var queue []spot
	add := func(next spot) {
		if key := next.key(); !met[key] && s.open(next) {
			met[key] = true
			queue = append(queue, next)
		}
	}
	for _, next := range s.begin() {
		add(next)
	}
	for i := 0; i < len(queue); i++ {
		if len(queue) > limit {
			return false
		}
		for _, m := range s.in.moves(queue[i].world) {
			for _, to := range m.to {
				add(s.enter(to, queue[i].rest))
			}
		}
		queue[i] = spot{}
	}
	return true
}

// open tells whether something can still be violated.
func (s *search) open(at spot) bool {
	for _, f := range at.rest {
		if f != no {
			return true
		}
	}
	return false
}

// walk takes random runs.
func (s *search) walk(walks int, random *rand.Rand) {
	begin := s.begin()
	for range walks {
		at := begin[random.IntN(len(begin))]
		for range 40 * s.in.stages {
			moves := s.in.moves(at.world)
			if len(moves) == 0 || !s.open(at) {
				break
			}
			to := moves[random.IntN(len(moves))].to
			at = s.enter(to[random.IntN(len(to))], at.rest)
		}
	}
}
