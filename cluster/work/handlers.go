package work

import "github.com/tacheck/tacheck/cluster"

// Handlers are what workers can do. program is the path of this program, which measures in processes of their own.
func Handlers(program string) cluster.Handlers {
	return cluster.Handlers{
		Verify.Name:   Verify.Handle(decide),
		subtree.Name:  subtree.Handle(new(subtrees).explore),
		Bench.Name:    Bench.Handle(bench(program)),
		Swarm.Name:    Swarm.Handle(Fly),
		Campaign.Name: Campaign.Handle(Compare),
	}
}
