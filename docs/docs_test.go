package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Longest sentence and table cell, in words. What stands in backquotes is one word.
const longestSentence, longestCell = 30, 20

// synonyms are, for each term, words that no page uses for it.
var synonyms = map[string][]string{
	"counterexample":       {"counter-example", "counter example", "error trace"},
	"violated":             {"falsified"},
	"unknown":              {"inconclusive"},
	"correct process":      {"non-faulty", "nonfaulty", "honest"},
	"resilience condition": {"resilience assumption", "resilience constraint"},
	"lasso shape":          {"lasso ordering", "lasso schema"},
	"pseudo-code":          {"pseudocode"},
	"Byzantine process":    {"liars?", "malicious"},
	"fault model":          {"failure model"},
	"for ever":             {"forever"},
	"the process's name":   {"nobody", "somebody", "anybody", "whoever"},
	"some, others":         {"of which others", "of which some"},
}

// TestPlain holds pages to plain English: no long sentence, no long table cell, one word for one thing. Code and
// headings do not count.
func TestPlain(t *testing.T) {
	pages, err := filepath.Glob("*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	for _, page := range append(pages, "../README.md") {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, complaint := range plain(string(text)) {
			t.Errorf("%s: %s", page, complaint)
		}
	}
}

var (
	fenced   = regexp.MustCompile("(?ms)^ *```.*?^ *```$|<!--.*?-->")
	code     = regexp.MustCompile("``.+?``|`[^`]+`")
	link     = regexp.MustCompile(`!?\[([^\]]*)\]\([^)]*\)`)
	item     = regexp.MustCompile(`^\s*(?:[*-]|\d+\.) `)
	sentence = regexp.MustCompile(`[.!?][)"*_]*(?:\s+|$)`)
	word     = regexp.MustCompile(`[\pL\pN]`)
)

// plain lists what of a page is no plain English.
func plain(page string) (complaints []string) {
	page = fenced.ReplaceAllString(page, "\n")
	page = link.ReplaceAllString(code.ReplaceAllString(page, "C"), "$1")
	var blocks []string
	next := true
	for line := range strings.Lines(page) {
		if next && strings.HasPrefix(line, "    ") {
			continue // code
		}
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#"):
			next = true
		case strings.HasPrefix(line, "|"):
			for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
				if n := words(cell); n > longestCell {
					complaints = append(complaints, strconv.Itoa(n)+" words in a cell: "+strings.TrimSpace(cell))
				}
			}
			next = true
		case next || item.MatchString(line):
			blocks = append(blocks, item.ReplaceAllString(line, ""))
			next = false
		default:
			blocks[len(blocks)-1] += " " + line
		}
	}
	for _, block := range blocks {
		for _, s := range sentence.Split(block, -1) {
			if n := words(s); n > longestSentence {
				complaints = append(complaints, strconv.Itoa(n)+" words in a sentence: "+s)
			}
		}
	}
	for term, list := range synonyms {
		for _, bad := range list {
			if found := regexp.MustCompile(`(?i)\b` + bad + `\b`).FindString(page); found != "" {
				complaints = append(complaints, found+" stands for "+term)
			}
		}
	}
	slices.Sort(complaints)
	return complaints
}

func words(text string) (n int) {
	for _, w := range strings.Fields(text) {
		if word.MatchString(w) {
			n++
		}
	}
	return n
}

// TestLength: a tutorial takes fifteen minutes, and all pages together stay as short as they are, code included.
func TestLength(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	all := len(strings.Fields(string(readme)))
	for _, page := range Pages() {
		if n := words(page.Text); strings.HasPrefix(page.Name, "tutorial") && n > 900 {
			t.Errorf("%s has %d words", page.Name, n)
		}
		all += len(strings.Fields(page.Text))
	}
	if all > 45_500 {
		t.Errorf("%d words in all pages: what else stands in two places?", all)
	}
}

// TestPlainIsSeen: plain complains where it should, and not where it should not.
func TestPlainIsSeen(t *testing.T) {
	long := strings.Repeat("word ", longestSentence)
	for _, test := range []struct {
		text string
		want int
	}{
		{long + "more.", 1},
		{long + "\n\nmore.", 0},
		{strings.TrimSpace(long) + ". " + long, 0},
		{"* " + long + "\n* more.\n1. " + long, 0},
		{"* " + long + "\n  more.", 1},
		{"`" + long + "` [" + long + "](x.md#y)", 1},
		{"```\n" + long + long + "```\n# " + long + long, 0},
		{"Code:\n\n    " + long + "\n    " + long + "\n\nNo code.", 0},
		{"| " + strings.Repeat("word ", longestCell) + "| `a` |\n| " + long + " | b |", 1},
		{"That is a counter-example, nobody knows why.", 2},
	} {
		if got := plain(test.text); len(got) != test.want {
			t.Errorf("%q: %q, want %d", test.text, got, test.want)
		}
	}
}
