// Package hand serves a page on which one walks through a model by hand: it shows the state, what can happen next, and
// the run so far; one chooses the next event, goes back, jumps to a counterexample, and saves the run. It knows nothing
// of models: they are Subjects.
package hand

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/tacheck/tacheck/internal/record"
	"github.com/tacheck/tacheck/run"
)

// Subject is what one walks through. A path has the place of the initial state
// among those that there are, and then of each event among those possible.
type Subject interface {
	Title() string
	// View shows the state at the end of a path, with a page of what can happen, from a place on; none if that is below
	// 0. Its error says that the path leads nowhere, or that its end was not found until ctx's.
	View(ctx context.Context, path []int, from int) (*View, error)
	// Goals lists runs to jump to.
	Goals(ctx context.Context) []Goal
	// Save returns the run as a file, and its name.
	Save(ctx context.Context, path []int) (name string, data []byte, err error)
	// Watch says for each condition what it is there.
	Watch(ctx context.Context, path []int, conditions []string) []Watched
	// Find returns the shortest path from the end of another to a state, not that itself, in which a condition holds.
	// Its error says what is wrong with the condition, or that there is none: within so many states, or at all.
	Find(ctx context.Context, path []int, condition string) ([]int, error)
	// Without is the run at the end of a path again, with all processes correct.
	Without(ctx context.Context, path []int) (*Healed, error)
}

// View is what is shown of a state.
type View struct {
	State   []Line   `json:"state"`   // a line for each process or counter
	Story   []Entry  `json:"story"`   // how it came to this
	Choices []string `json:"choices"` // what can happen: a page of it
	From    int      `json:"from"`    // the place of the first of them among all
	More    bool     `json:"more"`    // there may be others after them
	Rest    string   `json:"rest"`    // what is said of those that are not shown; "" if there are none
	Notes   []string `json:"notes"`   // such as properties that are violated here
	Blocked []string `json:"blocked"` // what cannot, and why
	Charts  []string `json:"charts"`  // of the run, widest first
	Picture string   `json:"picture"` // of the state, in the same way
	// Properties are all of them, with what is violated by the run so far.
	Properties []Property `json:"properties"`
	told       *run.Run   // that Charts are of; nil if there is none
	// Watched are conditions that the page watches.
	Watched []Watched `json:"watched"`
}

// Property is a property of the model, and what the run so far says of it.
type Property struct {
	Name   string   `json:"name"`
	Value  string   `json:"value"`
	Broken bool     `json:"broken"`
	Why    []string `json:"why"` // it is violated
	// Here are the conditions of states that it is made of, with what they are in this one.
	Here []Watched `json:"here"`
}

// Line is a part of a state.
type Line struct {
	Who     string `json:"who"`
	Text    string `json:"text"`
	Changed bool   `json:"changed"`
}

// Entry is an event of the run.
type Entry struct {
	Text    string   `json:"text"`
	Details []string `json:"details"`
}

// Healed is a run without its faults: charts of it, and what is to be said of it.
type Healed struct {
	Charts []string `json:"charts"`
	Notes  []string `json:"notes"`
}

// Goal is a run to jump to.
type Goal struct {
	Name string `json:"name"`
	Path []int  `json:"path"`
	Lost string `json:"lost"` // why there is no path; "" if there is
}

//go:embed page.html
var page string

// Serve serves a subject on the loopback interface until ctx ends. It calls ready with the address, which contains a
// random token: requests without it get nothing.
//
// memory bounds what this process uses while it answers, in bytes; 0 means no bound.
func Serve(ctx context.Context, s Subject, memory uint64, ready func(address string)) error {
	return Listen(ctx, 0, func(token string) http.Handler { return Handler(s, token, memory) }, ready)
}

// Listen serves what a handler answers, to requests with a random token, on a port of the loopback interface, 0 for
// any, until ctx ends. It calls ready with the address, which contains the token.
func Listen(ctx context.Context, port int, handler func(token string) http.Handler, ready func(address string)) error {
	secret := make([]byte, 16)
	if _, err := rand.Read(secret); err != nil {
		return err
	}
	token := hex.EncodeToString(secret)
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return err
	}
	server := &http.Server{Handler: handler(token), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 1 << 16}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() }) // ctx's end is what matters
	defer stop()
	ready(fmt.Sprintf("http://%s/%s/", listener.Addr(), token))
	if err := server.Serve(listener); err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

// maxBody bounds what a page may send.
const maxBody = 1 << 20

// Handler answers requests below /token/, within bounds of time, and of the memory that this process uses.
func Handler(s Subject, token string, memory uint64) http.Handler {
	mux := http.NewServeMux()
	h := &handler{s, memory, make(chan struct{}, atOnce)}
	mux.HandleFunc("GET /{token}/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, strings.ReplaceAll(page, "TITLE", escape(s.Title())))
	})
	mux.HandleFunc("GET /{token}/goals", h.bounded(func(ctx context.Context, _ question) (any, error) {
		return s.Goals(ctx), nil
	}))
	for what, answers := range map[string]func(context.Context, question) (any,
		error){"view": h.view, "find": h.find, "without": h.without, "save": h.save} {
		mux.HandleFunc("POST /{token}/"+what, h.bounded(answers))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !Own(r, token) {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Security-Policy",
			"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src "+
				"data:")
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("Cache-Control", "no-store")
		mux.ServeHTTP(w, r)
	})
}

// Own reports whether a request comes from a page of a server on the loopback interface, or from no page, with the
// server's token.
func Own(r *http.Request, token string) bool {
	given, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	host, _, err := net.SplitHostPort(r.Host)
	origin := r.Header.Get("Origin")
	return err == nil && (host == "127.0.0.1" || host == "localhost") && (origin == "" || origin == "http://"+r.Host) &&
		subtle.ConstantTimeCompare([]byte(given), []byte(token)) == 1
}

// question is what a page asks about.
type question struct {
	Path  []int    `json:"path"`
	From  int      `json:"from"`
	Watch []string `json:"watch"`
	Where string   `json:"where"`
}

func read(w http.ResponseWriter, r *http.Request) (q question, err error) {
	err = record.Alone(json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)), &q)
	return q, err
}

func answer(w http.ResponseWriter, v any, err error) {
	w.Header().Set("Content-Type", "application/json")
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		v = map[string]string{"error": err.Error()}
	}
	// The page has gone away if this fails.
	_ = json.NewEncoder(w).Encode(v)
}

func escape(text string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(text)
}
