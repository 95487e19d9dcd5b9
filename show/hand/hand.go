// Package hand serves a page on which one walks through a model by hand: it
// shows the state, what can happen next, and the run so far; one chooses the next
// event, goes back, jumps to a counterexample, and saves the run. It knows
// nothing of models: they are Subjects.
package hand

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"time"
)

// Subject is what one walks through. A path has the place of the initial state
// among those that there are, and then of each event among those possible.
type Subject interface {
	Title() string
	// View shows the state at the end of a path. Its error says that the path
	// leads nowhere.
	View(path []int) (*View, error)
	// Goals lists runs to jump to.
	Goals() []Goal
	// Save returns the run as a file, and its name.
	Save(path []int) (name string, data []byte, err error)
}

// View is what is shown of a state.
type View struct {
	State   []Line   `json:"state"`   // a line for each process or counter
	Story   []Entry  `json:"story"`   // how it came to this
	Choices []string `json:"choices"` // what can happen
	Notes   []string `json:"notes"`   // such as properties that are violated here
	Blocked []string `json:"blocked"` // what cannot, and why
	Chart   string   `json:"chart"`   // of the run: an SVG, or ""
	Picture string   `json:"picture"` // of the state, in the same way
	// Watched are conditions that the page watches.
	Watched []Watched `json:"watched"`
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

// Healer is a Subject of whose runs it is known how they would go without their faults.
type Healer interface {
	// Without is the run at the end of a path again as if nobody were faulty; nil if nothing is faulty in it.
	Without(path []int) (*Healed, error)
}

// Healed is a run without its faults: a chart of it, and what is to be said of it.
type Healed struct {
	Chart string   `json:"chart"`
	Notes []string `json:"notes"`
}

// Goal is a run to jump to.
type Goal struct {
	Name string `json:"name"`
	Path []int  `json:"path"`
}

//go:embed page.html
var page string

// Serve serves a subject on the loopback interface until ctx ends. It calls
// ready with the address, which contains a random token: whoever does not know
// it gets nothing.
func Serve(ctx context.Context, s Subject, ready func(address string)) error {
	secret := make([]byte, 16)
	if _, err := rand.Read(secret); err != nil {
		return err
	}
	token := hex.EncodeToString(secret)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: Handler(s, token), ReadHeaderTimeout: 10 * time.Second}
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

// Handler answers requests below /token/.
func Handler(s Subject, token string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{token}/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, strings.ReplaceAll(page, "TITLE", escape(s.Title())))
	})
	mux.HandleFunc("GET /{token}/goals", func(w http.ResponseWriter, r *http.Request) { answer(w, s.Goals(), nil) })
	mux.HandleFunc("POST /{token}/view", func(w http.ResponseWriter, r *http.Request) {
		q, err := read(w, r)
		if err != nil {
			answer(w, nil, err)
			return
		}
		v, err := s.View(q.Path)
		if watcher, ok := s.(Watcher); ok && err == nil && len(q.Watch) > 0 && len(q.Path) > 0 {
			v.Watched = watcher.Watch(q.Path, q.Watch[:min(len(q.Watch), mostWatched)])
		}
		answer(w, v, err)
	})
	mux.HandleFunc("POST /{token}/find", func(w http.ResponseWriter, r *http.Request) {
		q, err := read(w, r)
		if err != nil {
			answer(w, nil, err)
			return
		}
		watcher, ok := s.(Watcher)
		if !ok {
			answer(w, nil, errors.New("states of this kind of models are not searched"))
			return
		}
		ctx, stop := context.WithTimeout(r.Context(), searchTime)
		defer stop()
		further, err := watcher.Find(ctx, q.Path, q.Where)
		answer(w, map[string][]int{"path": append(q.Path, further...)}, err)
	})
	mux.HandleFunc("POST /{token}/without", func(w http.ResponseWriter, r *http.Request) {
		q, err := read(w, r)
		if err != nil {
			answer(w, nil, err)
			return
		}
		h := &Healed{}
		switch healer, ok := s.(Healer); {
		case !ok:
			h.Notes = []string{"This is known of protocols only: here, nobody knows which steps are those of faulty processes."}
		case len(q.Path) == 0:
			h.Notes = []string{"There is no run yet."}
		default:
			if h, err = healer.Without(q.Path); h == nil {
				h = &Healed{Notes: []string{"Nothing is faulty in this run."}}
			}
		}
		answer(w, h, err)
	})
	mux.HandleFunc("POST /{token}/save", func(w http.ResponseWriter, r *http.Request) {
		q, err := read(w, r)
		var name string
		var data []byte
		if err == nil {
			name, data, err = s.Save(q.Path)
		}
		answer(w, map[string]string{"name": name, "text": string(data)}, err)
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		host, _, err := net.SplitHostPort(r.Host)
		local := err == nil && (host == "127.0.0.1" || host == "localhost")
		if origin := r.Header.Get("Origin"); origin != "" && origin != "http://"+r.Host { // another page
			local = false
		}
		if !local || subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1 {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:")
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("Cache-Control", "no-store")
		mux.ServeHTTP(w, r)
	})
}

// Bounds of what a page may ask: conditions that are watched, time for a search.
const (
	mostWatched = 50
	searchTime  = 10 * time.Second
)

// question is what a page asks about.
type question struct {
	Path  []int    `json:"path"`
	Watch []string `json:"watch"`
	Where string   `json:"where"`
}

func read(w http.ResponseWriter, r *http.Request) (q question, err error) {
	err = json.NewDecoder(http.MaxBytesReader(w, r.Body, maxBody)).Decode(&q)
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
