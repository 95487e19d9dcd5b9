package work

import (
	"context"
	"encoding/json"

	"github.com/tacheck/tacheck/cluster"
	"github.com/tacheck/tacheck/internal/memory"
	"github.com/tacheck/tacheck/smt"
)

// Handlers are what workers can do. program is the path of this program, which measures in processes of their own.
func Handlers(program string) cluster.Handlers {
	return cluster.Handlers{
		verifyKind.Name: verifyKind.Handle(decide),
		subtree.Name:    subtree.Handle(new(subtrees).explore),
		benchKind.Name:  benchKind.Handle(bench(program)),
		Swarm.Name:      Swarm.Handle(Fly),
		Campaign.Name:   Campaign.Handle(Compare),
	}
}

// Limited bounds the memory of each task. A process that has met the bound is spent:
// what it remembers may be what takes the memory.
func Limited(handlers cluster.Handlers, limit uint64) (_ cluster.Handlers, spent func() bool) {
	hit := false
	out := cluster.Handlers{}
	for name, do := range handlers {
		out[name] = func(ctx context.Context, model []byte, input json.RawMessage) (any, bool, error) {
			ctx, stop := memory.Limit(ctx, limit)
			defer stop()
			result, keep, err := do(ctx, model, input)
			if context.Cause(ctx) == smt.ErrMemory {
				hit = true
				if err != nil {
					err = smt.ErrMemory
				}
			}
			return result, keep, err
		}
	}
	return out, func() bool { return hit }
}
