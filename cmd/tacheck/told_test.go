package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/show/play"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
	"github.com/tacheck/tacheck/testkit/reference/automata"
	"github.com/tacheck/tacheck/testkit/reference/promela"
	reference "github.com/tacheck/tacheck/testkit/reference/protocol"
	"github.com/tacheck/tacheck/testkit/reference/rounds"
	"github.com/tacheck/tacheck/testkit/reference/sizes"
)

// place is where something is wrong with a text, or a log.
var place = regexp.MustCompile(`(?m)^\S+[.](ftdp|pml|ta|ndjson|reading):\d+:`)

// mistaken is what is said where the program has gone wrong.
var mistaken = regexp.MustCompile(`by a mistake of this program|internal error|goroutine \d`)

// toldKinds are makers of random texts, with the endings of their files.
var toldKinds = []struct {
	ending string
	text   func(seed int) string
}{
	{".ftdp", func(seed int) string { return reference.Generate(uint64(seed)).Text }},
	{".ftdp", func(seed int) string { return reference.Generate(uint64(seed)).Text }},
	{".ftdp", func(seed int) string { return reference.Generate(uint64(seed)).Text }},
	{".ftdp", func(seed int) string { return random.Source(rand.New(rand.NewPCG(uint64(seed), 7))) }},
	{".ftdp", func(seed int) string { return sizes.Generate(uint64(seed)) }},
	{".ftdp", func(seed int) string { return rounds.Generate(uint64(seed)) }},
	{".pml", func(seed int) string { return promela.Generate(int64(seed)).Text }},
	{".ta", func(seed int) string { return automata.Generate(int64(seed), false).Text }},
}

// TestTold: whatever a random text has, each command that decides it or tells a run of it ends with a verdict, or with what is wrong
// and where. None panics.
func TestTold(t *testing.T) {
	n, seed := need.Cases(t, 60), need.Seed(t, 1)
	dir := t.TempDir()
	codes := map[string]int{}
	for i := range n {
		kind := toldKinds[i%len(toldKinds)]
		at := func(name string) string { return filepath.Join(dir, name) }
		text, file := kind.text(seed+i), at("random"+kind.ending)
		reading, log := readAnyhow(text)
		for name, text := range map[string]string{file: text, at("run.reading"): reading, at("run.ndjson"): log} {
			if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		limits := []string{"--timeout", "100ms"}
		first := []string{"explore", file, "--max-states", "1000"}
		switch {
		case i%len(toldKinds) < 4:
			first = append(first, "--chart", at("run.svg"))
		case i%2 == 0:
			first = []string{"explore", file, "--all-up-to", "3", "--max-states", "1000"}
		default:
			first = []string{"verify", file}
		}
		turns := [][]string{
			{"explore", file, "--max-states", "1000", "--json"},
			{"report", file, "-o", at("report.html")},
			{"induct", file},
			{"induct", file, "--json"},
			{"induct", file, "--all-sizes"},
			{"verify", file},
			{"verify", file, "--json"},
			{"verify", file, "--format", "junit"},
			{"trace", file, at("run.ndjson"), "--reading", at("run.reading"), "--json"},
			{"trace", file, at("run.ndjson"), "--reading", at("run.reading"), "--story", "9", "--chart", at("log.svg")},
		}
		commands := [][]string{append(append(first, "--witness", at("run.json")), limits...), {"replay", file, at("run.json")}}
		commands = append(commands, append(turns[i/len(toldKinds)%len(turns)], limits...), append(turns[(i/len(toldKinds)+i+1)%len(turns)], limits...))
		commands = append(commands, [][]string{{"graph", file, "--witness", at("run.json"), "-o", at("graph.svg")}, {"lint", file}}[i%2])
		wrong := func(args any, said string) {
			t.Errorf("seed %d: %s:\n%s\n%s", seed+i, args, said, text)
			need.Save(t, fmt.Sprint(seed+i, kind.ending), text)
		}
		for _, args := range commands {
			if (args[0] == "replay" || args[0] == "graph") && !there(at("run.json")) {
				continue
			}
			code, out, said := unbroken(t, args)
			codes[fmt.Sprint(args[0], " ", code)]++
			usual := code >= exitHolds && code <= exitUnknown
			if usual && args[0] == "report" && code < exitUsage {
				page, err := os.ReadFile(at("report.html"))
				if err != nil {
					t.Fatal(err)
				}
				out += string(page)
			}
			// What is asked of a kind that does not have it, or under no name that there is, has no place.
			if !usual || mistaken.MatchString(out+said) || code == exitUsage && !place.MatchString(said) && !strings.HasPrefix(said, "tacheck: ") {
				wrong(args, fmt.Sprintf("exit code %d\n%.3000s\n%s", code, out, said))
			}
		}
		if i%5 == 0 {
			out := playedBy(t, file, text)
			if mistaken.MatchString(out) || !strings.Contains(out, `"kind":`) {
				wrong("play", out)
			}
			codes["play"]++
		}
		for _, name := range []string{"run.json", "report.html"} {
			if err := os.Remove(at(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Fatal(err)
			}
		}
	}
	t.Log(codes)
}

// labels are what rules of texts are called.
var labels = regexp.MustCompile(`(?m)^ +\[\].*\) (?:maybe )?(\w+):`)

// readAnyhow returns a reading whose events have the names of a text's rules, any of which may happen unseen, and a log of some.
func readAnyhow(text string) (reading, log string) {
	reading = "silent all;\nignore $event = \"none\";\n"
	for i, m := range labels.FindAllStringSubmatch(text, -1) {
		reading += fmt.Sprintf("when $event = %q: rule %s();\n", m[1], m[1])
		if i < 3 {
			log += fmt.Sprintf("{\"event\": %q}\n", m[1])
		}
	}
	return reading, log + "{\"event\": \"none\"}\n"
}

// playedBy is what the page is told of a text.
func playedBy(t *testing.T, file, text string) string {
	t.Helper()
	body, err := json.Marshal(map[string]string{"file": filepath.Base(file), "text": text})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1:80/token/check", bytes.NewReader(body))
	w := httptest.NewRecorder()
	play.Handler(context.Background(), play.Options{Timeout: 100 * time.Millisecond}, "token").ServeHTTP(w, r)
	return w.Body.String()
}

func there(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// unbroken runs a command; a panic is the exit code -1.
func unbroken(t *testing.T, args []string) (code int, out, said string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	defer func() {
		if r := recover(); r != nil {
			code, out, said = -1, stdout.String(), fmt.Sprintf("%v\n%s", r, debug.Stack())
		}
	}()
	code = execute(context.Background(), args, strings.NewReader(""), &stdout, &stderr)
	return code, stdout.String(), stderr.String()
}
