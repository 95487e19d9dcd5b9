package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"tacheck/internal/diag"
	"tacheck/model"
)

// openTable reads a kind of models that this program does not have: a table of comma-separated
// values, with a row for each location (location,NAME,start or empty), rule (rule,FROM,TO,GUARD,UPDATE),
// specification (spec,NAME,FORMULA), and a header (model,NAME,PARAMETERS,SHARED,ASSUMPTION).
func openTable(_ context.Context, file, text string, _ model.Options) (model.Model, error) {
	reader := csv.NewReader(strings.NewReader(text))
	reader.FieldsPerRecord = -1
	rows, err := reader.ReadAll()
	if err != nil {
		return nil, &model.InputError{Err: diag.List{{Pos: diag.Pos{File: file, Line: 1, Col: 1}, Msg: err.Error()}}, Text: text}
	}
	parts := map[string]string{}
	from := map[string]int{} // the row of each line of the automaton
	add := func(part, line string, row int) {
		parts[part] += line + "\n"
		from[line] = row
	}
	var start, head []string
	rules := 0
	for i, r := range rows {
		switch r = append(r, "", "", "", "", ""); r[0] {
		case "model":
			head = r
		case "location":
			add("locations", r[1]+";", i+1)
			if r[2] == "start" {
				start = append(start, r[1])
			} else {
				add("inits", r[1]+" == 0;", i+1)
			}
		case "rule":
			rules++
			add("rules", fmt.Sprintf("%d: %s -> %s when (%s) do { %s };", rules, r[1], r[2], r[3], r[4]), i+1)
		case "spec":
			add("specifications", r[1]+": "+r[2]+";", i+1)
		}
	}
	add("inits", strings.Join(start, " + ")+" == "+strings.Split(head[2], " ")[0]+";", 1)
	for x := range strings.FieldsSeq(head[3]) {
		add("inits", x+" == 0;", 1)
	}
	list := func(s string) string { return strings.Join(strings.Fields(s), ", ") }
	out := fmt.Sprintf("ta %s {\nshared %s;\nparameters %s;\nassumptions {\n%s;\n}\n", head[1], list(head[3]), list(head[2]), head[4])
	for _, part := range []string{"locations", "inits", "rules", "specifications"} {
		out += part + " {\n" + parts[part] + "}\n"
	}
	lines := strings.Split(out+"}\n", "\n")
	return model.Translated("a table of locations and rules", file, text, out+"}\n", func(line, _ int) (diag.Pos, int) {
		row := max(1, from[lines[min(line, len(lines))-1]])
		return diag.Pos{File: file, Line: row, Col: 1}, len(strings.Split(text, "\n")[row-1])
	})
}

const votes = `model,vote,n,yes,n >= 2
location,undecided,start
location,voted,
location,done,
rule,undecided,voted,true,yes' == yes + 1
rule,voted,done,yes >= n - 1,
rule,undecided,done,yes >= n + 1,
spec,all,[](done == 0 || yes >= n - 1)
spec,none,[](done == 0)
`

// TestNewKind: a kind of models that is registered has the commands, with places in its text.
func TestNewKind(t *testing.T) {
	model.Register(&model.Kind{Name: "a table", Endings: []string{".csv"}, Open: openTable})
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	file, bad := write("vote.csv", votes), write("bad.csv", strings.Replace(votes, "rule,voted,done", "rule,votted,done", 1))
	run := filepath.Join(dir, "run.json")
	for _, test := range []struct {
		args string
		code int
		want []string
	}{
		{"verify " + file + " --witness " + run, exitViolated, []string{"all   holds", "none  violated", "voted -> done"}},
		{"verify " + file + " --format github", exitViolated, []string{"vote.csv,line=9,col=1"}},
		{"verify " + bad, exitUsage, []string{`bad.csv:6:1: unknown location "votted"`, "rule,votted,done"}},
		{"lint " + file, exitViolated, []string{"vote.csv:7:1: warning: rule 3 never fires"}},
		{"graph " + file, exitHolds, []string{"digraph", "voted"}},
		{"report " + file + " -o " + filepath.Join(dir, "r.html"), exitViolated, []string{"1 hold, 1 violated"}},
		{"explore " + file + " --set n=3 --spec none", exitViolated, []string{"none with n = 3: violated"}},
		{"explore " + file + " --all-up-to 4 --spec all", exitHolds, []string{"3 admissible instances: no violation"}},
		{"replay " + file + " " + run, exitHolds, []string{"accepted: none of"}},
		{"bench " + dir, exitUsage, []string{"votted"}},
		{"fmt " + file, exitUsage, []string{"there is no canonical form"}},
		{"induct " + file, exitUsage, []string{"a table of locations and rules", "tacheck verify"}},
	} {
		out, code := both(strings.Fields(test.args), "")
		for _, want := range test.want {
			if !strings.Contains(out, want) {
				t.Errorf("%s: no %q in\n%s", test.args, want, out)
			}
		}
		if code != test.code {
			t.Errorf("%s: exit code %d, want %d\n%s", test.args, code, test.code, out)
		}
	}
}

// both runs a command and returns what it prints on both streams.
func both(args []string, stdin string) (string, int) {
	var out bytes.Buffer
	code := run(context.Background(), args, strings.NewReader(stdin), &out, &out)
	return out.String(), code
}
