package terminal

import (
	"fmt"
	"io"
	"math/big"
	"os"
	"sync"
	"time"

	"golang.org/x/term"
)

// Watch shows on a terminal how far something is that takes more than two seconds.
type Watch struct {
	line  func(string)
	start time.Time
	total int    // how many there are to do
	noun  string // of what
	stop  chan struct{}
	once  sync.Once
	ended sync.WaitGroup

	mu    sync.Mutex
	done  int
	doing string  // what is under way
	part  float64 // how much of it is done; 0 if that is not known

	away    string // how things are elsewhere
	bad     string // what is wrong there
	message func(string)
	shown   bool
}

// Quiet is how long nothing is shown.
const Quiet = 2 * time.Second

// End clears the line; what is printed afterwards is not disturbed. It may be called again.
func (w *Watch) End() {
	w.once.Do(func() { close(w.stop) })
	w.ended.Wait()
}

func (w *Watch) show() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if elapsed := time.Since(w.start); elapsed > Quiet {
		w.line(w.text(elapsed))
	}
}

func (w *Watch) text(elapsed time.Duration) string {
	text := w.doing
	if text == "" {
		text = "working"
	}
	part := w.part
	if w.total > 1 {
		if w.away != "" && w.doing == "" {
			text = w.away
		}
		text = fmt.Sprintf("%d of %d %s; %s", w.done, w.total, w.noun, text)
		if part == 0 && w.away != "" {
			part = float64(w.done) / float64(w.total)
		}
	} else if w.away != "" {
		text += "; " + w.away
	}
	if w.bad != "" {
		text += "; " + w.bad
	}
	text += fmt.Sprintf(", %.0f s", elapsed.Seconds())
	if part > 0 && part < 1 {
		text += remaining(elapsed.Seconds() * (1 - part) / part)
	}
	return text
}

// remaining says roughly how much time is left. Beyond a
// limit it says nothing: later pruning makes the estimate meaningless.
func remaining(seconds float64) string {
	for _, unit := range []struct {
		name    string
		seconds float64
		most    float64
	}{{"s", 1, 180}, {"min", 60, 180}, {"h", 3600, 72}, {"days", 24 * 3600, 30}} {
		if n := seconds / unit.seconds; n <= unit.most {
			return fmt.Sprintf(", about %.0f %s left", n, unit.name)
		}
	}
	return ""
}

// Next says that one more is done, and prints what there is to say of it while nothing else is shown.
func (w *Watch) Next(print func() error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.done++
	w.doing, w.part = "", 0
	w.line("")
	return print()
}

// Doing says what is under way.
func (w *Watch) Doing(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.doing = text
}

// Shapes says how far a search by shapes is. total is nil if it is not known.
func (w *Watch) Shapes(checked, pruned, total *big.Int) {
	doing, part := fmt.Sprintf("%s shapes checked", checked), 0.0
	if total != nil && pruned != nil {
		doing += fmt.Sprintf(", %s pruned of %s", pruned, total)
		done := new(big.Float).SetInt(new(big.Int).Add(checked, pruned))
		part, _ = new(big.Float).Quo(done, new(big.Float).SetInt(total)).Float64()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.doing, w.part = doing, part
}

// Seen reports whether progress is shown on a terminal.
func (w *Watch) Seen() bool { return w.shown }

// Elsewhere says how things are in a cluster.
func (w *Watch) Elsewhere(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.away = text
}

// Trouble says what is wrong with the server of a cluster, and "" that nothing is any more.
func (w *Watch) Trouble(text string) {
	w.mu.Lock()
	old := w.bad
	w.bad = ""
	if text != "" {
		w.bad = "the cluster's server: " + text
	}
	now := w.bad
	w.mu.Unlock()
	if old == "" && now != "" {
		w.Say("tacheck: " + now + "; trying again")
	}
}

// Say prints a line on standard error.
func (w *Watch) Say(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.line("")
	w.message(text)
}

// Line returns a function that shows a line of text in place of the one before, and clears it for "".
// Where text goes to no terminal it shows nothing.
func Line(w io.Writer) func(text string) {
	if !shows(w) {
		return func(string) {}
	}
	return func(text string) { fmt.Fprint(w, "\r\033[K"+text) }
}

// shows reports whether text goes to a terminal.
func shows(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// NewWatch starts watching so many things; end ends it.
func NewWatch(out io.Writer, total int, noun string) *Watch {
	w := &Watch{line: Line(out), start: time.Now(), total: total, noun: noun, stop: make(chan struct{}),
		shown: shows(out), message: func(text string) { fmt.Fprintln(out, text) }}
	w.ended.Go(func() {
		tick := time.NewTicker(time.Second / 2)
		defer tick.Stop()
		for {
			select {
			case <-w.stop:
				w.line("")
				return
			case <-tick.C:
				w.show()
			}
		}
	})
	return w
}
