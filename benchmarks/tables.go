package benchmarks

import (
	"embed"
	"path"
	"strings"

	"github.com/tacheck/tacheck/internal/verdict"
)

//go:embed tables/*.json
var tables embed.FS

// Table is what others have published of models.
type Table struct {
	Title   string
	Source  string      // of the figures
	Command []string    // what is asked of every file
	Ways    []Way       // in which it is asked, a column each; none if there is one way
	Columns []string    // of the figures
	Rows    []Published // one a file, or a specification
}

// Way is what the command is given besides.
type Way struct {
	Name  string
	Flags []string
}

// Published is what is known of a file: in a folder of the user, or embedded.
type Published struct {
	File    string
	Spec    string // "" for all
	Set     map[string]int64
	Of      []string        // of all specifications those that the verdict is of; none for all
	Verdict verdict.Verdict // holds if all do; "" if unknown
	States  int64           // 0 where they are not compared
	Figures []string
}

// Tables lists the names of the tables.
func Tables() (names []string) {
	list, err := tables.ReadDir("tables")
	if err != nil {
		panic(err) // embedded
	}
	for _, e := range list {
		names = append(names, strings.TrimSuffix(e.Name(), path.Ext(e.Name())))
	}
	return names
}

// TableNamed returns a table.
func TableNamed(name string) (t Table, ok bool) {
	text, err := tables.ReadFile("tables/" + name + ".json")
	if err != nil {
		return t, false
	}
	return embedded[Table](name+".json", text), true
}
