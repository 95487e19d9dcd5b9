// Package play serves a page of this machine on which models are written and watched: text on the left, verdicts while
// one types and the run of whatever fails on the right. The editor talks to the language server of package lsp over a
// socket; verdicts come through package model, for every kind. It knows nothing of kinds of models.
package play

import (
	"context"
	"embed"
	"io/fs"
	"net/http"
	"strings"
	"time"

	"github.com/coder/websocket"

	"github.com/tacheck/tacheck/internal/memory"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/show/hand"
	"github.com/tacheck/tacheck/show/lsp"
	"github.com/tacheck/tacheck/show/report"
)

//go:generate sh -c "cd editor && npm ci && npm run build"

//go:embed page
var files embed.FS

// Serve serves the page on the loopback interface until ctx ends. It calls ready with the address, which
// contains a random token: requests without it get nothing.
func Serve(ctx context.Context, o Options, ready func(address string)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return hand.Listen(ctx, o.Port, func(token string) http.Handler { return Handler(ctx, o, token) },
		func(address string) {
			if o.Link != "" {
				address += "#" + o.Link
			}
			ready(address)
		})
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
		if !hand.Own(r, token) {
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

// languageServer serves the editor of one page, until the page goes away. Requests of other origins are refused
// before this, and by the library.
func (s *server) languageServer(w http.ResponseWriter, r *http.Request) {
	c, err := websocket.Accept(w, r, nil)
	if err != nil {
		return // Accept has answered
	}
	defer c.CloseNow() //nolint:errcheck // the client is gone
	c.SetReadLimit(maxBody)
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	go alive(ctx, c, cancel)
	// that a page is closed is no error
	_ = lsp.ServeMessages(ctx, websocket.NetConn(ctx, c, websocket.MessageText), s.Release, s.options())
}

// alive ends a session whose page does not answer any more.
func alive(ctx context.Context, c *websocket.Conn, end func()) {
	tick := time.NewTicker(30 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			within, stop := context.WithTimeout(ctx, 30*time.Second)
			err := c.Ping(within)
			stop()
			if err != nil {
				end()
				return
			}
		}
	}
}

// asset answers with a part of the page.
func (s *server) asset(name, kind string) http.HandlerFunc {
	var text []byte
	style, script := report.Assets()
	switch name {
	case "report.css":
		text = style
	case "report.js":
		text = script
	default:
		var err error
		if text, err = files.ReadFile("page/" + name); err != nil {
			panic(err) // it is part of the program
		}
	}
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = w.Write(text) // the page has gone away if this fails
	}
}

// examples answers with all that can be opened, and what the page begins with.
func (s *server) examples(w http.ResponseWriter, _ *http.Request) {
	answer(w, http.StatusOK, struct {
		Release  string    `json:"release"`
		Start    Example   `json:"start"`
		Endings  []string  `json:"endings"`
		Examples []Example `json:"examples"`
	}{s.Release, s.Start, model.Endings(), s.Examples})
}

//go:embed examples/*.ftdp
var broken embed.FS

// Broken lists pseudo-code of algorithms in which something is wrong, which the header says.
func Broken() (list []Example) {
	names, err := fs.Glob(broken, "examples/*.ftdp")
	if err != nil {
		panic(err) // the pattern is constant
	}
	for _, name := range names {
		text, err := broken.ReadFile(name)
		if err != nil {
			panic(err) // it is part of the program
		}
		list = append(list, Example{Name: strings.TrimPrefix(name, "examples/"), Group: "Pseudo-code, broken",
			About: Header(string(text)), Text: string(text)})
	}
	return list
}

// Header is the first paragraph of the comment of lines that a text begins with: what it is, and what is wrong; "" if
// it begins otherwise.
func Header(text string) string {
	var words []string
	for line := range strings.Lines(text) {
		line, comment := strings.CutPrefix(line, "//")
		if !comment || strings.TrimSpace(line) == "" {
			break
		}
		words = append(words, strings.Fields(line)...)
	}
	return strings.Join(words, " ")
}
