package conform_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tacheck/tacheck/conform"
)

// A register in the manner of Attiya, Bar-Noy and Dolev over TCP: the program that the tests
// are about. Its faults: what a network does, servers that stop, and, for tests of tests,
// mistakes that the program could have.

// message is what clients and servers send each other, one JSON object a line.
type message struct {
	Kind   string `json:"kind"` // store, stored, ask or told
	Stamp  int    `json:"stamp"`
	Op     int    `json:"op"`
	Client string `json:"client"`
}

// mistakes are deliberate.
type mistakes struct {
	overwrite   bool // servers take what is older, too
	noSpread    bool // readers do not write back
	oneIsEnough bool // one answer counts as a majority
	stale       bool // answers to earlier requests count
	forget      bool // servers answer and keep nothing
}

// server keeps a stamp.
type server struct {
	name  string
	rec   *conform.Recorder
	wrong mistakes
	stamp int
}

// serve answers requests on a listener until it is closed.
func (s *server) serve(l net.Listener) {
	for {
		conn, err := l.Accept()
		if err != nil {
			return
		}
		go s.answer(conn)
	}
}

func (s *server) answer(conn net.Conn) {
	defer conn.Close()
	in, out := json.NewDecoder(conn), json.NewEncoder(conn)
	for {
		var m message
		if in.Decode(&m) != nil || out.Encode(s.handle(m)) != nil {
			return
		}
	}
}

func (s *server) handle(m message) (reply message) {
	s.rec.Step(func() any {
		reply = message{Kind: "stored", Op: m.Op}
		if m.Kind == "ask" {
			reply = message{Kind: "told", Stamp: s.stamp, Op: m.Op}
		} else if !s.wrong.forget && (m.Stamp > s.stamp || s.wrong.overwrite) {
			s.stamp = m.Stamp
		}
		return event("served", m.Client, map[string]any{"server": s.name, "kind": m.Kind, "stamp": m.Stamp, "op": m.Op, "now": s.stamp})
	})
	return reply
}

// event is a line of the log: of a writer, or of a reader.
func event(name, client string, more map[string]any) map[string]any {
	more["event"] = name
	if client == "w" {
		more["writer"] = client
	} else {
		more["reader"] = client
	}
	return more
}

// client is a writer or a reader. It has one connection to each server.
type client struct {
	name    string
	rec     *conform.Recorder
	wrong   mistakes
	chance  func(percent int) bool
	conns   []net.Conn
	answers chan answer
	op      int
	stamp   int
}

type answer struct {
	server int
	message
}

func dial(name string, rec *conform.Recorder, wrong mistakes, seed uint64, addrs []string) (*client, error) {
	var mu sync.Mutex
	r := rand.New(rand.NewPCG(seed, 5))
	c := &client{name: name, rec: rec, wrong: wrong, answers: make(chan answer, 1000), chance: func(percent int) bool {
		mu.Lock()
		defer mu.Unlock()
		return r.IntN(100) < percent
	}}
	for i, addr := range addrs {
		conn, err := net.Dial("tcp", addr)
		if err != nil {
			return nil, err
		}
		c.conns = append(c.conns, conn)
		go func() {
			for in := json.NewDecoder(conn); ; {
				var m message
				if in.Decode(&m) != nil {
					return
				}
				if c.chance(10) { // lost
					continue
				}
				if c.chance(20) {
					time.Sleep(time.Duration(i) * time.Millisecond) // late
				}
				c.answers <- answer{i, m}
			}
		}()
	}
	return c, nil
}

func (c *client) close() {
	for _, conn := range c.conns {
		conn.Close()
	}
}

// transmit sends a request to a server, unless the network loses it.
func (c *client) transmit(to int, m message) {
	if c.chance(15) {
		return
	}
	data, _ := json.Marshal(m)                   // of numbers and texts
	_, _ = c.conns[to].Write(append(data, '\n')) // a server that has stopped
}

var errNoMajority = errors.New("no majority answers")

// ask sends a request to all servers, again and again, until a majority has answered. begun
// records that the request begins.
func (c *client) ask(m message, begun func() any) (best int, err error) {
	m.Client = c.name
	c.rec.Step(begun)
	for i := range c.conns {
		c.transmit(i, m)
	}
	heard := map[int]bool{}
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	limit := time.After(10 * time.Second)
	for need := len(c.conns)/2 + 1; len(heard) < need && !(c.wrong.oneIsEnough && len(heard) > 0); {
		select {
		case a := <-c.answers:
			c.rec.Step(func() any {
				if a.Op == m.Op || c.wrong.stale {
					heard[a.server] = true
					best = max(best, a.Stamp)
				}
				more := map[string]any{"server": name(a.server), "kind": a.Kind, "op": a.Op}
				if a.Kind == "told" {
					more["stamp"] = a.Stamp
				}
				return event("answered", c.name, more)
			})
		case <-again.C:
			for i := range c.conns {
				if !heard[i] {
					c.rec.Step(func() any {
						return event("again", c.name, map[string]any{"server": name(i), "kind": m.Kind, "stamp": m.Stamp, "op": m.Op})
					})
					c.transmit(i, m)
				}
			}
		case <-limit:
			return 0, errNoMajority
		}
	}
	return best, nil
}

