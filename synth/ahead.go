package synth

import (
	"context"
	"fmt"
	"sync"

	"github.com/tacheck/tacheck/ta"
	"github.com/tacheck/tacheck/verify"
)

// Deciding decides a specification of an instance, whose text can be had, too.
type Deciding func(ctx context.Context, a *ta.Automaton, text func() string, spec string,
	o verify.Options) (*verify.Result, error)

// decider decides specifications of instances, some of them before they are asked for: what a search does next depends
// on answers, but what it may do next is known. Since answers are used in the order of a search that knows nothing of
// this, the outcome is the same.
type decider struct {
	t     *Template
	ctx   context.Context
	o     Options
	turns chan struct{}

	mu    sync.Mutex
	known map[string]*answer
	all   sync.WaitGroup
}

// answer is one that is there when done is closed.
type answer struct {
	done   chan struct{}
	cancel context.CancelFunc
	r      *verify.Result
	run    Run // of a family
	err    error
}

func (t *Template) decider(ctx context.Context, o Options) *decider {
	if o.Decide == nil {
		o.Decide = func(ctx context.Context, a *ta.Automaton, _ func() string, spec string,
			o verify.Options) (*verify.Result, error) {
			return verify.Decide(ctx, a, a.SpecNamed(spec), o)
		}
	}
	return &decider{t: t, ctx: ctx, o: o, turns: make(chan struct{}, max(1, o.Ahead)), known: map[string]*answer{}}
}

// ahead reports whether there is a point in asking for more, in addition to what is decided at present.
func (d *decider) ahead() bool { return d.o.Ahead > 1 && len(d.turns) < cap(d.turns) }

// begin begins to decide a specification. It may do nothing.
func (d *decider) begin(v Values, spec string) *answer {
	key := fmt.Sprint(v, spec)
	d.mu.Lock()
	defer d.mu.Unlock()
	if x := d.known[key]; x != nil {
		return x
	}
	ctx, cancel := context.WithCancel(d.ctx)
	x := &answer{done: make(chan struct{}), cancel: cancel}
	d.known[key] = x
	d.turns <- struct{}{} // the caller has seen that there is room, or has to wait
	d.all.Go(func() {
		defer close(x.done)
		defer func() { <-d.turns }()
		if f := d.t.family; f != nil {
			x.r, x.run, x.err = f.Decide(ctx, v, spec, d.o.Options)
			return
		}
		a, err := d.t.automaton(v)
		if err != nil {
			x.err = err
			return
		}
		x.r, x.err = d.o.Decide(ctx, a, func() string { return d.t.Text(v) }, spec, d.o.Options)
	})
	return x
}

// decide decides a specification.
func (d *decider) decide(v Values, spec string) (*answer, error) {
	x := d.begin(v, spec)
	<-x.done
	return x, x.err
}

// drop says that answers about an assignment are of no use any more.
func (d *decider) drop(v Values, specs []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, spec := range specs {
		if x := d.known[fmt.Sprint(v, spec)]; x != nil {
			x.cancel()
			delete(d.known, fmt.Sprint(v, spec))
		}
	}
}

// end stops decisions that were begun ahead and not asked for.
func (d *decider) end() {
	d.mu.Lock()
	for _, x := range d.known {
		x.cancel()
	}
	d.mu.Unlock()
	d.all.Wait()
}
