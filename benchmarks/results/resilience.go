package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/synth"
)

// resilience sets the weakest conditions beside what the literature says.
func resilience(w io.Writer) error {
	fmt.Fprint(w, `
## Resilience

The weakest conditions of the form n > a t + b f + c (0 to 10 each) in place of the model's own, by `+"`tacheck resilience`"+`. A specification may hold under a weaker
condition than its algorithm needs, because of what its premises say, or because the rest of the model (t >= f) sees to it. Where two conditions are given, either is enough.

| model | its condition | holds | literature | verifications | s |
| --- | --- | --- | --- | ---:| ---:|
`)
	for _, c := range []struct{ file, form, literature string }{
		{"aba.ta", "", "n > 3t (Bracha, Toueg 1985)"},
		{"bosco.ta", "",
			"n > 3t, for the underlying consensus, which is not modelled; fast for n > 5t without faults and for n > " +
				"7t, which are premises here (Song, van Renesse 2008)"},
		{"c1cs.ta", "", "n > 3t (Brasileiro, Greve, Mostefaoui, Raynal 2001)"},
		{"cbc.ta", "", "n > 2t (Mostefaoui, Mourgaya, Parvedy, Raynal 2003)"},
		{"cf1s.ta", "", "n > 3t (Dobre, Suri 2006)"},
		{"frb.ta", "n > b*f + c", "any number of crashes; one process has to be correct (Chandra, Toueg 1996)"},
		{"nbac.ta", "n > b*f + c", "any number of crashes (Raynal 1997)"},
		{"nbacc.ta", "n > b*f + c", "any number of crashes (Raynal 1997)"},
		{"nbacg.ta", "n > b*f + c", "any number of crashes (Guerraoui 2002)"},
		{"rb.ta", "", "n > 3t (Srikanth, Toueg 1987)"},
	} {
		a, err := benchmarks.Parse(c.file)
		if err != nil {
			return err
		}
		form := c.form
		if form == "" {
			form = "n > a*t + b*f + c"
		}
		condition, err := synth.NewCondition(c.file, a.Syntax(), form, 10)
		if err != nil {
			if condition, err = synth.NewCondition(c.file, a.Syntax(), "n > c", 10); err != nil {
				return fmt.Errorf("%s: %w", c.file, err)
			}
		}
		r, err := condition.Find(context.Background(), synth.Options{})
		if err != nil {
			return fmt.Errorf("%s: %w", c.file, err)
		}
		own := strings.Join(condition.Replaced, "; ")
		if own == "" {
			own = "none"
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %d | %.1f |\n", filepath.Base(c.file), own, r.Sentence(), c.literature,
			r.Verified, r.Time.Seconds())
	}
	return nil
}
