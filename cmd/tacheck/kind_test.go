package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/ta/syntax"
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
	lines := strings.Split(text, "\n")
	at := func(row int) syntax.Origin {
		return syntax.Origin{At: diag.Pos{File: file, Line: row + 1, Col: 1}, Width: len(lines[row])}
	}
	expr := func(row int, text string) *syntax.Expr {
		e, err := syntax.ParseExpr(file, text)
		if err != nil {
			panic(err)
		}
		return at(row).Placed(e)
	}
	b := &syntax.Builder{At: at(0)}
	var start []*syntax.Expr
	count := ""
	for i, r := range rows {
		o := at(i)
		switch r = append(r, "", "", "", "", ""); r[0] {
		case "model":
			b.Name, b.Parameters, b.Shared = r[1], o.Idents(strings.Fields(r[2])...), o.Idents(strings.Fields(r[3])...)
			b.Assumptions = append(b.Assumptions, expr(i, r[4]))
			count = b.Parameters[0].Name
		case "location":
			b.Locations = append(b.Locations, o.Ident(r[1]))
			if r[2] == "start" {
				start = append(start, o.Name(r[1]))
			} else {
				b.Inits = append(b.Inits, o.Equation(o.Name(r[1]), 0))
			}
		case "rule":
			guard := o.Truth(true)
			if r[3] != "" {
				guard = expr(i, r[3])
			}
			var updates []*syntax.Action
			if name, value, ok := strings.Cut(r[4], "' == "); ok {
				updates = append(updates, o.Update(name, expr(i, value)))
			}
			b.Rule(o, r[1], r[2], guard, updates...)
		case "spec":
			b.Specs = append(b.Specs, o.Spec(r[1], expr(i, r[2])))
		}
	}
	b.Inits = append(b.Inits, at(0).Op(syntax.Eq, at(0).Plus(start...), at(0).Name(count)))
	for _, x := range b.Shared {
		b.Inits = append(b.Inits, at(0).Equation(at(0).Name(x.Name), 0))
	}
	return model.Translated("a table of locations and rules", file, text, b.File())
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
		{"bench " + bad, exitUsage, []string{"votted"}}, // no process of its own: it would not know the kind
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
	code := execute(context.Background(), args, strings.NewReader(stdin), &out, &out)
	return out.String(), code
}
