package export

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/jstemmer/go-junit-report/v2/junit"

	"github.com/tacheck/tacheck/verify"
)

// jUnit writes jUnit XML: a suite a file, a case a specification. What is
// violated is a failure, what is undecided an error.
func jUnit(w io.Writer, _ string, list []Outcome) error {
	var all junit.Testsuites
	for i := 0; i < len(list); {
		s := junit.Testsuite{Name: list[i].File, ID: len(all.Suites), File: list[i].File}
		total := 0.0
		for ; i < len(list) && list[i].File == s.Name; i++ {
			s.AddTestcase(testcase(&list[i]))
			total += list[i].Seconds
		}
		s.Time = seconds(total)
		all.AddSuite(s)
	}
	if _, err := io.WriteString(w, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"); err != nil {
		return err
	}
	return all.WriteXML(w)
}

func testcase(o *Outcome) junit.Testcase {
	c := junit.Testcase{Name: o.Spec, Classname: o.File, Time: seconds(o.Seconds)}
	problem := &junit.Result{Message: printable(o.title()), Type: string(o.Verdict), Data: printable(o.message())}
	switch {
	case o.Verdict == "":
		c.Skipped = problem
	case o.good():
	case o.Verdict == verify.Unknown:
		c.Error = problem
	default:
		c.Failure = problem
	}
	if len(o.Warnings) > 0 {
		c.SystemOut = &junit.Output{Data: printable(o.Warnings.Error())}
	}
	return c
}

func seconds(s float64) string { return fmt.Sprintf("%.3f", s) }

// printable drops what XML cannot hold.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ReplaceAll(text, "]]>", "]] >"))
}
