package conform_test

import (
	"encoding/json"
	"errors"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/conform"
	"github.com/tacheck/tacheck/cover"
)

// servers are the servers of the register, over TCP, that runs of the protocol are played
// against: clients are played by the test.
type servers struct {
	wrong   mistakes
	list    map[string]*server
	conns   map[string]net.Conn
	closing []func()
}

func (s *servers) Begin(run *cover.Run) error {
	s.end()
	s.list, s.conns = map[string]*server{}, map[string]net.Conn{}
	for _, p := range run.Initial {
		if !strings.HasPrefix(p.Name, "server") {
			continue
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		s.list[p.Name] = &server{name: p.Name, rec: new(conform.Recorder), wrong: s.wrong}
		go s.list[p.Name].serve(l)
		conn, err := net.Dial("tcp", l.Addr().String())
		if err != nil {
			return err
		}
		s.conns[p.Name] = conn
		s.closing = append(s.closing, func() { conn.Close(); l.Close() })
	}
	return nil
}

func (s *servers) end() {
	for _, f := range s.closing {
		f()
	}
	s.closing = nil
}

func (s *servers) Step(step *cover.Step) ([]cover.Message, error) {
	conn := s.conns[step.Process]
	if conn == nil || step.Fate != "processed" {
		return nil, conform.ErrElsewhere
	}
	in := step.Receives[0]
	stamp, _ := in.Message["stamp"].(int)
	request := message{Kind: strings.ToLower(in.Message["kind"].(string)), Stamp: stamp, Op: in.Message["op"].(int), Client: in.From}
	if err := json.NewEncoder(conn).Encode(request); err != nil {
		return nil, err
	}
	var reply message
	if err := json.NewDecoder(conn).Decode(&reply); err != nil {
		return nil, err
	}
	out := map[string]any{"kind": strings.ToUpper(reply.Kind), "op": reply.Op, "stamp": nil}
	if reply.Kind == "told" {
		out["stamp"] = reply.Stamp
	}
	return []cover.Message{{From: step.Process, To: in.From, Message: out}}, nil
}

func (s *servers) State(process string) (map[string]any, error) {
	if server := s.list[process]; server != nil {
		var stamp int
		server.rec.Step(func() any {
			stamp = server.stamp
			return nil
		})
		return map[string]any{"stamp": stamp}, nil
	}
	return nil, nil
}

// small is the register with few processes, whose runs are found quickly.
func small() *conform.Model {
	m := conform.Files("testdata/abd.ftdp", "")
	m.States = 1000
	m.Set = map[string]int64{"n": 2, "r": 1, "w": 2, "ops": 1, "room": 1}
	return m
}

// TestDrive: servers do what runs of the protocol expect of them.
func TestDrive(t *testing.T) {
	for _, what := range []cover.What{cover.Rules, cover.Conditions} {
		t.Run(string(what), func(t *testing.T) {
			s := &servers{}
			defer s.end()
			runs := conform.Runs(t, small(), what)
			if len(runs) == 0 {
				t.Fatal("no runs")
			}
			conform.Drive(t, runs, s)
		})
	}
}

// TestDriven: a server that keeps nothing differs from the protocol in some run.
func TestDriven(t *testing.T) {
	s := &servers{wrong: mistakes{forget: true}}
	defer s.end()
	for _, run := range conform.Runs(t, small(), cover.Rules) {
		if err := conform.Play(run, s); err != nil {
			if !strings.Contains(err.Error(), "stamp is") {
				t.Error(err)
			}
			return
		}
	}
	t.Error("no run shows the mistake")
}

// TestSaved: a run that was saved is the run that it was, and is played like that.
func TestSaved(t *testing.T) {
	s := &servers{}
	defer s.end()
	differs := map[bool]int{}
	for i, run := range conform.Runs(t, small(), cover.Rules) {
		text, err := json.Marshal(run.Replay())
		file := filepath.Join(t.TempDir(), "run.json")
		if err = errors.Join(err, os.WriteFile(file, text, 0o666)); err != nil {
			t.Fatal(err)
		}
		saved := conform.Saved(t, small(), file)
		if len(saved.Steps) == 0 || !reflect.DeepEqual(saved.Initial, run.Initial) {
			t.Errorf("run %d begins in %+v, with %d steps", i, saved.Initial, len(saved.Steps))
		}
		if err := conform.Play(saved, s); err != nil {
			t.Errorf("run %d: %v", i, err)
		}
		wrong := &servers{wrong: mistakes{forget: true}}
		differs[conform.Play(saved, wrong) != nil]++
		wrong.end()
	}
	if differs[true] == 0 {
		t.Errorf("runs that show the mistake, and do not: %v", differs)
	}
}
