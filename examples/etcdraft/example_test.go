//go:build with_tla

package etcdraft

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/testkit/mistake"
	"github.com/tacheck/tacheck/trace"
	"github.com/tacheck/tacheck/trace/reading"
)

// TestExample: the log that the library comes with, of ten nodes, five of them founders, of whom three
// leave and others join, is a run of Raft; with one thing changed it is not, from there on.
func TestExample(t *testing.T) {
	log, err := os.ReadFile(filepath.Join(mistake.Module(t, raftModule), "tla", "example.ndjson"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(log, []byte("\n"))
	founders := map[string]int64{"founders": 5}
	out, err := checkWith(t, log, founders)
	if err != nil {
		t.Fatal(err)
	}
	if out.Verdict != trace.Explained || out.Result.Events < 4500 {
		t.Fatal(told(t, out))
	}
	t.Logf("%d events by %d steps, %d states at once", out.Result.Events, out.Result.Steps, out.Result.Most)
	for _, c := range []struct {
		name     string
		line     int // from 1
		old, new string
		found    int // where it shows
	}{
		{"a change that nobody proposed", 684, `"name":"ChangeConf"`, `"name":"Crash"`, 686},
		{"somebody else leaves", 684, `"nid":"1","action"`, `"nid":"3","action"`, 1261},
		{"a member too many", 3417, `"AddNewServer"`, `"RemoveServer"`, 3551},
		{"nobody has voted", 0, "", "", 102},
	} {
		changed := bytes.Clone(log)
		if c.old != "" {
			line := strings.Replace(string(lines[c.line-1]), c.old, c.new, 1)
			if line == string(lines[c.line-1]) {
				t.Fatalf("line %d has no %s: %s", c.line, c.old, line)
			}
			changed = bytes.Join([][]byte{bytes.Join(lines[:c.line-1], nil), []byte(line), bytes.Join(lines[c.line:], nil)}, nil)
		} else {
			changed = bytes.Replace(changed, []byte(`"name":"ReceiveRequestVoteResponse"`), []byte(`"name":"Crash"`), -1)
		}
		out, err := checkWith(t, changed, founders)
		if err != nil {
			t.Fatal(err)
		}
		if u := out.Unexplained; u == nil || u.Event.Line != c.found {
			t.Errorf("%s: not found at line %d\n%s", c.name, c.found, told(t, out))
		}
	}
}

// TestBeyond: three changes of membership at once are not in the text: a log that has them is explained up to
// there, and what follows is an error of the log, not a run that does not exist.
func TestBeyond(t *testing.T) {
	var log bytes.Buffer
	if err := Run(2, 3, 500, &log); err != nil {
		t.Fatal(err)
	}
	state := `"nid":"1","state":{"term":1,"vote":"1","commit":0},"role":"StateLeader","log":1,"conf":[["1","2","3"],[]]`
	leaves := func(nid string) string { return `{"nid":"` + nid + `","action":"RemoveServer"}` }
	event := `{"event":{"name":"ChangeConf",` + state + `,"prop":{"cc":{"changes":[` + leaves("1") + `,` + leaves("2") + `,` + leaves("3") + `]}}}}`
	_, err := checkWith(t, append(log.Bytes(), event...), nil)
	if wrong := new(reading.LogError); !errors.As(err, &wrong) {
		t.Errorf("%s: %v", event, err)
	}
}
