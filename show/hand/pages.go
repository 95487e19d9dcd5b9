package hand

import (
	"context"
	"fmt"
	"time"
)

// Bounds of what is listed of what can happen: how many on a page, how long a page is filled, and how long others are
// counted then. There may be too many to count.
const (
	mostShown = 100
	fillTime  = 3 * time.Second
	countTime = 300 * time.Millisecond
	// MostStarts is how many initial states are listed.
	MostStarts = 10_000
)

// pager puts a page of what can happen into a view, and counts the rest.
type pager struct {
	view   *View
	seen   int
	cancel context.CancelFunc
	timer  *time.Timer // of counting
}

// page begins a page, from a place on. What can happen is offered to it, until the context ends that it returns.
func (v *View) page(ctx context.Context, from int) (*pager, context.Context) {
	v.From = from
	ctx, cancel := context.WithTimeout(ctx, fillTime)
	return &pager{view: v, cancel: cancel}, ctx
}

// offer takes what can happen next.
func (p *pager) offer(text func() string) {
	if p.seen++; p.seen <= p.view.From || len(p.view.Choices) == mostShown {
		return
	}
	if p.view.Choices = append(p.view.Choices, text()); len(p.view.Choices) == mostShown {
		p.timer = time.AfterFunc(countTime, p.cancel)
	}
}

// How an enumeration has ended.
type ending int

const (
	complete ending = iota
	bounded         // by MostStarts
	givenUp
)

// end ends the page.
func (p *pager) end(how ending) {
	if p.timer != nil {
		p.timer.Stop()
	}
	p.cancel()
	v := p.view
	to := v.From + len(v.Choices)
	v.More = p.seen > to || how == givenUp && len(v.Choices) > 0
	if v.From == 0 && p.seen == to && how == complete {
		return
	}
	shown := fmt.Sprintf("%d to %d", v.From+1, to)
	switch {
	case len(v.Choices) == 0 && how == givenUp:
		v.Rest = fmt.Sprintf("none was found within %v", fillTime)
	case len(v.Choices) == 0:
		v.Rest = fmt.Sprintf("there are %d only", p.seen)
	case how == complete:
		v.Rest = fmt.Sprintf("%s of %d", shown, p.seen)
	case how == bounded:
		v.Rest = fmt.Sprintf("%s of the first %d, which are listed", shown, p.seen)
	case len(v.Choices) < mostShown:
		v.Rest = fmt.Sprintf("%s, and perhaps others: looking for them was given up after %v", shown, fillTime)
	default:
		v.Rest = fmt.Sprintf("%s of at least %d: counting them was given up after %v", shown, p.seen, countTime)
	}
}
