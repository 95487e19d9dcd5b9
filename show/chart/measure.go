package chart

import (
	"strings"
	"sync"

	xfont "golang.org/x/image/font"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
)

// sizes of letters, in pixels.
var letters = map[Class]float64{title: 15, subtitle: 12, head: 13, name: 12, change: 11, sends: 11, arrowLabel: 11,
	number: 10, state: 10.5, lost: 11, faulty: 11, crash: 12, wrong: 12,
	why: 11}

// strong are the classes whose letters are bold.
var strong = map[Class]bool{title: true, head: true, name: true, crash: true, wrong: true}

var faces = sync.OnceValue(func() *font.Cache { return font.NewCache(liberation.Collection()) })

// fontOf returns the font of a class: Liberation Sans has the widths of Arial and Helvetica.
func fontOf(c Class) font.Face {
	f := font.Font{Typeface: "Liberation", Variant: "Sans"}
	if strong[c] {
		f.Weight = xfont.WeightBold
	}
	return faces().Lookup(f, font.Length(letters[c]))
}

// width returns how wide a text is.
func width(c Class, text string) float64 {
	f := fontOf(c)
	return float64(f.Width(text))
}

// roomFor is how much room a text gets. Where a program does not draw it as long as it was measured, letters of other
// fonts are wider, those of DejaVu by an eighth, bold ones by a fifth.
func roomFor(c Class, text string) float64 {
	if strong[c] {
		return 1.22 * width(c, text)
	}
	return 1.13 * width(c, text)
}

// wrap breaks a text into lines that are not wider than a limit: between words, or within
// words that are too long for a line.
func wrap(c Class, text string, limit float64) (lines []string) {
	line := ""
	for word := range strings.SplitSeq(text, " ") {
		joined := strings.TrimSpace(line + " " + word)
		if roomFor(c, joined) <= limit {
			line = joined
			continue
		}
		if at := listed(line); at > len(line)/2 && at < len(line) {
			lines, line = append(lines, line[:at]), line[at+1:]
			if joined = line + " " + word; roomFor(c, joined) <= limit {
				line = joined
				continue
			}
		}
		if line != "" {
			lines = append(lines, line)
		}
		for roomFor(c, word) > limit {
			n := fits(c, word, limit)
			lines = append(lines, word[:n])
			word = word[n:]
		}
		line = word
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// listed returns where the last part of a list ends that is whole, outside of brackets; 0 if there is none.
func listed(line string) (end int) {
	depth := 0
	for i, c := range line {
		switch c {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',', ';':
			if depth == 0 {
				end = i + 1
			}
		}
	}
	return end
}

// fits returns how many bytes of a word fit, at least one letter: up to a bracket, a comma or a sign of equality, where
// that is not much less.
func fits(c Class, word string, limit float64) int {
	last := 0
	for i := range word {
		if i > 0 && roomFor(c, word[:i]) > limit {
			break
		}
		last = i
	}
	if at := strings.LastIndexAny(word[:last], "(,=") + 1; at > last/2 {
		return at
	}
	if last > 0 {
		return last
	}
	for i := range word {
		if i > 0 {
			return i
		}
	}
	return len(word)
}
