package promela_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/promela"
	"github.com/tacheck/tacheck/promela/counters"
	"github.com/tacheck/tacheck/testkit/need"
	"github.com/tacheck/tacheck/testkit/random"
)

// TestSpin makes texts for Spin of instances, and holds its verdicts against those of
// exploring: of our models and of the texts of testdata, and of public models, where they are, in all
// cases. By default, of each one small instance with at least two processes; larger runs try larger ones.
//
// With TACHECK_SPIN, as `make spin` sets it, all instances with parameters up to 4 for which there is time
// (TACHECK_SPIN_SECONDS for a model), also of so many random models, and what is verified is held against them, too.
func TestSpin(t *testing.T) {
	need.Peers(t, "spin")
	need.Any(t, compilers...)
	sum := compared{all: os.Getenv("TACHECK_SPIN") != "",
		patience: time.Duration(need.Number(t, "TACHECK_SPIN_SECONDS", 1)) * time.Second, states: 300}
	switch every := need.Every(t, 2); {
	case sum.all || every == 1:
		sum.states = 3000
	case every == 2:
		sum.states = 600
	}
	list := spinModels(t)
	if !sum.all {
		list = rows(list, need.Every(t, 1))
	}
	t.Run("models", func(t *testing.T) {
		for _, row := range list {
			t.Run(row.name, func(t *testing.T) {
				t.Parallel()
				one := compared{all: sum.all, patience: sum.patience, states: sum.states}
				if one.model(t, row.m); one.instances == 0 {
					t.Log("no instance is small enough")
				}
				sum.add(&one)
			})
		}
	})
	t.Logf("%d texts, %d instances, %d verdicts, %d of them violations; %d instances too large, %d formulas too much "+
		"for Spin", len(list), sum.instances, sum.verdicts, sum.violations, sum.large, sum.given)
	if sum.verdicts == 0 || sum.violations == 0 || sum.violations == sum.verdicts {
		t.Error("the cases are one-sided")
	}
}

// rows are each k-th of a list, and the first.
func rows(list []spinModel, k int) (out []spinModel) {
	for i := 0; i < len(list); i += k {
		out = append(out, list[i])
	}
	return out
}

type spinModel struct {
	name string
	m    *promela.Model
}

// spinModels lists the models whose instances are given to Spin.
func spinModels(t *testing.T) (list []spinModel) {
	for _, c := range [][2]string{{"rb", ""}, {"rb", "N3T"}, {"rb", "F1"}, {"aba", ""}, {"frb", ""}} {
		list = append(list, spinModel{c[0] + " " + c[1], read(t, "../benchmarks/"+c[0]+".pml", c[1])})
	}
	for _, c := range meanings {
		list = append(list, spinModel{c.model, read(t, "testdata/"+c.model+".pml", "")})
	}
	texts, err := filepath.Glob("testdata/dialect/*.pml")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range corpus {
		if file := "../../shared/corpus/promela/" + c.model + ".pml"; exists(file) {
			list = append(list, spinModel{c.model + " " + c.define, read(t, file, c.define)})
		}
	}
	for _, name := range []string{"asyn-byzagreement0", "bcast-hyb", "bcast-omit"} {
		for _, define := range []string{"", "SPIN", "ORDER1", "BUG"} {
			if file := "../../shared/corpus/promela-public/" + name + ".pml"; exists(file) {
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if m, err := promela.Parse(file, string(text), map[string]string{define + "_": "1",
					define: "1"}); err == nil {
					list = append(list, spinModel{name + " public " + define, m})
				}
			}
		}
	}
	for _, file := range texts {
		list = append(list, spinModel{strings.TrimSuffix(filepath.Base(file), ".pml"), dialectModel(t, file)})
	}
	if os.Getenv("TACHECK_SPIN") == "" {
		return list
	}
	for i := range need.Number(t, "TACHECK_SPIN", 2) {
		seed := need.Seed(t, 1) + i
		m, err := promela.Parse(fmt.Sprintf("random%d.pml", seed),
			random.PromelaVaried(rand.New(rand.NewSource(int64(seed)))), nil)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, spinModel{m.Name, m})
	}
	return list
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// compared counts what Spin was asked.
type compared struct {
	all                                           bool
	patience                                      time.Duration
	states                                        int // configurations of an instance at most
	instances, verdicts, violations, large, given int
	lock                                          sync.Mutex
}

// add adds what another one has counted.
func (s *compared) add(o *compared) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.instances, s.verdicts, s.violations = s.instances+o.instances, s.verdicts+o.verdicts, s.violations+o.violations
	s.large, s.given = s.large+o.large, s.given+o.given
}

// operators is how many temporal operators a formula may have that Spin makes an automaton of.
func (s *compared) operators() int {
	if s.all {
		return 4
	}
	return 2
}

