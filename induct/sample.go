package induct

import (
	"context"
	"maps"
	"math/rand/v2"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/boolean"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/internal/rows"
	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/encode"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/protocol/machine"
)

// sampleKept is how many states of an instance refute candidates, evenly chosen among
// those that are visited. Nothing rests on them.
var sampleKept = 2_000

// sampleWalks is how many random runs of the instance itself there are.
var sampleWalks = 30

// More sizes of samples.
const (
	sampleStates  = 20_000 // visited in an instance
	sampleRows    = 40_000 // for a choice of roles
	sampleSteps   = 80
	smallInstance = 3 // at most so many instances that are smaller
)

// samples are states that can be reached, as what the atoms of a vocabulary say of them.
type samples struct {
	v      *vocabulary
	states []sampled
	rows   map[string]*rows.Table // of what atoms say of choices of processes
	small  []string               // names of the smaller instances
	total  int
	most   int  // rows; sampleRows if 0
	whole  bool // they are all that there are
}

type sampled struct {
	v      *vocabulary
	states []encode.Assignment
}

func collect(ctx context.Context, v *vocabulary) (*samples, error) {
	s := &samples{v: v, rows: map[string]*rows.Table{}}
	m := v.x.Model
	add := func(v *vocabulary, list []*protocol.State) {
		states := lists.Map(list, func(st *protocol.State) encode.Assignment { return v.x.Assign(st) })
		s.states = append(s.states, sampled{v, states})
		s.total += len(states)
	}
	bounds := machine.Options{Bounds: explore.Bounds{Jobs: 1, States: sampleStates}}
	list := lists.Map(v.x.Initial, func(i interp.Successor) *protocol.State { return i.State })
	more, complete, err := machine.States(ctx, m, v.x.Options, bounds, sampleKept)
	if err != nil {
		return nil, err
	}
	if list = append(list, more...); !complete {
		list = append(list, walks(ctx, v.x)...)
	}
	add(v, list)
	if complete {
		return s, nil
	}
	for _, small := range smaller(m) {
		if len(s.small) == smallInstance {
			break
		}
		x, err := encode.New(small, v.x.Options)
		if err != nil {
			continue
		}
		list, complete, err := machine.States(ctx, small, v.x.Options, bounds, sampleKept)
		if err != nil || !complete && len(s.small) > 0 {
			continue // instances that fail, or are as large, have little to say
		}
		if !complete {
			list = append(list, walks(ctx, x)...)
		}
		s.small = append(s.small, small.Assignments())
		add(newVocabulary(x), list)
	}
	return s, ctx.Err()
}

// smaller returns instances with smaller constants, those that differ least first.
func smaller(m *protocol.Model) []*protocol.Model {
	values := map[string]int64{}
	for _, k := range m.Constants {
		values[k.Name] = k.Value
	}
	seen := map[string]bool{m.Assignments(): true}
	level := []map[string]int64{values}
	var out []*protocol.Model
	for range 3 {
		var next []map[string]int64
		for _, from := range level {
			for _, k := range m.Constants {
				if k.Bool || from[k.Name] <= 1 {
					continue
				}
				set := maps.Clone(from)
				set[k.Name]--
				small, err := instantiate.Model(m.Source, set)
				if err != nil || seen[small.Assignments()] || len(small.Roles) != len(m.Roles) {
					continue
				}
				seen[small.Assignments()] = true
				next = append(next, set)
				if small.Processes() < m.Processes() {
					out = append(out, small)
				}
			}
		}
		level = next
	}
	return out
}

// walks returns states of random runs. Rules are chosen first, and then what they do:
// else those that many processes can execute would be all that happens.
func walks(ctx context.Context, x *encode.Encoding) (list []*protocol.State) {
	r := rand.New(rand.NewPCG(uint64(len(x.Vars)), 5))
	in := &interp.Interpreter{Model: x.Model, Options: x.Options}
	for range sampleWalks {
		s := x.Initial[r.IntN(len(x.Initial))].State
		for range sampleSteps {
			if ctx.Err() != nil {
				return list
			}
			next, err := in.Successors(s)
			if err != nil {
				break
			}
			rules := map[[2]int][]*protocol.State{}
			var keys [][2]int
			for _, n := range next {
				key := [2]int{n.Event.Rule, int(n.Event.Fate)}
				if n.Event.Fate == interp.Idle || n.State.Key() == s.Key() || n.Event.Fate != interp.Processed &&
					r.IntN(8) > 0 {
					continue // losses and crashes end runs early
				}
				if rules[key] == nil {
					keys = append(keys, key)
				}
				rules[key] = append(rules[key], n.State)
			}
			if len(keys) == 0 {
				break
			}
			of := rules[keys[r.IntN(len(keys))]]
			s = of[r.IntN(len(of))]
			list = append(list, s)
		}
	}
	return list
}

// of returns the rows for processes of some roles.
func (s *samples) of(roles []int) (*rows.Table, error) {
	main, err := s.v.of(roles)
	if err != nil || main == nil {
		return nil, err
	}
	key := string(byteKey(roles))
	if r := s.rows[key]; r != nil {
		return r, nil
	}
	r := rows.New(len(main.List))
	for _, part := range s.states {
		if err := s.fill(r, roles, part); err != nil {
			return nil, err
		}
	}
	r.Forget()
	s.rows[key] = r
	return r, nil
}

// fill adds the rows of some states for processes of some roles.
func (s *samples) fill(r *rows.Table, roles []int, part sampled) error {
	main, err := s.v.of(roles)
	if err != nil {
		return err
	}
	atoms, err := part.v.of(roles)
	if err != nil || atoms == nil {
		return nil // a smaller instance has no such processes
	}
	// The atom of the same text; what a smaller instance does not have, is false there.
	var place []int
	for i := range atoms.List {
		to, ok := main.Index[atoms.List[i].Text]
		if !ok {
			to = -1
		}
		place = append(place, to)
	}
	row := make([]boolean.Truth, len(main.List))
	e := encode.NewEvaluation(part.v.x.Circuit)
	for _, a := range part.states {
		if r.N >= max(s.most, sampleRows) {
			break
		}
		e.Reset(a)
		for t := range atoms.Tuples {
			for i := range row {
				row[i] = boolean.No
			}
			for i, l := range atoms.Lits[t] {
				if place[i] >= 0 && e.True(l) {
					row[place[i]] = boolean.Yes
				}
			}
			r.Add(row)
		}
	}
	return nil
}

// add adds a state of the instance.
func (s *samples) add(a encode.Assignment) error {
	s.states[0].states = append(s.states[0].states, a)
	for key, r := range s.rows {
		roles := lists.Map([]byte(key), func(b byte) int { return int(b) })
		if err := s.fill(r, roles, sampled{s.v, []encode.Assignment{a}}); err != nil {
			return err
		}
	}
	return nil
}

func byteKey(list []int) []byte {
	return lists.Map(list, func(v int) byte { return byte(v) })
}

// unlike is the literal that says that an atom has not some value.
func unlike(atom int, value bool) int {
	if value {
		return 2*atom + 1
	}
	return 2 * atom
}
