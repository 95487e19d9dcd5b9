package selftest

import (
	"fmt"
	"math/rand"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/selftest/generate"
	"github.com/tacheck/tacheck/ta"
)

// Kinds of cases.
const (
	random  = "random"  // models and specifications
	growing = "growing" // that increment on cycles
	mutants = "mutants" // of the suite
)

// Kinds are all kinds of cases.
var Kinds = []string{random, growing, mutants}

// Case compares the case with a number. If anything is wrong it says what, and with which model.
func Case(kind string, seed int) (wrong, text string, t Tally) {
	r := rand.New(rand.NewSource(int64(seed)))
	switch kind {
	case random:
		text = generate.Model(r)
		wrong, t = comparison{second: seed%5 == 0}.text(text)
	case growing:
		text = generate.Growing(r)
		others := methods()[1:]
		how := comparison{second: seed%20 == 0}
		how.methods = append(how.methods, methods()[0], others[seed%len(others)], others[(seed+3)%len(others)])
		wrong, t = how.text(text)
	case mutants:
		return suite().mutant(seed)
	}
	return wrong, text, t
}

// texts are models to mutate, by name.
type texts struct {
	names []string
	text  map[string]string
}

// suite is the embedded models.
func suite() (s texts) {
	for _, name := range benchmarks.Names() {
		text, _ := benchmarks.Read(name)
		s.add(name, text)
	}
	return s
}

func (s *texts) add(name, text string) {
	if s.text == nil {
		s.text = map[string]string{}
	}
	s.names, s.text[name] = append(s.names, name), text
}

// mutant compares a mutant of one of the models.
func (s texts) mutant(seed int) (wrong, text string, t Tally) {
	r := rand.New(rand.NewSource(int64(seed)))
	name := s.names[r.Intn(len(s.names))]
	text, what, err := generate.Mutant(r, name, s.text[name])
	if err != nil {
		return err.Error(), s.text[name], t
	}
	a, err := ta.Parse(name, text)
	if what == "" || err != nil {
		return "", text, t // no mutant, or none that is a model
	}
	for k := range a.Specs {
		spec := a.Specs[k].Name
		o := mutantMethod(r)
		bad, n := judge(a, spec, o)
		t.Add(n)
		if bad != "" {
			return fmt.Sprintf("%s: %s: %s %+v: %s", name, what, spec, o, bad), text, t
		}
	}
	return "", text, t
}
