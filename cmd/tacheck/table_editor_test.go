package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// editorRow opens a model in an editor, and returns the problems that it shows, with exit code 2 if there
// are errors, and the lenses.
func editorRow(t *testing.T, file string) (out string, code int) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	toServer, client := io.Pipe()
	server, fromServer := io.Pipe()
	ended := make(chan int)
	go func() {
		ended <- execute(context.Background(), []string{"lsp"}, toServer, fromServer, io.Discard)
		fromServer.Close()
	}()
	defer func() { client.Close(); server.Close(); <-ended }()
	var said strings.Builder
	send := func(format string, args ...any) {
		body := fmt.Sprintf(format, args...)
		fmt.Fprintf(&said, "Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	quoted, err := json.Marshal(string(text))
	if err != nil {
		t.Fatal(err)
	}
	uri := "file:///" + filepath.Base(file)
	send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
	send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":%q,"languageId":"tacheck","version":1,"text":%s}}}`, uri, quoted)
	send(`{"jsonrpc":"2.0","id":2,"method":"textDocument/codeLens","params":{"textDocument":{"uri":%q}}}`, uri)
	go io.WriteString(client, said.String()) // the server answers before it has read all
	r := bufio.NewReader(server)
	problems, lenses := false, false
	stop := time.AfterFunc(time.Minute, func() { server.Close() })
	defer stop.Stop()
	for !problems || !lenses {
		header, err := textproto.NewReader(r).ReadMIMEHeader()
		if err != nil {
			t.Fatal(err, out)
		}
		n, _ := strconv.Atoi(header.Get("Content-Length"))
		body := make([]byte, n)
		if _, err := io.ReadFull(r, body); err != nil {
			t.Fatal(err)
		}
		var m struct {
			ID     int
			Method string
			Params struct {
				Diagnostics []struct {
					Range    struct{ Start struct{ Line, Character int } }
					Severity int
					Message  string
				}
			}
			Result json.RawMessage
		}
		if err := json.Unmarshal(body, &m); err != nil {
			t.Fatal(err)
		}
		switch {
		case m.Method == "textDocument/publishDiagnostics":
			problems = true
			for _, d := range m.Params.Diagnostics {
				out += fmt.Sprintf("%s:%d:%d: %s\n", filepath.Base(file), d.Range.Start.Line+1, d.Range.Start.Character+1, d.Message)
				if d.Severity == 1 {
					code = exitUsage
				}
			}
		case m.ID == 2:
			lenses = true
			var list []struct{ Command struct{ Title string } }
			if err := json.Unmarshal(m.Result, &list); err != nil && !strings.Contains(string(m.Result), "null") {
				t.Fatal(err)
			}
			for _, l := range list {
				out += "lens: " + l.Command.Title + "\n"
			}
		}
	}
	return out, code
}