// model compares verdicts on instances of a model: one, or all for which there is time.
func (s *compared) model(t *testing.T, m *promela.Model) {
	verified, until := map[string]string{}, time.Now().Add(s.patience)
	if s.all {
		var err error
		if verified, err = verdicts(m); err != nil && (!errors.As(err, new(diag.List)) || errors.As(err, new(counters.Meaningless))) {
			t.Fatal(err)
		}
	}
	params, done := make([]int64, len(m.Params)), false
	var fill func(i int, left int64)
	fill = func(i int, left int64) {
		if done || !s.all && s.large > 2 || s.all && time.Now().After(until) || t.Failed() ||
			i == len(params) && left > 0 {
			return
		}
		if i == len(params) {
			in, err := m.NewInstance(append([]int64{}, params...))
			if err == nil && in.Processes <= 4 && (s.all || in.Processes >= 2) {
				done = s.instance(t, m, in, verified) && !s.all
			}
			return
		}
		for v := range min(left, 4) + 1 {
			params[i] = v
			fill(i+1, left-v)
		}
	}
	for sum := range int64(4*len(params) + 1) {
		if fill(0, sum); !s.all && sum > 9 {
			return
		}
	}
}

// instance compares verdicts on one instance; false if it is too large.
func (s *compared) instance(t *testing.T, m *promela.Model, in *promela.Instance, verified map[string]string) bool {
	var ours []bool
	var list []*promela.Named
	for i := range m.Formulas {
		f := &m.Formulas[i]
		e, err := m.Explore(context.Background(), f, in, s.states)
		if errors.Is(err, explore.ErrTooLarge) || errors.Is(err, promela.ErrCut) {
			s.large++
			return false
		}
		if err != nil {
			t.Fatal(err)
		}
		ours, list = append(ours, e.Run != nil), append(list, f)
		if e.Run != nil && verified[f.Name] == "holds" {
			t.Errorf("%s with %s: verified, but violated", f.Name, in)
		}
	}
	if text, err := in.Spin(list, in.Most, s.operators()); err != nil || !s.all && len(text) > 250_000 {
		s.large++
		return false
	}
	s.instances++
	if !s.asks(t, in, list, ours) && len(list) > 1 { // one formula may be too much
		for i := range list {
			s.asks(t, in, list[i:i+1], ours[i:i+1])
		}
	}
	return true
}

// asks compares verdicts on some formulas; false if that is too much for Spin.
func (s *compared) asks(t *testing.T, in *promela.Instance, list []*promela.Named, ours []bool) bool {
	text, err := in.Spin(list, in.Most, s.operators())
	if err != nil {
		t.Fatal(err)
	}
	violated, err := spin(t.TempDir(), text, len(list))
	switch {
	case err != nil && strings.Contains(err.Error(), "Error"):
		t.Fatalf("%s: %v\n%s", in, err, text)
	case err != nil:
		if len(list) == 1 {
			s.given++
		}
		return false
	}
	for i, f := range list {
		if s.verdicts++; violated[i] {
			s.violations++
		}
		if violated[i] != ours[i] {
			t.Errorf("%s with %s: violated says Spin: %v, we say %v\n%s", f.Name, in, violated[i], ours[i], text)
		}
	}
	return true
}

// compilers are tried in this order for Spin's programs: tcc takes a hundredth of a second for
// what takes gcc half a second and more.
var compilers = []string{"tcc", "gcc"}

// spin reports which formulas of a text Spin finds violated; the error says why it does not know.
func spin(dir, text string, formulas int) ([]bool, error) {
	if err := os.WriteFile(filepath.Join(dir, "m.pml"), []byte(text), 0o600); err != nil {
		return nil, err
	}
	run := func(line string) (string, error) {
		limited, cancel := context.WithTimeout(context.Background(), 20*time.Second)
		defer cancel()
		words := strings.Fields(line)
		cmd := exec.CommandContext(limited, words[0], words[1:]...)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if limited.Err() != nil {
			return "", limited.Err()
		}
		if err != nil {
			err = fmt.Errorf("Error: %s: %w: %s", line, err, out)
		}
		return string(out), err
	}
	compiler := compilers[slices.IndexFunc(compilers, func(name string) bool {
		_, err := exec.LookPath(name)
		return err == nil
	})]
	for _, line := range []string{"spin -a m.pml", compiler + " -w -DVECTORSZ=4096 -DMEMLIM=1000 -o pan pan.c"} {
		if _, err := run(line); err != nil {
			return nil, err
		}
	}
	var violated []bool
	for i := range formulas {
		line := "./pan -a -E -n -w18 -m100000"
		if formulas > 1 {
			line += " -N " + promela.SpinClaim(i)
		}
		out, err := run(line)
		if err != nil {
			return nil, err
		}
		if !strings.Contains(out, "errors: ") || strings.Contains(out, "max search depth too small") ||
			strings.Contains(out, "out of memory") {
			return nil, errors.New("Spin gives up")
		}
		violated = append(violated, !strings.Contains(out, "errors: 0"))
	}
	return violated, nil
}
