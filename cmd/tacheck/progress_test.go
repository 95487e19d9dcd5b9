package main

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/creack/pty"
)

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
