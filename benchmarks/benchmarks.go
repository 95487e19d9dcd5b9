// Package benchmarks holds models of fault-tolerant distributed algorithms,
// written from the algorithms' publications, with expected verdicts.
package benchmarks

import (
	"embed"
	"io/fs"
	"sort"
)

//go:embed *.ta
var files embed.FS

// Read returns the text of an embedded model, such as "rb.ta".
func Read(name string) (string, bool) {
	text, err := files.ReadFile(name)
	return string(text), err == nil
}

// Names lists the embedded models in alphabetical order.
func Names() []string {
	names, err := fs.Glob(files, "*.ta")
	if err != nil {
		panic(err) // the pattern is a constant
	}
	sort.Strings(names)
	return names
}
