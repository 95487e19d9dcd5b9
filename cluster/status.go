package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// WorkerInfo is what everybody can see of a worker.
type WorkerInfo struct {
	ID      string    `json:"id"`
	Build   string    `json:"build"`
	Release string    `json:"release"`
	Host    string    `json:"host"`
	Process int       `json:"process"`
	Solvers []string  `json:"solvers"`
	Jobs    int       `json:"jobs"`
	Busy    int       `json:"busy"`
	Done    int       `json:"done"`
	Since   time.Time `json:"since"`
	Seen    time.Time `json:"seen"`
}

// Workers lists the workers that were seen lately.
func (c *Client) Workers(ctx context.Context) ([]WorkerInfo, error) {
	list, err := listBucket[WorkerInfo](ctx, c, c.workers)
	slices.SortFunc(list, func(a, b WorkerInfo) int { return strings.Compare(a.ID, b.ID) })
	return list, err
}

// Runs lists runs, the oldest first.
func (c *Client) Runs(ctx context.Context) ([]RunInfo, error) {
	list, err := listBucket[RunInfo](ctx, c, c.runs)
	slices.SortFunc(list, func(a, b RunInfo) int { return a.Begun.Compare(b.Begun) })
	return list, err
}

func listBucket[T any](ctx context.Context, c *Client, kv jetstream.KeyValue) (list []T, err error) {
	err = c.insist(ctx, func(ctx context.Context) error {
		list = nil
		watch, err := kv.WatchAll(ctx, jetstream.IgnoreDeletes())
		if err != nil {
			return err
		}
		for e := range watch.Updates() {
			if e == nil { // all that there is
				break
			}
			var x T
			if json.Unmarshal(e.Value(), &x) == nil {
				list = append(list, x)
			}
		}
		return errors.Join(watch.Stop(), ctx.Err())
	})
	return list, err
}

// Queue is tasks of a kind of workers.
type Queue struct {
	Who     string `json:"for"` // release and solver
	Waiting int    `json:"waiting"`
	Busy    int    `json:"busy"`
	own     string
}

// Queues lists the queues that have tasks.
func (c *Client) Queues(ctx context.Context) (list []Queue, err error) {
	err = c.insist(ctx, func(ctx context.Context) error {
		list = nil
		s, err := c.js.Stream(ctx, taskStream)
		if err != nil {
			return err
		}
		l := s.ListConsumers(ctx)
		for info := range l.Info() {
			if waiting := int(info.NumPending); waiting+info.NumAckPending > 0 {
				list = append(list, Queue{info.Config.Description, waiting, info.NumAckPending, info.Name})
			}
		}
		return l.Err()
	})
	slices.SortFunc(list, func(a, b Queue) int { return strings.Compare(a.Who, b.Who) })
	return list, err
}
