package protocol_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/testkit/need"
)

// saved returns the file of a run of so many steps.
func saved(t *testing.T, m *protocol.Model, steps int) []byte {
	t.Helper()
	r := &interp.Run{Model: m, Loop: -1}
	n := 0
	for range steps {
		// Not always the first event, so that messages are received.
		if _, err := r.Extend(func(s interp.Successor) bool { n++; return n%3 == 0 || len(s.Event.Packets) > 0 }); err != nil {
			t.Fatal(err)
		}
	}
	data, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestCorruptedRuns puts wrong values into files of runs: they are refused with an
// error, and none makes the program panic.
func TestCorruptedRuns(t *testing.T) {
	for i, name := range []string{"paxos", "om1", "rb", "storage"} {
		if i%need.Every(t, 1) > 0 {
			continue
		}
		m := read(t, name, nil)
		data := saved(t, m, 12)
		r, err := interp.ReadRun(m, data)
		if err == nil {
			err = r.Check()
		}
		if err != nil {
			t.Fatalf("%s: %v\n%s", name, err, data)
		}
		var file any
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		tried := 0
		var spoil func(at string, get any, set func(any))
		spoil = func(at string, get any, set func(any)) {
			for _, wrong := range []any{nil, -1.0, 99.0, 1e300, "zzz", true, []any{}, map[string]any{}} {
				set(wrong)
				bad, err := json.Marshal(file)
				if err != nil {
					t.Fatal(err)
				}
				tried++
				func() {
					defer func() {
						if p := recover(); p != nil {
							t.Errorf("%s: %s is %v: panic: %v", name, at, wrong, p)
						}
					}()
					if r, err := interp.ReadRun(m, bad); err == nil {
						_ = r.Check() // some changes mean nothing, such as to the text for people
					}
				}()
			}
			set(get)
			switch v := get.(type) {
			case map[string]any:
				for k, e := range v {
					spoil(at+"."+k, e, func(x any) { v[k] = x })
				}
			case []any:
				for i, e := range v {
					spoil(fmt.Sprintf("%s[%d]", at, i), e, func(x any) { v[i] = x })
				}
			}
		}
		spoil("", file, func(x any) { file = x })
		if tried < 500 {
			t.Errorf("%s: only %d changes were tried", name, tried)
		}
	}
}
