// Package site_test holds the static site against the documentation: every page is there, and nothing is asked of other hosts.
package site_test

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/tacheck/tacheck/testkit/browse"
	"github.com/tacheck/tacheck/testkit/need"
)

// TestNavigation: every page of the documentation is in the navigation of the site.
func TestNavigation(t *testing.T) {
	text, err := os.ReadFile("mkdocs.yml")
	if err != nil {
		t.Fatal(err)
	}
	_, nav, _ := strings.Cut(string(text), "\nnav:\n")
	pages, err := filepath.Glob("../*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("no pages", err)
	}
	for _, page := range pages {
		if name := filepath.Base(page); !strings.Contains(nav, ": "+name+"\n") {
			t.Errorf("%s is not in the navigation", name)
		}
	}
}

var external = regexp.MustCompile(`(?:src|href)="(https?:)?//[^"]*\.(?:js|css|woff2?|svg|png)"`)

// TestSite makes the site and looks at pages of it as a phone does: none asks another host for anything, none is wider
// than the window.
func TestSite(t *testing.T) {
	need.Usual(t, "a site")
	need.All(t, "python3", "make")
	dir := t.TempDir()
	made := exec.Command("make", "-s", "-C", "../..", "site", "SITE="+dir)
	if out, err := made.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	pages, err := filepath.Glob(dir + "/*.html")
	if err != nil || len(pages) < 40 {
		t.Fatal(pages, err)
	}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		if found := external.FindAllString(string(text), -1); found != nil {
			t.Errorf("%s asks other hosts: %s", page, found)
		}
	}
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	ctx := browse.Open(t, server.URL+"/index.html", 400)
	for _, page := range []string{"index", "tutorial", "tutorial-logs", "field", "protocols", "glossary", "results", "commands"} {
		browse.Do(t, ctx, chromedp.Navigate(server.URL+"/"+page+".html"))
		if wide := browse.TooWide(t, ctx); wide > 0 {
			t.Errorf("%s.html is %d pixels wider than its window", page, wide)
		}
		if broken := browse.Ask[[]string](t, ctx,
			`[...document.images].filter(i => !i.naturalWidth && !i.loading).map(i => i.src)`); len(broken) > 0 {
			t.Errorf("%s.html has pictures that are not there: %s", page, broken)
		}
		if asked := browse.Ask[[]string](t, ctx, `performance.getEntriesByType("resource").map(r => r.name).filter(
			n => !n.startsWith(location.origin))`); len(asked) > 0 {
			t.Errorf("%s.html asks other hosts: %s", page, asked)
		}
		browse.Shot(t, ctx, "site-"+page+".png")
	}
	browse.Do(t, ctx, chromedp.Navigate(server.URL+"/index.html?q=lasso"),
		chromedp.WaitReady(`.md-search-result__link[href*="glossary.html"], .md-search-result__link[href*="format.html"]`))
	browse.Shot(t, ctx, "site-search.png")
}
