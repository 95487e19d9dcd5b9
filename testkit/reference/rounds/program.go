package rounds

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/tacheck/tacheck/testkit/need"
)

// A Program is the program under test, and a folder for its files.
type Program struct {
	Path, Folder string
	Patience     time.Duration // how long a property may take
	Processor    int           // so many seconds of a processor a command may take; 0: any
}

// An answer is what a command has printed. Code is -1 if it took too long.
type answer struct {
	out, err string
	code     int
}

// run executes a command of the program in its folder. It is given ten times as long as a property, and is asked to keep to that itself.
func (p Program) run(args ...string) answer {
	args = append([]string{p.Path}, append(args, "--timeout", p.Patience.String())...)
	if p.Processor > 0 {
		args = append([]string{"sh", "-c", `ulimit -t "$0"; exec "$@"`, fmt.Sprint(p.Processor)}, args...)
	}
	a, err := need.Ask(10*p.Patience, p.Folder, args...)
	if err != nil {
		panic(err)
	}
	return answer{a.Out, a.Err, a.Code}
}

// write puts a file into the folder.
func (p Program) write(name, text string) {
	if err := os.WriteFile(filepath.Join(p.Folder, name), []byte(text), 0o644); err != nil {
		panic(err)
	}
}

// A result is an object that verify or explore prints for a property.
type result struct {
	Spec, Property, Verdict, Reason string
	Because                         []string
	Parameters, Constants           map[string]int
	Witness                         *run
}

// A run is a witness of a protocol.
type run struct {
	Kind, Property string
	Values         map[string]int
	Steps          []runStep
	Loop           int
}

// A runStep is a step of a run.
type runStep struct {
	Rule     string
	With     map[string]any
	Fate     string
	Received []struct {
		From    string
		Message map[string]any
	}
	Text string
}

// results are the objects of an answer, by properties.
func (a answer) results() map[string]result {
	results := map[string]result{}
	decoder := json.NewDecoder(bytes.NewReader([]byte(a.out)))
	for {
		var r result
		if decoder.Decode(&r) != nil {
			return results
		}
		results[r.Spec+r.Property] = r
	}
}
