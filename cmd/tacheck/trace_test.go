package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestTracePipe: a log that is a pipe is read once, also where a constant is read off it, and ends where the pipe does, also
// where it is followed.
func TestTracePipe(t *testing.T) {
	if _, err := os.Stat("/dev/fd"); err != nil {
		t.Skip("there is no /dev/fd here") // by which the test hands over its pipe; not all systems have it
	}
	dir := t.TempDir()
	text := `const n = 3;
type nodeID: role[n];
var node: array[nodeID] of record x: 0..9 = 0; end;
rules
  [](v: 0..9) [](i: nodeID) put: node[i].x := v;
trace counted
  constant n = count $i;
  when $e = "put": put(i = $i, v = $v);
  when $e = "see": see(i: nodeID = $i) node[i].x = $x;
end
trace fixed
  when $e = "put": put(i = $i, v = $v);
  when $e = "see": see(i: nodeID = $i) node[i].x = $x;
end
`
	file := filepath.Join(dir, "m.ftdp")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	log := `{"e":"put","i":"a","v":1}` + "\n" + `{"e":"see","i":"a","x":1}` + "\n"
	for _, more := range []string{"", `{"e":"see","i":"a","x":9}` + "\n"} {
		for _, args := range [][]string{{"--reading", "counted"}, {"--reading", "fixed"}, {"--reading", "fixed", "--follow"}} {
			r, w, err := os.Pipe()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.WriteString(log + more); err != nil {
				t.Fatal(err)
			}
			w.Close()
			var out bytes.Buffer
			code := execute(context.Background(), append([]string{"trace", file, fmt.Sprintf("/dev/fd/%d", r.Fd())}, args...), strings.NewReader(""), &out, &out)
			r.Close()
			want, events := 0, "2 events explained"
			if more != "" {
				want = 1
			}
			if code != want || !strings.Contains(out.String(), events) {
				t.Errorf("%v: exit code %d\n%s", args, code, out.String())
			}
		}
	}
}
