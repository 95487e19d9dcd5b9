package sizes

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"time"

	"github.com/tacheck/tacheck/testkit/need"
)

// A Program is the program under test, and a folder for its files.
type Program struct {
	Path, Folder string
	Patience     time.Duration // how long a command may take
}

// timeout is how long a property may take.
func (p Program) timeout() string {
	return (p.Patience * 2 / 5).String()
}

// An answer is what a command has printed. Code is -1 if it took too long.
type answer struct {
	out, err string
	code     int
}

// run executes a command of the program in its folder.
func (p Program) run(args ...string) answer {
	a, err := need.Ask(p.Patience, p.Folder, append([]string{p.Path}, args...)...)
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

// read is a file of the folder, or empty.
func (p Program) read(name string) []byte {
	data, err := os.ReadFile(filepath.Join(p.Folder, name))
	if err != nil {
		return nil
	}
	return data
}

// remove deletes a file of the folder.
func (p Program) remove(name string) {
	os.Remove(filepath.Join(p.Folder, name))
}

// A result is an object that verify, explore or induct prints for a property.
type result struct {
	Spec, Property, Verdict, Reason string
	Parameters, Constants           map[string]int
	States                          int
	Witness                         json.RawMessage
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
