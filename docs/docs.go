// Package docs holds the documentation, so that the program can print it.
package docs

import (
	"embed"
	"regexp"
	"slices"
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

// Section is a part of a page: what stands from one heading to the next.
type Section struct {
	Page, Heading string
	Text          string // Markdown, with the heading
}

var heading = regexp.MustCompile("(?m)^#+ (.*)$")

// sections lists the sections of a page. A line of code that looks like a heading begins none.
func (p Page) sections() []Section {
	var list []Section
	code := false
	for line := range strings.Lines(p.Text) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
		}
		if m := heading.FindStringSubmatch(line); m != nil && !code {
			list = append(list, Section{Page: p.Name, Heading: m[1]})
		}
		if len(list) > 0 {
			list[len(list)-1].Text += line
		}
	}
	return list
}

var entry = regexp.MustCompile(`(?m)^\* \*\*(.*?)\*\*: (.*)$`)

// Defined lists the entries of the glossary whose terms have these words: the term, and what it means.
func Defined(about string) (list [][2]string) {
	says := saying(about)
	for _, p := range Pages() {
		if p.Name != "glossary" {
			continue
		}
		for _, m := range entry.FindAllStringSubmatch(p.Text, -1) {
			if says(m[1]) {
				list = append(list, [2]string{m[1], m[2]})
			}
		}
	}
	return list
}

// saying returns what tells whether a text has each of these words, also in the plural.
func saying(about string) func(text string) bool {
	var each []*regexp.Regexp
	for _, word := range strings.Fields(about) {
		expr := regexp.QuoteMeta(word)
		if !strings.HasSuffix(word, "s") {
			expr += "s?"
		}
		each = append(each, regexp.MustCompile(`(?i)(^|\W)`+expr+`($|\W)`))
	}
	return func(text string) bool {
		return !slices.ContainsFunc(each, func(word *regexp.Regexp) bool { return !word.MatchString(text) })
	}
}

// developers are pages for those who change the program: their headings use words of users otherwise.
var developers = []string{"add-an-operator", "architecture", "dependencies", "testing"}

// Find lists the sections about something: those whose headings have these words, and those whose texts do.
func Find(about string) (headed, mentioned []Section) {
	says := saying(about)
	for _, p := range Pages() {
		for _, s := range p.sections() {
			switch {
			case says(s.Heading) && !slices.Contains(developers, p.Name):
				headed = append(headed, s)
			case says(s.Text):
				mentioned = append(mentioned, s)
			}
		}
	}
	return headed, mentioned
}
