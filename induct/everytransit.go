package induct

import (
	"errors"
	"fmt"
	"slices"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/history"
	"github.com/tacheck/tacheck/protocol/machine"
)

// once looks for a proof again where there is none if messages are received as often as one likes: of the text with
// variables that count what is on its way, whose steps are the same. Only a proof changes the result.
func (q *everySearch) once() error {
	if q.r.Verdict != machine.Unknown || q.r.Run != nil || q.ctx.Err() != nil || q.own != nil || q.o.Plain {
		return nil
	}
	x, err := history.WithTransit(q.m, func(kind, field string) bool {
		return slices.Contains(q.r.Defined, fmt.Sprintf("the field %s of %s", field, kind))
	})
	if err != nil || x == nil {
		return nil // it cannot be said of this text, so that there is nothing to add
	}
	r := *q.r
	sub := &everySearch{ctx: q.ctx, m: x.Model, p: x.Model.Lookup(q.p.Name), o: q.o, r: &r}
	sub.o.Open = nil // what is open of the text itself is told
	err = sub.search()
	var refused *protocol.Unsupported
	var bad *machine.ModelError
	switch {
	case q.ctx.Err() != nil, errors.As(err, &refused), errors.As(err, &bad):
		return nil
	case err != nil:
		return err
	case r.Verdict != machine.Holds:
		return nil
	}
	r.Failing, r.Reason, r.Before, r.OnItsWay = "", "", nil, x.Cells
	*q.r = r
	return nil
}

// Means says what a variable counts, in words.
func (r *ForSizes) Means(c history.TransitCell) (cell, means string) {
	roles := r.Model.Roles
	cell = fmt.Sprintf("%s[i].%s[j]", roles[c.From].Name, c.Name)
	for _, f := range c.Fields {
		cell += "[" + f + "]"
	}
	return cell, fmt.Sprintf("%s from i to j on their way: %s, %s, or %s, which may be any number", c.Kind, c.None,
		c.One, c.Some)
}
