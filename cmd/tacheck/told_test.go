package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"

	"tacheck/testkit/need"
	"tacheck/testkit/random"
	reference "tacheck/testkit/reference/protocol"
)

// place is where something is wrong with a text.
var place = regexp.MustCompile(`(?m)^\S+\.ftdp:\d+:\d+: `)

// TestTold: whatever a random text has, each command that decides it or tells a run of it ends with a verdict, or with what is wrong
// and where. None panics.
func TestTold(t *testing.T) {
	n, seed := need.Cases(t, 60), need.Seed(t, 1)
	dir := t.TempDir()
	codes := map[string]int{}
	for i := range n {
		r := rand.New(rand.NewPCG(uint64(seed+i), 7))
		text := ""
		if i%4 == 3 {
			text = random.Source(r)
		} else {
			text = reference.Generate(uint64(seed + i)).Text
		}
		file, saved := filepath.Join(dir, "random.ftdp"), filepath.Join(dir, "run.json")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		limits := []string{"--timeout", "300ms"}
		commands := [][]string{
			append([]string{"explore", file, "--max-states", "1000", "--witness", saved, "--chart", filepath.Join(dir, "run.svg")}, limits...),
			{"replay", file, saved},
			append([][]string{ // take turns
				{"explore", file, "--max-states", "1000", "--json"},
				{"report", file, "-o", filepath.Join(dir, "report.html")},
				{"induct", file},
				{"induct", file, "--json"},
				{"verify", file},
			}[i%5], limits...),
			[][]string{{"graph", file, saved, "-o", filepath.Join(dir, "graph.svg")}, {"lint", file}}[i%2],
		}
		for _, args := range commands {
			if (args[0] == "replay" || args[0] == "graph") && !there(saved) {
				continue
			}
			code, said := unbroken(t, args)
			codes[fmt.Sprint(args[0], " ", code)]++
			usual := code >= exitHolds && code <= exitUnknown
			if usual && (code != exitUsage || place.MatchString(said) || args[0] == "verify" || args[0] == "graph") {
				continue
			}
			t.Errorf("seed %d: %s: exit code %d\n%s", seed+i, args, code, said)
			need.Save(t, fmt.Sprint(seed+i, ".ftdp"), text)
		}
		if there(saved) {
			if err := os.Remove(saved); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Log(codes)
}

func there(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// unbroken runs a command; a panic is the exit code -1.
func unbroken(t *testing.T, args []string) (code int, said string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	defer func() {
		if r := recover(); r != nil {
			code, said = -1, fmt.Sprintf("%v\n%s\n%s", r, debug.Stack(), &stdout)
		}
	}()
	code = execute(context.Background(), args, strings.NewReader(""), &stdout, &stderr)
	return code, stderr.String()
}
