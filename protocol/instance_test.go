package protocol_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/protocol/parametric"
)

// TestInstancesReadBack prints instances of all texts for all sizes: what is printed is read as the protocol that was made.
func TestInstancesReadBack(t *testing.T) {
	done := 0
	for _, root := range []string{"../benchmarks", "../examples"} {
		err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".ftdp") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			f, err := ftdp.Parse(path, string(text))
			if err != nil || !f.Parameterized() {
				return err
			}
			if parametric.HasRounds(f) {
				rounds, err := parametric.Rounds(f)
				if err != nil {
					return err
				}
				f = rounds.One()
			}
			s, err := parametric.Of(f)
			if err != nil {
				return err
			}
			values, err := s.Smallest(nil)
			if err != nil {
				return err
			}
			made, err := instantiate.Instance(s, values)
			if err != nil {
				return err
			}
			m, err := instantiate.Model(made, nil)
			if err != nil {
				t.Errorf("%s: %v\n%s", path, err, made.Text())
				return nil
			}
			readsBack(t, m)
			again, err := instantiate.Read(path, made.Text(), nil)
			if err != nil {
				t.Errorf("%s: %v", path, err)
				return nil
			}
			for i := range m.Rules {
				if a, b := &m.Rules[i], &again.Rules[i]; a.Label != b.Label || a.Frame != b.Frame || a.Letters != b.Letters || (a.Guard == nil) != (b.Guard == nil) || places(a) != places(b) {
					t.Errorf("%s: rule %s is another one when it is read", path, a.Label)
				}
			}
			done++
			return nil
		})
		if err != nil {
			t.Error(err)
		}
	}
	if done < 20 {
		t.Errorf("only %d instances", done)
	}
}

// places counts what a rule reads and writes.
func places(t *protocol.Transition) (n [2]int) {
	t.Touch(func(_ *protocol.Term, write bool) {
		if n[0]++; write {
			n[1]++
		}
	})
	return n
}
