package tacheck_test

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestImportOrder: packages import each other in the order that
// docs/architecture.md states, and all of them are in it; what is for tests is imported by tests.
func TestImportOrder(t *testing.T) {
	page, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(page), "```order\n")
	block, _, found := strings.Cut(block, "```")
	if !found {
		t.Fatal("docs/architecture.md states no order")
	}
	place := map[string]int{}
	for i, dir := range strings.Fields(block) {
		place[strings.TrimSuffix("tacheck/"+dir, "/.")] = i
	}
	exists := map[string]bool{}
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		name := words[0]
		exists[name] = true
		at, listed := place[name]
		if !listed {
			t.Errorf("docs/architecture.md does not say where %s stands", name)
		}
		for _, imported := range words[1:] {
			if place[imported] > at {
				t.Errorf("%s imports %s, which comes after it", name, imported)
			}
			if strings.HasPrefix(imported, "tacheck/testkit/") && !strings.HasPrefix(name, "tacheck/testkit/") {
				t.Errorf("%s imports %s, which is for tests", name, imported)
			}
		}
	}
	for name := range place {
		if !exists[name] {
			t.Errorf("docs/architecture.md lists %s, which does not exist", name)
		}
	}
}
