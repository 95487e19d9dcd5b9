package trace

import (
	"strings"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/trace/reading"
)

// Failed is an error of the protocol, or of the reading's words in it, that showed while a log was followed.
type Failed struct {
	*machine.ModelError
	Told  *Told          // the end of the run that leads there
	Event *reading.Event // that was followed then; nil if there was none yet
}

// Unwrap returns the error of the protocol, and what is wrong in its text.
func (f *Failed) Unwrap() []error { return []error{f.ModelError, f.Problem()} }

// Story tells where in the log it was, and the last steps of the run that leads there.
func (f *Failed) Story() string {
	var b strings.Builder
	if f.Event != nil {
		b.WriteString(f.Event.Place() + ": it shows here:\n  " + f.Event.Abridged() + "\n")
	}
	if len(f.Told.Events) > 0 {
		b.WriteString("The run that leads there:\n")
		f.Told.story(&b, len(f.Told.Events))
	}
	return b.String()
}

// wrongModel is an error that showed after a node, or in its state, while an event was followed; other errors are
// returned as they are.
func (c *checker) wrongModel(n *node, e *reading.Event, err error) error {
	if u, is := err.(*unjudged); is {
		n, err = u.node, u.err
	}
	f, ok := err.(*protocol.Failure)
	if !ok {
		return err
	}
	told := *c.replay
	if n != nil {
		if err := told.until(n); err != nil {
			return err
		}
	}
	return told.failed(f, e)
}

func (r *replay) failed(f *protocol.Failure, e *reading.Event) error {
	told := r.told()
	told.Failure = f
	return &Failed{&machine.ModelError{Failure: f, Run: told.Run}, told, e}
}
