package main

import (
	"context"
	"io"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

func TestProgressText(t *testing.T) {
	n := func(x int64) *big.Int { return big.NewInt(x) }
	for _, test := range []struct {
		checked, pruned, total *big.Int
		want                   string
	}{
		{n(1), n(0), new(big.Int).Exp(n(10), n(40), nil), "1 shapes checked, 0 pruned of 10000000000000000000000000000000000000000, 10 s"},
		{n(1), n(0), n(2000), "1 shapes checked, 0 pruned of 2000, 10 s, about 6 h left"},
		{n(20), n(5), n(100), "20 shapes checked, 5 pruned of 100, 10 s, about 30 s left"},
		{n(20), n(80), n(100), "20 shapes checked, 80 pruned of 100, 10 s"},
		{n(0), n(0), n(100), "0 shapes checked, 0 pruned of 100, 10 s"},
		{n(20), nil, nil, "20 shapes checked, 10 s"},
	} {
		w := &watch{line: func(string) {}, total: 1}
		w.shapes(test.checked, test.pruned, test.total)
		if got := w.text(10 * time.Second); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
	w := &watch{line: func(string) {}, total: 3, noun: "specifications"}
	w.shapes(n(20), n(5), n(100))
	if err := w.next(func() error { return nil }); err != nil {
		t.Fatal(err)
	}
	if got, want := w.text(5*time.Second), "1 of 3 specifications; working, 5 s"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestWatch: on a terminal, a search of more than two seconds shows how far it
// is; in a pipe it does not.
func TestWatch(t *testing.T) {
	args := []string{"verify", "c1cs.ta", "--spec", "termination", "--search", "incremental", "--timeout", "4s", "--jobs", "1", "--no-sanity"}
	screen, terminal, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer screen.Close()
	shown := make(chan string)
	go func() {
		text, _ := io.ReadAll(screen) // ends with an error when the other side is closed
		shown <- string(text)
	}()
	var piped strings.Builder
	execute(context.Background(), args, strings.NewReader(""), &piped, terminal)
	terminal.Close()
	if text := <-shown; !strings.Contains(text, "\x1b[K") || !strings.Contains(text, "shapes checked") && !strings.Contains(text, "working, ") {
		t.Errorf("shown: %q", text)
	}
	if strings.Contains(piped.String(), "\x1b") || strings.Contains(piped.String(), "working") {
		t.Errorf("piped: %q", piped.String())
	}
}
