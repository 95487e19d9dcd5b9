package hand

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"tacheck/protocol"
	"tacheck/protocol/interp"
)

// Bounds of what is kept of paths, and of the values of parameters of initial states above which those that are the
// same but for the order of processes are listed once.
const (
	mostKept  = 2_000
	mostApart = 1_000
)

// errNowhere is the error of a path that no run takes.
var errNowhere = errors.New("the path leads nowhere")

// tree are the paths that were followed, so that the next step of one costs no more than that step.
type tree struct {
	mu    sync.Mutex
	root  branch
	size  int
	extra []interp.Successor // initial states of counterexamples that are not listed: from MostStarts on
}

type branch struct {
	at   interp.Successor
	next map[int]*branch
}

// apart reports whether all initial states are listed.
func (p *Protocol) apart() bool { return interp.InitialValues(p.x.Model) <= mostApart }

// each yields what can happen after some, or at first where there is nothing before, in the order of choices.
func (p *Protocol) each(ctx context.Context, at *protocol.State, yield func(interp.Successor) bool) error {
	if at != nil {
		return p.x.EachSuccessor(ctx, at, yield)
	}
	n := 0
	return p.x.EachInitial(ctx, p.apart(), func(s interp.Successor) bool {
		n++
		return n <= MostStarts && yield(s)
	})
}

// nth is what a choice chooses.
func (p *Protocol) nth(ctx context.Context, at *protocol.State, choice int) (found *interp.Successor, err error) {
	if at == nil && choice >= MostStarts && choice-MostStarts < len(p.tree.extra) {
		return &p.tree.extra[choice-MostStarts], nil
	}
	k := 0
	err = p.each(ctx, at, func(s interp.Successor) bool {
		if k == choice {
			found = &s
		}
		k++
		return found == nil
	})
	if found != nil {
		return found, nil
	}
	if err == nil {
		err = errNowhere
	}
	return nil, err
}

// place is which choice leads to a state; -1 if none does.
func (p *Protocol) place(ctx context.Context, at, to *protocol.State) (int, *interp.Successor, error) {
	choice, k := -1, 0
	var found *interp.Successor
	err := p.each(ctx, at, func(s interp.Successor) bool {
		if s.State.Equal(to) {
			choice, found = k, &s
		}
		k++
		return choice < 0
	})
	return choice, found, err
}

// keep adds a step to a path that is kept.
func (t *tree) keep(b *branch, choice int, s interp.Successor) *branch {
	if t.size++; t.size > mostKept {
		t.root, t.size = branch{}, 0
		return &branch{at: s} // which is not kept
	}
	if b.next == nil {
		b.next = map[int]*branch{}
	}
	b.next[choice] = &branch{at: s}
	return b.next[choice]
}

// follow lists the steps of a path.
func (p *Protocol) follow(ctx context.Context, path []int) (list []interp.Successor, err error) {
	p.tree.mu.Lock()
	defer p.tree.mu.Unlock()
	b := &p.tree.root
	for k, choice := range path {
		next := b.next[choice]
		if next == nil {
			s, err := p.nth(ctx, b.at.State, choice)
			switch {
			case err != nil && ctx.Err() != nil:
				return nil, fmt.Errorf("step %d of the path was not found among all that can happen: %w", k, err)
			case err != nil:
				return nil, err
			}
			next = p.tree.keep(b, choice, *s)
		}
		b = next
		list = append(list, b.at)
	}
	return list, nil
}

// path finds a run's events among those possible.
func (p *Protocol) path(ctx context.Context, r *interp.Run) (path []int, err error) {
	p.tree.mu.Lock()
	defer p.tree.mu.Unlock()
	b := &p.tree.root
	for k, s := range r.States {
		choice, found, err := p.place(ctx, b.at.State, s)
		switch {
		case err != nil && found == nil:
			return nil, err
		case found == nil && k == 0:
			found, choice = p.elsewhere(r)
		case found == nil:
			return nil, errNowhere
		}
		path = append(path, choice)
		if next := b.next[choice]; next != nil {
			b = next
		} else {
			b = p.tree.keep(b, choice, *found)
		}
	}
	return path, nil
}

// elsewhere is the place of an initial state that is not listed.
func (p *Protocol) elsewhere(r *interp.Run) (*interp.Successor, int) {
	for i := range p.tree.extra {
		if p.tree.extra[i].State.Equal(r.States[0]) {
			return &p.tree.extra[i], MostStarts + i
		}
	}
	p.tree.extra = append(p.tree.extra, interp.Successor{Event: r.Events[0], State: r.States[0]})
	i := len(p.tree.extra) - 1
	return &p.tree.extra[i], MostStarts + i
}
