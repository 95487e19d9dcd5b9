package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/testkit/need"
)

// TestForms holds the table of docs/forms.md against what commands say of its texts. TACHECK_UPDATE=1 writes it.
func TestForms(t *testing.T) {
	const page = "../../docs/forms.md"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, base, found := strings.Cut(string(text), "```\nprotocol form;")
	base, _, closed := strings.Cut("protocol form;"+base, "```")
	if !found || !closed {
		t.Fatal("no text")
	}
	update := os.Getenv("TACHECK_UPDATE") != ""
	every, n := need.Every(t, 5), 0
	row := regexp.MustCompile(`(?m)^\| ([^|]+) \| (-|\w+) \| ([^|]+) \|$`)
	dir := t.TempDir()
	got := row.ReplaceAllStringFunc(string(text), func(line string) string {
		m := row.FindStringSubmatch(line)
		if m[2] == "where" {
			return line // the head
		}
		if n++; n%every > 0 && !update {
			return line
		}
		source := base
		if m[2] != "-" {
			written := regexp.MustCompile("`([^`]+)`$").FindStringSubmatch(m[1])
			if written == nil || !strings.Contains(base, "// "+m[2]+"\n") {
				t.Fatalf("no text in %s", line)
			}
			source = strings.Replace(base, "// "+m[2]+"\n", strings.ReplaceAll(written[1], "∣", "|")+"\n", 1)
		}
		file := filepath.Join(dir, "form.ftdp")
		if err := os.WriteFile(file, []byte(source), 0o666); err != nil {
			t.Fatal(err)
		}
		refused := []string{"-"}
		for _, c := range []struct{ name, args string }{{"explore", "explore"}, {"induct", "induct --timeout 20s"},
			{"every size", "induct --all-sizes --timeout 20s"}, {"TLA+", "translate --to tla"},
			{"Murphi", "translate --to murphi"}, {"Promela", "translate --to promela"}} {
			var said bytes.Buffer
			all := append(strings.Fields(c.args), file)
			if !strings.HasPrefix(c.args, "translate") && regexp.MustCompile(`\b(invariant|ltl) q\b`).MatchString(source) {
				all = append(all, "--spec", "q")
			}
			code := execute(context.Background(), all, strings.NewReader(""), &said, &said)
			if code == exitUsage && c.name == "explore" {
				t.Errorf("%s: %s", m[1], said.String())
			}
			if code != exitHolds && code != exitViolated {
				refused = append(refused, c.name)
			}
		}
		return "| " + m[1] + " | " + m[2] + " | " + strings.Join(refused[min(1, len(refused)-1):], ", ") + " |"
	})
	if n < 20 {
		t.Errorf("only %d rows", n)
	}
	if update {
		if err := os.WriteFile(page, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if got != string(text) {
		t.Errorf("docs/forms.md is not what commands say (TACHECK_UPDATE=1 go test ./cmd/tacheck -run TestForms):\n%s", got)
	}
}
