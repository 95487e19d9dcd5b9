// Package docs holds the documentation, so that the program can print it.
package docs

import (
	"embed"
	"strings"
)

//go:embed *.md
var pages embed.FS

// Page is a page of the documentation.
type Page struct {
	Name  string // without .md
	Title string
	Text  string // Markdown
}

// Pages lists all pages by name. They are embedded, so that there is no error.
func Pages() []Page {
	entries, err := pages.ReadDir(".")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	var list []Page
	for _, e := range entries {
		text, err := pages.ReadFile(e.Name())
		if err != nil {
			panic(err)
		}
		title, _, _ := strings.Cut(string(text), "\n")
		list = append(list, Page{strings.TrimSuffix(e.Name(), ".md"), strings.TrimPrefix(title, "# "), string(text)})
	}
	return list
}
