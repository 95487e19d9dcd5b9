// Package play serves a page of this machine on which models are written and watched: text on the left, verdicts while
// one types and the run of whatever fails on the right. The editor talks to the language server of package lsp over a
// socket; verdicts come through package model, for every kind. It knows nothing of kinds of models.
package play

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"embed"
	"encoding/hex"
	"fmt"
	"net"
	"net/http"
	"runtime"
	"strings"
	"time"

	"github.com/tacheck/tacheck/internal/memory"
	"github.com/tacheck/tacheck/verify"
)

//go:generate sh -c "cd editor && npm ci && npm run build"

//go:embed page
var files embed.FS

// Example is a text that is one click away.
type Example struct {
	Name  string `json:"name"`
	Group string `json:"group"`
	About string `json:"about"`
	Text  string `json:"text"`
}

// Options say what is served, and what a question may cost.
type Options struct {
	Release  string
	Examples []Example
	// Start is what the page begins with: a name with its ending, and a text. Link is what stands
	// behind # in a page's address, in their place; "" if there is none.
	Start Example
	Link  string
	// Port is 0 for any that is free.
	Port int
	// Timeout bounds the time for one specification, Memory what this process uses: questions end
	// undecided then. 0 means ten seconds, and half of what is free.
	Timeout time.Duration
	Memory  uint64
	Solver  string
}

// atOnce bounds how many questions are worked on at the same time, of all pages; others wait, until
// the page that has asked has another text.
const atOnce = 2

// server answers pages.
type server struct {
	Options
	ctx   context.Context // of the program
	token string
	busy  chan struct{}
	walks walks
	known known
}

// Serve serves the page on the loopback interface until ctx ends. It calls ready with the address, which
// contains a random token: requests without it get nothing.
func Serve(ctx context.Context, o Options, ready func(address string)) error {
	secret := make([]byte, 16)
	if _, err := rand.Read(secret); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	token := hex.EncodeToString(secret)
	listener, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", o.Port))
	if err != nil {
		return err
	}
	h := &http.Server{Handler: Handler(ctx, o, token), ReadHeaderTimeout: 10 * time.Second, MaxHeaderBytes: 1 << 16}
	stop := context.AfterFunc(ctx, func() { _ = h.Close() }) // ctx's end is what matters
	defer stop()
	address := fmt.Sprintf("http://%s/%s/", listener.Addr(), token)
	if o.Link != "" {
		address += "#" + o.Link
	}
	ready(address)
	if err := h.Serve(listener); err != nil && ctx.Err() == nil {
		return err
	}
	return nil
}

// Handler answers requests below /token/. Work that is under way ends with ctx.
func Handler(ctx context.Context, o Options, token string) http.Handler {
	if o.Timeout == 0 {
		o.Timeout = 10 * time.Second
	}
	if o.Memory == 0 {
		o.Memory = memory.Free() / 2
	}
	s := &server{Options: o, ctx: ctx, token: token, busy: make(chan struct{}, atOnce)}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{token}/{$}", s.asset("index.html", "text/html; charset=utf-8"))
	for name, kind := range map[string]string{"play.css": "text/css", "play.js": "text/javascript",
		"editor.js":  "text/javascript",
		"report.css": "text/css", "report.js": "text/javascript"} {
		mux.HandleFunc("GET /{token}/"+name, s.asset(name, kind+"; charset=utf-8"))
	}
	mux.HandleFunc("GET /{token}/examples", s.examples)
	mux.HandleFunc("GET /{token}/lsp", s.languageServer)
	mux.HandleFunc("POST /{token}/check", s.check)
	mux.HandleFunc("POST /{token}/region", s.region)
	mux.HandleFunc("POST /{token}/walk", s.walk)
	mux.HandleFunc("/{token}/walk/{id}/", s.walking)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		given, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
		host, _, err := net.SplitHostPort(r.Host)
		local := err == nil && (host == "127.0.0.1" || host == "localhost")
		if !local || !s.own(r) || subtle.ConstantTimeCompare([]byte(given), []byte(token)) != 1 {
			http.NotFound(w, r)
			return
		}
		// Styles stand in pictures, and the editor makes some; scripts are the program's own only.
		w.Header().Set("Content-Security-Policy",
			"default-src 'none'; style-src 'self' 'unsafe-inline'; script-src 'self'; connect-src 'self'; img-src "+
				"data: blob:; "+
				"frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
		w.Header().Set("Referrer-Policy", "no-referrer")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		w.Header().Set("Cache-Control", "no-store")
		mux.ServeHTTP(w, r)
	})
}

// own reports whether a request comes from a page of this server, or from no page.
func (s *server) own(r *http.Request) bool {
	origin := r.Header.Get("Origin")
	return origin == "" || origin == "http://"+r.Host
}

// solversAtOnce bounds how many solvers work at a question at the same time: the specifications of a text are few.
const solversAtOnce = 4

// options are those of a question: limits for the time of a specification and the memory of the process, and so many
// solvers that each has a processor.
func (s *server) options() verify.Options {
	return verify.Options{Timeout: s.Timeout, Memory: s.Memory, Solver: s.Solver,
		Jobs: min(runtime.NumCPU(), solversAtOnce)}
}
