package export_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/show/export"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/verify"
)

// outcomes are of every kind, with characters that formats give a meaning.
func outcomes() []export.Outcome {
	at := func(line int) diag.Pos { return diag.Pos{File: "a b,c:d%.ta", Line: line, Col: 5} }
	var doubts diag.List
	doubts.Warn(at(7), 3, "holds for no good reason")
	return []export.Outcome{
		{File: "a b,c:d%.ta", Spec: "good", Pos: at(7), Verdict: verify.Holds, Seconds: 0.25, Warnings: doubts},
		{File: "a b,c:d%.ta", Spec: "bad", Pos: at(8), Verdict: verify.Violated, Seconds: 1, Text: "  x < 1 && y > 2 ]]>\x1b[31m\n  100%\n",
			Steps: []export.Step{{Pos: at(3), Text: "v0 -> v1"}, {Pos: at(4), Text: "v1 -> v2"}}},
		{File: "other.ta", Spec: "open", Pos: diag.Pos{}, Verdict: verify.Unknown, Reason: "timeout"},
		{File: "other.ta", Spec: "meant", Pos: at(9), Verdict: verify.Violated, Expect: "violated"},
	}
}

func write(t *testing.T, format string, list []export.Outcome) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := export.Formats[format](&b, "1.0", list); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestJUnit validates what is written against a schema.
func TestJUnit(t *testing.T) {
	text := write(t, "junit", outcomes())
	for _, want := range []string{`tests="4" errors="1" failures="1"`, `<failure message="bad is violated" type="violated">`, `<error message="open is undecided: timeout"`} {
		if !bytes.Contains(text, []byte(want)) {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
	need.All(t, "xmllint")
	for _, list := range [][]export.Outcome{outcomes(), nil} {
		cmd := exec.Command("xmllint", "--noout", "--schema", "testdata/junit.xsd", "-")
		cmd.Stdin = bytes.NewReader(write(t, "junit", list))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
	// The schema refuses something.
	cmd := exec.Command("xmllint", "--noout", "--schema", "testdata/junit.xsd", "-")
	cmd.Stdin = strings.NewReader(strings.Replace(string(text), "<testcase name=", "<testcase nom=", 1))
	if cmd.Run() == nil {
		t.Error("the schema allows anything")
	}
}

// TestSARIF validates what is written against the standard's schema, which the
// library holds.
func TestSARIF(t *testing.T) {
	for _, list := range [][]export.Outcome{outcomes(), nil} {
		r, err := sarif.FromBytes(write(t, "sarif", list))
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Validate(); err != nil {
			t.Error(err)
		}
	}
	var log struct {
		Runs []struct {
			Results []struct {
				RuleID, Level, Kind string
				CodeFlows           []struct {
					ThreadFlows []struct{ Locations []any }
				}
				Locations []struct {
					PhysicalLocation struct {
						ArtifactLocation struct{ URI string }
						Region           struct{ StartLine int }
					}
				}
			}
		}
	}
	if err := json.Unmarshal(write(t, "sarif", outcomes()), &log); err != nil {
		t.Fatal(err)
	}
	results := log.Runs[0].Results
	if len(results) != 5 {
		t.Fatalf("%d results", len(results))
	}
	bad := results[2]
	if bad.RuleID != "violated" || bad.Level != "error" || len(bad.CodeFlows[0].ThreadFlows[0].Locations) != 2 {
		t.Errorf("%+v", bad)
	}
	if at := bad.Locations[0].PhysicalLocation; at.ArtifactLocation.URI != "./a%20b,c:d%25.ta" || at.Region.StartLine != 8 {
		t.Errorf("%+v", at)
	}
	if results[0].Kind != "pass" || results[1].RuleID != "doubtful" || results[3].RuleID != "unknown" || results[4].Kind != "pass" {
		t.Errorf("%+v", results)
	}
}

func TestGitHub(t *testing.T) {
	want := `::warning file=a b%2Cc%3Ad%25.ta,line=7,col=5,title=good::holds for no good reason
::error file=a b%2Cc%3Ad%25.ta,line=8,col=5,title=bad is violated::bad is violated%0A  x < 1 && y > 2 ]]>` + "\x1b" + `[31m%0A  100%25
::warning file=other.ta,title=open is undecided%3A timeout::open is undecided: timeout
`
	if got := string(write(t, "github", outcomes())); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestCSV: rows are as many as outcomes, with every character as it is.
func TestCSV(t *testing.T) {
	rows, err := csv.NewReader(bytes.NewReader(write(t, "csv", outcomes()))).ReadAll()
	if err != nil || len(rows) != 5 {
		t.Fatal(err, rows)
	}
	if got := strings.Join(rows[1], "|"); got != "a b,c:d%.ta|7|good|holds||"+"|0.250" {
		t.Error(got)
	}
	if got := strings.Join(rows[3], "|"); got != "other.ta||open|unknown||timeout|0.000" {
		t.Error(got)
	}
}

// TestLeftOut: what is left out is skipped, and findings are said once.
func TestLeftOut(t *testing.T) {
	var found diag.List
	found.Warn(diag.Pos{File: "x.ta", Line: 3, Col: 1}, 1, "rule 1 never fires")
	found.Hint(diag.Pos{File: "x.ta", Line: 4, Col: 1}, 1, "it may be meant")
	list := []export.Outcome{
		{File: "x.ftdp", Spec: "live", Reason: "left out: a formula"},
		{File: "x.ta", Spec: "lint", Verdict: verify.Violated, Said: "2 findings", Warnings: found, Findings: true},
	}
	for format, want := range map[string][]string{
		"junit":  {`<skipped message="live is left out: a formula"`, `<failure message="lint: 2 findings"`},
		"sarif":  {`"kind": "notApplicable"`, `"level": "note"`, `"text": "rule 1 never fires"`},
		"github": {"::warning file=x.ta,line=3,col=1,title=lint::rule 1 never fires\n", "::notice file=x.ta,line=4"},
		"csv":    {"x.ftdp,,live,,,left out: a formula,0.000\n", "x.ta,,lint,violated,,2 findings,0.000\n"},
	} {
		text := string(write(t, format, list))
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("%s: no %s in\n%s", format, w, text)
			}
		}
		if (format == "sarif" || format == "github") && strings.Contains(text, "2 findings") {
			t.Errorf("%s: findings twice:\n%s", format, text)
		}
	}
}
