package report_test

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	colour = regexp.MustCompile(`--(\w+):\s*#([0-9a-fA-F]{3,6})\b`)
	// on lists the colours of letters, and what they stand on.
	on = map[string][]string{
		"fg": {"bg", "panel", "box", "glow"}, "soft": {"bg", "panel", "glow", "sheet"}, "good": {"bg", "panel"}, "bad": {"bg", "panel", "sheet", "badbox"}, "open": {"bg", "panel"}, "mark": {"bg", "panel"},
		"ink": {"sheet", "box", "badbox"}, "msg": {"sheet", "box", "badbox"}, "word": {"bg"},
	}
)

// luminance is the relative luminance of a colour, rrggbb or rgb (WCAG 2.2).
func luminance(t *testing.T, text string) (l float64) {
	t.Helper()
	if len(text) == 3 {
		text = strings.Repeat(text[:1], 2) + strings.Repeat(text[1:2], 2) + strings.Repeat(text[2:], 2)
	}
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(text[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(n) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		l += weight * c
	}
	return l
}

// TestContrast: letters of all pages and charts stand out from what is behind them as WCAG asks of level AA, light and dark.
func TestContrast(t *testing.T) {
	pairs := 0
	for _, file := range []string{"report.css", "../play/page/play.css", "../hand/page.html", "../chart/chart.css"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		// A rule that gives colours names is a palette: of light, of dark.
		for _, rule := range regexp.MustCompile(`\{[^{}]*\}`).FindAllString(string(text), -1) {
			palette := map[string]string{}
			for _, m := range colour.FindAllStringSubmatch(rule, -1) {
				palette[m[1]] = m[2]
			}
			if strings.HasSuffix(file, "play.css") && palette["word"] != "" { // on the report's own background
				palette["bg"] = map[bool]string{true: "ffffff", false: "17181c"}[luminance(t, palette["word"]) < 0.2]
			}
			for letters, behind := range on {
				for _, b := range behind {
					if palette[letters] == "" || palette[b] == "" {
						continue
					}
					pairs++
					x, y := luminance(t, palette[letters]), luminance(t, palette[b])
					if ratio := (max(x, y) + 0.05) / (min(x, y) + 0.05); ratio < 4.5 {
						t.Errorf("%s: %s (#%s) on %s (#%s): contrast %.2f, want 4.5", file, letters, palette[letters], b, palette[b], ratio)
					}
				}
			}
		}
	}
	if pairs < 80 {
		t.Errorf("only %d pairs of colours", pairs)
	}
}
