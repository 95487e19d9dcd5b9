package automata

import (
	"bytes"
	"encoding/json"
	"testing"
	"time"

	"github.com/tacheck/tacheck/testkit/need"
)

// program is the path of the program under test.
var program string

func TestMain(m *testing.M) { need.WithProgram(m, &program) }

// An answer is what the program prints, and its exit code.
type answer struct {
	out, err string
	code     int
}

// ask runs the program.
func ask(args ...string) answer {
	a, err := need.Ask(time.Minute, "", append([]string{program}, args...)...)
	if err != nil {
		a.Code = -1
	}
	return answer{a.Out, a.Err, a.Code}
}

// A row is a line of verify --json or of explore --json.
type row struct {
	Spec           string          `json:"spec"`
	Verdict        string          `json:"verdict"`
	Reason         string          `json:"reason"`
	Parameters     map[string]int  `json:"parameters"`
	Configurations int             `json:"configurations"`
	Seconds        float64         `json:"seconds"`
	Warnings       []string        `json:"warnings"`
	Witness        json.RawMessage `json:"witness"`
}

// rows reads the lines of an answer.
func (a answer) rows() ([]row, error) {
	var all []row
	decoder := json.NewDecoder(bytes.NewReader([]byte(a.out)))
	for decoder.More() {
		var r row
		if err := decoder.Decode(&r); err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// witness reads the counterexample of a row.
func (k *check) witness(r row) *Witness {
	var w Witness
	if err := json.Unmarshal(r.Witness, &w); err != nil {
		k.disagree("witness", "%s: %v", r.Spec, err)
		return nil
	}
	return &w
}
