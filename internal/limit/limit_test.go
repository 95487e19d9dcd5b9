package limit

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestHeed(t *testing.T) {
	never := make(chan int)
	defer close(never)
	ctx, stop := context.WithTimeout(t.Context(), time.Millisecond)
	defer stop()
	if _, left, err := Heed(ctx, func(context.Context) (int, error) { return <-never, nil }); !left || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("work that does not end: %v, %v", left, err)
	}
	if n, left, err := Heed(ctx, func(ctx context.Context) (int, error) { return 3, ctx.Err() }); n != 3 || left || err == nil {
		t.Errorf("work that ends with its context: %d, %v, %v", n, left, err)
	}
}

func TestLasting(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	longer, stop := Lasting(ctx, 10*time.Millisecond)
	defer stop()
	if end(); longer.Err() != nil {
		t.Error("it ends at once")
	}
	<-longer.Done()
}
