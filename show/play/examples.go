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
		list = append(list, Example{Name: strings.TrimPrefix(name, "examples/"), Group: "Pseudo-code, broken",
			About: Header(string(text)), Text: string(text)})
	}
	return list
}

// Header is the first paragraph of the comment of lines that a text begins with: what it is, and what is wrong; "" if
// it begins otherwise.
func Header(text string) string {
	var words []string
	for line := range strings.Lines(text) {
		line, comment := strings.CutPrefix(line, "//")
		if !comment || strings.TrimSpace(line) == "" {
			break
		}
		words = append(words, strings.Fields(line)...)
	}
	return strings.Join(words, " ")
}
