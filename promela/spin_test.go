package promela_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tacheck/explore"
	"tacheck/internal/need"
	"tacheck/internal/random"
	"tacheck/promela"
)

// TestSpin makes texts for Spin of instances with parameters up to 4, and holds its
// verdicts against those of verifying and exploring: of our models, of random ones, and
// (if TACHECK_SPIN is set, as `make spin` does) of public ones where they are.
//
// TACHECK_SPIN sets how many random models there are, TACHECK_SEED the first seed, and
// TACHECK_SPIN_SECONDS the time for a model.
func TestSpin(t *testing.T) {
	need.All(t, "spin", "gcc")
	cases, seed := need.Number(t, "TACHECK_SPIN", 2), need.Number(t, "TACHECK_SEED", 1)
	patience := time.Duration(need.Number(t, "TACHECK_SPIN_SECONDS", 1)) * time.Second
	var sum compared
	add := func(name string, m *promela.Model) {
		t.Run(name, func(t *testing.T) { sum.model(t, m, patience) })
	}
	for _, c := range [][2]string{{"rb", ""}, {"rb", "N3T"}, {"rb", "F1"}, {"aba", ""}, {"frb", ""}} {
		add(c[0]+" "+c[1], read(t, "../benchmarks/"+c[0]+".pml", c[1]))
	}
	for _, c := range meanings {
		add(c.model, read(t, "testdata/"+c.model+".pml", ""))
	}
	texts, err := filepath.Glob("testdata/dialect/*.pml")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range texts {
		add(strings.TrimSuffix(filepath.Base(file), ".pml"), dialectModel(t, file))
	}
	for i := range cases {
		text := random.PromelaVaried(rand.New(rand.NewSource(int64(seed + i))))
		m, err := promela.Parse(fmt.Sprintf("random%d.pml", seed+i), text, nil)
		if err != nil {
			t.Fatal(err)
		}
		add(m.Name, m)
	}
	if os.Getenv("TACHECK_SPIN") != "" { // a quarter of an hour
		for _, c := range corpus {
			if file := "../../shared/corpus/promela/" + c.model + ".pml"; exists(file) {
				add(c.model+" "+c.define, read(t, file, c.define))
			}
		}
		for _, name := range []string{"asyn-byzagreement0", "bcast-hyb", "bcast-omit"} {
			for _, define := range []string{"", "SPIN", "ORDER1", "BUG"} {
				if file := "../../shared/corpus/promela-public/" + name + ".pml"; exists(file) {
					text, err := os.ReadFile(file)
					if err != nil {
						t.Fatal(err)
					}
					if m, err := promela.Parse(file, string(text), map[string]string{define + "_": "1", define: "1"}); err == nil {
						add(name+" public "+define, m)
					}
				}
			}
		}
	}
	t.Logf("%d instances, %d verdicts, %d of them violations; %d instances too large, %d formulas too much for Spin", sum.instances, sum.verdicts, sum.violations, sum.large, sum.given)
	if sum.verdicts == 0 || sum.violations == 0 || sum.violations == sum.verdicts {
		t.Error("the cases are one-sided")
	}
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

type compared struct{ instances, verdicts, violations, large, given int }

// model compares verdicts on all instances of a model for which there is time.
func (s *compared) model(t *testing.T, m *promela.Model, patience time.Duration) {
	until := time.Now().Add(patience)
	verified, err := verdicts(m)
	var none *promela.Untranslatable
	if err != nil && !errors.As(err, &none) {
		t.Fatal(err)
	}
	params := make([]int64, len(m.Params))
	var fill func(i int, left int64)
	fill = func(i int, left int64) {
		if time.Now().After(until) || t.Failed() {
			return
		}
		if i == len(params) {
			if left > 0 {
				return
			}
			if in, err := m.NewInstance(append([]int64{}, params...)); err == nil && in.Processes <= 4 {
				s.instance(t, m, in, verified)
			}
			return
		}
		for v := range min(left, 4) + 1 {
			params[i] = v
			fill(i+1, left-v)
		}
	}
	for sum := range int64(4*len(params) + 1) {
		fill(0, sum)
	}
}

func (s *compared) instance(t *testing.T, m *promela.Model, in *promela.Instance, verified map[string]string) {
	ours := map[string]bool{}
	for i := range m.Formulas {
		f := &m.Formulas[i]
		e, err := m.Explore(context.Background(), f, in, 3000)
		if errors.Is(err, explore.ErrTooLarge) || errors.Is(err, promela.ErrCut) {
			s.large++
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		ours[f.Name] = e.Run != nil
		if e.Run != nil && verified[f.Name] == "holds" {
			t.Errorf("%s with %s: verified, but violated", f.Name, in)
		}
	}
	s.instances++
	for i := range m.Formulas {
		f := &m.Formulas[i]
		text, err := in.Spin(f, in.Most)
		if err != nil {
			s.large++
			return
		}
		violated, err := spin(t.TempDir(), text)
		switch {
		case err != nil && strings.Contains(err.Error(), "Error"):
			t.Fatalf("%s with %s: %v\n%s", f.Name, in, err, text)
		case err != nil:
			s.given++
		default:
			s.verdicts++
		}
		if violated {
			s.violations++
		}
		if err == nil && violated != ours[f.Name] {
			t.Errorf("%s with %s: violated says Spin: %v, we say %v\n%s", f.Name, in, violated, ours[f.Name], text)
		}
	}
}

// spin reports whether Spin finds the formula of a text violated; the error says
// why it does not know.
func spin(dir, text string) (bool, error) {
	if err := os.WriteFile(filepath.Join(dir, "m.pml"), []byte(text), 0o600); err != nil {
		return false, err
	}
	out := ""
	for _, line := range []string{"spin -a m.pml", "gcc -w -O0 -DVECTORSZ=4096 -DMEMLIM=1000 -o pan pan.c", "./pan -a -E -n -m1000000"} {
		limited, cancel := context.WithTimeout(context.Background(), 8*time.Second)
		defer cancel()
		words := strings.Fields(line)
		cmd := exec.CommandContext(limited, words[0], words[1:]...)
		cmd.Dir = dir
		text, err := cmd.CombinedOutput()
		if limited.Err() != nil {
			return false, limited.Err()
		}
		if out = string(text); err != nil {
			return false, fmt.Errorf("Error: %s: %w: %s", line, err, out)
		}
	}
	if !strings.Contains(out, "errors: ") || strings.Contains(out, "max search depth too small") || strings.Contains(out, "out of memory") {
		return false, errors.New("Spin gives up")
	}
	return !strings.Contains(out, "errors: 0"), nil
}
