package reading

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/record"
)

// A log may have a line for a call and another one for its return, as Jepsen's histories do. Both are one event, which
// happened at some moment from the one to the other. What follows in this package knows events only.

// Paired makes events of calls and returns. Other lines stay as they are; an event stands where its last line does, and
// calls that did not return at the end.
func (r *Reading) Paired(lines []*Event) (out []*Event, err error) {
	open := map[string]*Event{}
	for _, e := range lines {
		e.Began, e.Ended = e.Line, e.Line
		v, is := r.Under(e)
		kind := [3]bool{}
		for i, c := range []condition{r.Calls.call, r.Calls.back, r.Calls.never} {
			if is && c != nil {
				if kind[i], err = c.Holds(e, v); err != nil {
					return nil, err
				}
			}
		}
		switch call, back, never := kind[0], kind[1], kind[2]; {
		case !call && !back && !never:
			out = append(out, e)
			continue
		case call && (back || never) || back && never:
			return nil, e.Wrong("this line is two of a call, its return, and the end of an unknown call")
		}
		who, err := r.Calls.whose(e, v)
		if err != nil {
			return nil, err
		}
		of := open[who]
		switch {
		case kind[0] && of != nil:
			return nil, e.Wrong("%s calls again before its call at %s has returned", who, of.Place())
		case kind[0]:
			open[who] = e
		case of == nil && kind[2]:
			out = append(out, e)
		case of == nil:
			return nil, e.Wrong("%s has called nothing that could return here", who)
		case kind[2]:
			delete(open, who)
			out = append(out, r.merged(of, nil))
		default:
			delete(open, who)
			out = append(out, r.merged(of, e))
		}
	}
	rest := slices.SortedFunc(maps.Values(open), func(a, b *Event) int { return a.Line - b.Line })
	for _, e := range rest {
		out = append(out, r.merged(e, nil))
	}
	return out, nil
}

func (k *callRule) whose(e *Event, v any) (string, error) {
	var list []string
	for _, p := range k.by {
		got, ok := p.at(v)
		if !ok {
			return "", e.WrongAt(p, "there is no %s here, which says whose call this is", p.Text)
		}
		list = append(list, Plain(got))
	}
	return strings.Join(list, ", "), nil
}

// merged is the event of a call and its return, which is nil if there was none: what the return says, what the call
// says besides, and all of the call as its member call.
func (r *Reading) merged(call, back *Event) *Event {
	e := *call
	e.Call, e.Began, e.Ended = call, call.Line, 0
	inner, _ := r.Under(call)
	members, returned := map[string]any{}, map[string]any{calling: inner}
	if m, ok := inner.(map[string]any); ok {
		members = maps.Clone(m)
	}
	if back != nil {
		e = *back
		e.Call, e.Began, e.Ended = call, call.Line, back.Line
		v, _ := r.Under(back)
		if m, ok := v.(map[string]any); ok {
			maps.Copy(members, m)
			returned = maps.Clone(m)
			returned[calling] = inner
		}
	}
	members[calling] = inner
	e.Returned = returned
	e.Value = any(members)
	if r.root != nil {
		for _, k := range slices.Backward(r.root.keys) {
			e.Value = map[string]any{k: e.Value}
		}
	}
	return &e
}

// Place says where an event is: where its call is, and where its return.
func (e *Event) Place() string {
	if e.Call != nil && e.Ended > 0 {
		return fmt.Sprintf("%s-%d", e.Call.Place(), e.Line)
	}
	return fmt.Sprintf("%s:%d", record.Name(e.File), e.Line)
}

// Abridged is the text of an event, short enough to be shown.
func (e *Event) Abridged() string {
	switch {
	case e.Call == nil:
		return abridged(e.Text)
	case e.Ended == 0:
		return abridged(e.Text) + ", which never returned"
	}
	return abridged(e.Call.Text) + " ... " + abridged(e.Text)
}
