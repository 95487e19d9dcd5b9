package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReliability: every row of the table of faults names a test there is, and
// the script that shows a fault says so.
func TestReliability(t *testing.T) {
	text, err := os.ReadFile("testdata/faults.md")
	if err != nil {
		t.Fatal(err)
	}
	tests := ""
	for _, pattern := range []string{"*_test.go", "../../*_test.go", "../../certificate/*_test.go", "../../induct/*_test.go", "../../cluster/*_test.go", "../../cluster/work/*_test.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			source, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			tests += string(source)
		}
	}
	rows := regexp.MustCompile(`(?m)^\| ([^|]+) \| [^|]+ \| ([0-3-]) \| ([\w, ]+) \|$`).FindAllStringSubmatch(string(text), -1)
	if len(rows) < 20 {
		t.Errorf("only %d rows", len(rows))
	}
	for _, row := range rows {
		fault, code, name := row[1], row[2], row[3]
		if strings.HasPrefix(name, "Test") {
			for _, name := range strings.Split(name, ", ") {
				if !strings.Contains(tests, "func "+name+"(") {
					t.Errorf("%s: there is no %s", fault, name)
				}
			}
			continue
		}
		script, err := os.ReadFile(filepath.Join("testdata/script", name+".txtar"))
		if err != nil {
			t.Errorf("%s: %v", fault, err)
			continue
		}
		_, section, found := strings.Cut(string(script), "# row: "+fault+"\n")
		if !found {
			t.Errorf("%s: %s does not show it", fault, name)
			continue
		}
		section, _, _ = strings.Cut(section, "\n\n")
		if !strings.Contains(section, "exits "+code+" ") && !strings.Contains(section, "deaf "+code+" ") {
			t.Errorf("%s: %s does not show exit code %s", fault, name, code)
		}
	}
}
