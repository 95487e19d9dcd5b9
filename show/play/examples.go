package play

import (
	"embed"
	"io/fs"
	"strings"
)

//go:embed examples/*.ftdp
var broken embed.FS

// Broken lists pseudo-code of algorithms in which something is wrong, which the header says.
func Broken() (list []Example) {
	names, err := fs.Glob(broken, "examples/*.ftdp")
	if err != nil {
		panic(err) // the pattern is constant
	}
	for _, name := range names {
		text, err := broken.ReadFile(name)
		if err != nil {
			panic(err) // it is part of the program
		}
		first, _, _ := strings.Cut(string(text), "\n")
		list = append(list, Example{Name: strings.TrimPrefix(name, "examples/"), Group: "Pseudo-code, broken",
			About: strings.TrimPrefix(first, "// "), Text: string(text)})
	}
	return list
}
