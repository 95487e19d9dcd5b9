package lsp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/show/lsp"
	"github.com/tacheck/tacheck/verify"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// pipe is a stream made of two pipes.
type pipe struct {
	io.Reader
	io.Writer
	close func()
}

func (p pipe) Close() error { p.close(); return nil }

// client drives a server as an editor does: messages with a header each.
type client struct {
	t   *testing.T
	out io.Writer
	in  chan string // what the server says, without headers
	end chan error
}

func start(t *testing.T) *client {
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	c := &client{t: t, out: fromClient, in: make(chan string, 100), end: make(chan error, 1)}
	go func() {
		c.end <- lsp.Serve(context.Background(), pipe{toServer, fromServer, func() { toServer.Close(); fromServer.Close() }}, "test", verify.Options{})
	}()
	go func() {
		defer close(c.in)
		r := bufio.NewReader(toClient)
		for {
			header, err := textproto.NewReader(r).ReadMIMEHeader()
			if err != nil {
				return
			}
			n, err := strconv.Atoi(header.Get("Content-Length"))
			if err != nil {
				return
			}
			body := make([]byte, n)
			if _, err := io.ReadFull(r, body); err != nil {
				return
			}
			c.in <- string(body)
		}
	}()
	t.Cleanup(func() { fromClient.Close(); toClient.Close() })
	return c
}

func (c *client) send(text string) {
	c.t.Helper()
	if _, err := fmt.Fprintf(c.out, "Content-Length: %d\r\n\r\n%s", len(text), text); err != nil {
		c.t.Fatal(err)
	}
}

// receive returns what the server says next, in canonical JSON.
func (c *client) receive() string {
	c.t.Helper()
	select {
	case text, ok := <-c.in:
		if !ok {
			return "(end)"
		}
		var v any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			c.t.Fatalf("%v in %s", err, text)
		}
		var b bytes.Buffer
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			c.t.Fatal(err)
		}
		return regexp.MustCompile(`\(\d+\.\d\d s\)`).ReplaceAllString(strings.TrimSuffix(b.String(), "\n"), "(0.00 s)")
	case <-time.After(time.Minute):
		c.t.Fatal("the server says nothing")
	}
	return ""
}

// TestExchanges repeats recorded exchanges: lines that begin with ">" are sent
// and those with "<" are expected, in this order; "#" comments. TACHECK_UPDATE=1
// records what the server says anew: read it.
//
// In what is sent, {{NAME}} is the text of an embedded model as a JSON string.
func TestExchanges(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no exchanges", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			c := start(t)
			var got strings.Builder
			for line := range strings.Lines(string(text)) {
				switch line[0] {
				case '>':
					c.send(model(t, strings.TrimSpace(line[1:])))
					got.WriteString(line)
				case '<':
					got.WriteString("< " + c.receive() + "\n")
				default:
					got.WriteString(line)
				}
			}
			if os.Getenv("TACHECK_UPDATE") != "" {
				if err := os.WriteFile(file, []byte(got.String()), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if diff := cmp.Diff(string(text), got.String()); diff != "" {
				t.Errorf("(-recorded +said)\n%s", diff)
			}
			select {
			case err := <-c.end:
				if err != nil {
					t.Error(err)
				}
			case <-time.After(time.Minute):
				t.Error("the server does not end")
			}
		})
	}
}

var placeholder = regexp.MustCompile(`"\{\{(.*?)\}\}"`)

func model(t *testing.T, text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(s string) string {
		source, ok := benchmarks.Read(placeholder.FindStringSubmatch(s)[1])
		if !ok {
			t.Fatalf("no model %s", s)
		}
		quoted, err := json.Marshal(source)
		if err != nil {
			t.Fatal(err)
		}
		return string(quoted)
	})
}

// TestEnds: the server ends when the editor goes away, whatever is under way,
// and complains about an exit without shutdown.
func TestEnds(t *testing.T) {
	c := start(t)
	c.send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
	c.receive()
	c.send(model(t, `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///c.ta","languageId":"ta","version":1,"text":"{{c1cs.ta}}"}}}`))
	c.receive()
	c.send(`{"jsonrpc":"2.0","id":2,"method":"workspace/executeCommand","params":{"command":"tacheck.verify","arguments":["file:///c.ta","termination"]}}`)
	c.out.(io.Closer).Close()
	select {
	case <-c.end:
	case <-time.After(time.Minute):
		t.Error("the server does not end with its input")
	}

	c = start(t)
	c.send(`{"jsonrpc":"2.0","method":"exit"}`)
	if err := <-c.end; err == nil {
		t.Error("exit without shutdown is no error")
	}
}
