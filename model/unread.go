package model

import (
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/verify"
)

// Unread is a question about a model without an automaton, since making one takes too long: what is asked is
// unknown, for the reason that is given.
func Unread(m ForAll, wanted []string, reason string) (*Question, error) {
	wanted, err := Select(m, wanted)
	if err != nil {
		return nil, err
	}
	return &Question{Model: m, names: wanted, unread: reason}, nil
}

// Unread reports whether no automaton was made of the model.
func (q *Question) Unread() bool { return q.unread != "" }

// reportUnread reports that nothing is known.
func (q *Question) reportUnread(report func(*Result) error) error {
	for _, name := range q.names {
		if err := report(q.unknownUnread(name)); err != nil {
			return err
		}
	}
	return nil
}

func (q *Question) unknownUnread(name string) *Result {
	search := &verify.Result{Spec: name, Verdict: verdict.Unknown, Reason: q.unread}
	return &Result{Spec: name, Verdict: search.Verdict, Reason: search.Reason, Search: search}
}