func name(server int) string { return fmt.Sprintf("s%d", server) }

// write writes the next stamp.
func (c *client) write() error {
	c.stamp++
	_, err := c.ask(message{Kind: "store", Stamp: c.stamp, Op: c.stamp}, func() any {
		return event("write", c.name, map[string]any{"stamp": c.stamp})
	})
	if err == nil {
		c.rec.Record(event("written", c.name, map[string]any{"stamp": c.stamp}))
	}
	return err
}

// read reads, and writes back what it returns.
func (c *client) read() (int, error) {
	c.op++
	best, err := c.ask(message{Kind: "ask", Op: c.op}, func() any {
		return event("read", c.name, map[string]any{"op": c.op})
	})
	if err != nil {
		return 0, err
	}
	if !c.wrong.noSpread {
		c.op++
		if _, err := c.ask(message{Kind: "store", Stamp: best, Op: c.op}, func() any {
			return event("spread", c.name, map[string]any{"stamp": best, "op": c.op})
		}); err != nil {
			return 0, err
		}
	}
	c.rec.Record(event("got", c.name, map[string]any{"stamp": best, "op": c.op}))
	return best, nil
}

// run runs a writer and two readers against servers; one server stops.
func run(t *testing.T, rec *conform.Recorder, servers, operations int, seed uint64, wrong mistakes) {
	t.Helper()
	var addrs []string
	var first net.Listener
	for i := range servers {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		if i == 0 {
			first = l
		}
		addrs = append(addrs, l.Addr().String())
		s := &server{name: name(i), rec: rec, wrong: wrong}
		go s.serve(l)
	}
	var list []*client
	for i, who := range []string{"w", "r1", "r2"} {
		c, err := dial(who, rec, wrong, seed*10+uint64(i), addrs)
		if err != nil {
			t.Fatal(err)
		}
		defer c.close()
		list = append(list, c)
	}
	var clients sync.WaitGroup
	for i, c := range list {
		clients.Go(func() {
			for k := range operations {
				if k == operations/2 && i == 0 { // a server stops answering this client
					first.Close()
					c.conns[0].Close()
				}
				var err error
				if i == 0 {
					err = c.write()
				} else {
					_, err = c.read()
				}
				if err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	clients.Wait()
}

func model() *conform.Model { return conform.Files("testdata/abd.ftdp", "testdata/abd.reading") }

// TestRegister: what the register does, over a network that loses and delays messages, and
// with a server that stops, is a run of the protocol, and reads are atomic.
func TestRegister(t *testing.T) {
	for seed := range uint64(3) {
		var rec conform.Recorder
		run(t, &rec, 3, 6, seed, mistakes{})
		conform.Check(t, model(), &rec)
	}
}

// TestMistakes: each mistake is found, at the event where it shows.
func TestMistakes(t *testing.T) {
	for what, test := range map[string]struct {
		wrong mistakes
		at    string // the kind of event
	}{
		"servers take what is older": {mistakes{overwrite: true}, "served"},
		"readers do not write back":  {mistakes{noSpread: true}, "got"},
		"one answer is enough":       {mistakes{oneIsEnough: true}, "spread written got"},
		"late answers count":         {mistakes{stale: true}, "spread written got"},
	} {
		t.Run(what, func(t *testing.T) {
			for seed := range uint64(50) {
				var rec conform.Recorder
				run(t, &rec, 3, 5, seed, test.wrong)
				out, err := conform.Verdict(t.Context(), model(), &rec)
				if err != nil {
					t.Fatal(err)
				}
				if out.Unexplained == nil {
					continue // it did not show
				}
				is := out.Unexplained.Event.Value.(map[string]any)["event"].(string)
				if !slices.Contains(strings.Fields(test.at), is) || len(out.Unexplained.Nearest) == 0 {
					t.Errorf("seed %d: found at %v", seed, out.Unexplained.Event.Text)
				}
				return
			}
			t.Error("not found")
		})
	}
}

// TestStory: the failure of a test tells what differs.
func TestStory(t *testing.T) {
	var rec conform.Recorder
	rec.Record(map[string]any{"event": "write", "writer": "w", "stamp": 1})
	rec.Record(map[string]any{"event": "served", "writer": "w", "server": "s1", "kind": "store", "stamp": 1, "op": 1, "now": 0})
	m := model()
	m.Set = map[string]int64{"n": 3, "w": 2, "ops": 2}
	var fake failing
	conform.Check(&fake, m, &rec)
	if want := "server[i].stamp is 1; the log shows 0 ($now)"; !strings.Contains(fake.said, want) {
		t.Errorf("%q is not in %s", want, fake.said)
	}
}

// failing is a test that notes why it fails.
type failing struct {
	testing.TB
	said string
}

func (f *failing) Helper()                  {}
func (f *failing) Context() context.Context { return context.Background() }
func (f *failing) Error(args ...any)        { f.said += fmt.Sprint(args...) }
