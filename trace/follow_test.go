package trace

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/trace/reading"
)

const counting = `protocol counting;
type
  N: role[1];
var
  node: array[N] of record x: 0..9; end;
init
  start:
    for i: N do
      node[i].x := 0;
    endfor
rules
  [](i: N) step:
    if node[i].x < 9 then
      node[i].x := node[i].x + 1;
    endif
  []
`

// TestFollow: a log that is followed and becomes shorter, or is another file, is an error; of a last line
// without an end it is said that it was not looked at.
func TestFollow(t *testing.T) {
	const first = `{"x": 1}` + "\n" + `{"x": 2}` + "\n"
	for _, test := range []struct {
		name   string
		change func(file string) error
		wrong  string
	}{
		{"shorter", func(file string) error { return os.Truncate(file, 3) }, "became shorter"},
		{"renamed", func(file string) error { return os.Rename(file, file+".1") }, "renamed or removed"},
		{"unfinished", func(file string) error { return os.WriteFile(file, []byte(first+`{"x":`), 0o600) }, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, err := ftdp.Parse("counting.ftdp", counting)
			if err != nil {
				t.Fatal(err)
			}
			r, err := reading.Parse("counting.reading", "when has $x: step() after node[i].x = $x;")
			if err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "log")
			if err := os.WriteFile(file, []byte(first), 0o600); err != nil {
				t.Fatal(err)
			}
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			looks := 0
			how := How{Follow: time.Millisecond, Progress: func(events int64) {
				if looks++; events == 2 && looks == 3 {
					if err := test.change(file); err != nil {
						t.Error(err)
					}
				}
				if looks == 9 {
					stop()
				}
			}}
			out, err := Check(ctx, p, r, []Source{{Name: file, Open: func() (io.ReadCloser, error) { return os.Open(file) }}}, how)
			switch {
			case test.wrong != "" && (err == nil || !strings.Contains(err.Error(), test.wrong)):
				t.Errorf("%v", err)
			case test.wrong == "" && (err != nil || len(out.Notes) != 1 || out.Result.Events != 2):
				t.Errorf("%+v %v", out, err)
			}
		})
	}
}
