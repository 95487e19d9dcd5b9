package play

import (
	"context"
	"net/http"
	"time"

	"github.com/coder/websocket"

	"github.com/tacheck/tacheck/show/lsp"
)

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
