package cluster

import (
	"context"
	"encoding/json"
	"fmt"
)

// Kind is a kind of tasks: what they are given beside the text of a model, and what comes of them. Both are values that
// JSON can carry; nothing in them may be a path or a command.
type Kind[In, Out any] struct{ Name string }

// Handler does a task. keep says that the output is a fact, which is the same when it is asked again.
type Handler func(ctx context.Context, model []byte, input json.RawMessage) (output any, keep bool, err error)

// Handlers are what workers can do, by the names of kinds.
type Handlers map[string]Handler

// Handle makes a function a handler.
func (k Kind[In, Out]) Handle(do func(ctx context.Context, model []byte, in In) (Out, bool, error)) Handler {
	return func(ctx context.Context, model []byte, input json.RawMessage) (any, bool, error) {
		var in In
		if err := strictly(input, &in); err != nil {
			return nil, false, fmt.Errorf("a task of kind %s: %w", k.Name, err)
		}
		return do(ctx, model, in)
	}
}

// Failed is the error for tasks that come to nothing: the reason is that of the worker, or that workers died of it.
type Failed struct{ Reason, Worker string }

func (e *Failed) Error() string { return e.Reason }

// Origin says where an output comes from.
type Origin struct {
	Name   string // of the task
	Worker string
	Known  bool // it was asked before
	// Certificate is the digest of a certificate that is said to have been made.
	Certificate string
}
