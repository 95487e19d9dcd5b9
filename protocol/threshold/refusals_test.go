package threshold_test

import (
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/parametric"
	"github.com/tacheck/tacheck/protocol/threshold"
)

// TestRefusals: each text that testdata/refusals.md says is refused is, with what the page says ("the same" as in the row
// above), at a place in its line; and the protocol around it is not. TACHECK_UPDATE=1 writes what is said.
func TestRefusals(t *testing.T) {
	const file = "testdata/refusals.md"
	page, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "```\n")
	base, rest, _ := strings.Cut(rest, "```\n")
	if err := read(base); err != nil {
		t.Fatalf("%v\n%s", err, base)
	}
	rows, last, updated := 0, "", string(page)
	table, _, _ := strings.Cut(rest, "\n\nWhat cannot")
	for _, line := range strings.Split(table, "\n") {
		cells := strings.SplitN(strings.Trim(line, "| "), " | ", 3)
		if len(cells) < 3 || !strings.HasPrefix(cells[1], "`") {
			continue
		}
		rows++
		where, written, said := "// "+cells[0], strings.Trim(cells[1], "`"), strings.TrimSpace(cells[2])
		before, _, found := strings.Cut(base, where+"\n")
		if !found {
			t.Errorf("there is no %q", where)
			continue
		}
		err := read(strings.Replace(base, where, written, 1))
		var list diag.List
		switch {
		case err == nil:
			t.Errorf("%s: not refused", written)
		case !errors.As(err, &list):
			t.Errorf("%s: %v", written, err)
		case list[0].Msg != said && (said != "the same" || list[0].Msg != last):
			t.Errorf("%s:\n%s\nand not\n%s", written, list[0].Msg, said)
			updated = strings.Replace(updated, line, strings.Replace(line, "| "+said+" |", "| "+list[0].Msg+" |", 1), 1)
		case list[0].Pos.Line != strings.Count(before, "\n")+1:
			t.Errorf("%s: in line %d", written, list[0].Pos.Line)
		}
		if len(list) > 0 {
			last = list[0].Msg
		}
	}
	if rows < 35 {
		t.Errorf("%d rows", rows)
	}
	if os.Getenv("TACHECK_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(updated), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// read reads a text as commands do that are for all sizes.
func read(text string) error {
	f, err := ftdp.Parse("refused.ftdp", text)
	if err != nil {
		return err
	}
	s, err := parametric.Of(f)
	if err != nil {
		return err
	}
	return threshold.Check(context.Background(), s)
}
