package export

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
)

// writeCSV writes a row for each specification, below a header: for spreadsheets.
func writeCSV(w io.Writer, _ string, list []Outcome) error {
	rows := [][]string{{"file", "line", "specification", "verdict", "expected", "reason", "seconds"}}
	for i := range list {
		o := &list[i]
		line := ""
		if o.Pos.IsValid() {
			line = fmt.Sprint(o.Pos.Line)
		}
		rows = append(rows, []string{o.File, line, o.Spec, string(o.Verdict), string(o.Expect),
			cmp.Or(o.Reason, o.Said), fmt.Sprintf("%.3f", o.Seconds)})
	}
	return csv.NewWriter(w).WriteAll(rows)
}
