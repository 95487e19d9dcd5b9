package browse

import (
	"context"
	_ "embed"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// named are the roles that mean nothing to a user who hears the page unless they have a name.
var named = strings.Fields("button link textbox searchbox slider spinbutton combobox listbox checkbox radio switch tab menuitem img image SvgRoot " +
	"graphics-document DisclosureTriangle region dialog")

// Nameless lists the controls, pictures and parts of the page that have no accessible name, as the accessibility tree has them.
func Nameless(t *testing.T, ctx context.Context) (list []string) {
	t.Helper()
	var tree struct {
		Nodes []node `json:"nodes"`
	}
	Do(t, ctx, chromedp.ActionFunc(func(ctx context.Context) error { // without properties, of which browsers know more and more
		return cdp.Execute(ctx, accessibility.CommandGetFullAXTree, accessibility.GetFullAXTree(), &tree)
	}))
	checked, whole := 0, map[string]bool{} // parts of a picture are none of their own (WAI-ARIA: children presentational)
	for _, n := range tree.Nodes {
		role := n.Role.text()
		if !n.Ignored && (role == "image" || role == "img") || whole[n.ID] {
			for _, c := range n.Children {
				whole[c] = true
			}
		}
		if n.Ignored || whole[n.ID] || !slices.Contains(named, role) {
			continue
		}
		if checked++; strings.TrimSpace(n.Name.text()) == "" {
			list = append(list, role+" "+describe(t, ctx, n))
		}
	}
	if checked == 0 {
		t.Error("the page has no controls at all")
	}
	return list
}

// node is what is looked at of a node of the accessibility tree.
type node struct {
	ID       string            `json:"nodeId"`
	Children []string          `json:"childIds"`
	Ignored  bool              `json:"ignored"`
	Role     property          `json:"role"`
	Name     property          `json:"name"`
	Element  cdp.BackendNodeID `json:"backendDOMNodeId"`
}

type property struct {
	Value any `json:"value"`
}

// text is the text of a property; "" for what is none.
func (p property) text() string {
	s, _ := p.Value.(string)
	return s
}

// describe says which element a node is.
func describe(t *testing.T, ctx context.Context, n node) (text string) {
	t.Helper()
	Do(t, ctx, chromedp.ActionFunc(func(ctx context.Context) (err error) {
		text, err = dom.GetOuterHTML().WithBackendNodeID(n.Element).Do(ctx)
		return err
	}))
	return text[:min(len(text), 160)]
}

// Stop is a place where the focus stops.
type Stop struct {
	Tag, Role, Name string
	Seen            bool // whether one sees that it is there
}

//go:embed focus.js
var focus string

// Tab presses the key as a user does, and returns where the focus is then.
func Tab(t *testing.T, ctx context.Context) Stop {
	t.Helper()
	Do(t, ctx, chromedp.KeyEvent(kb.Tab))
	s := Ask[Stop](t, ctx, focus)
	for tries := 0; !s.Seen && s.Tag != "BODY" && tries < 50; tries++ { // editors mark themselves a moment later
		time.Sleep(20 * time.Millisecond)
		s = Ask[Stop](t, ctx, focus)
	}
	return s
}

// TabTo presses Tab until the focus is where it is wanted. Every stop on the way has to be seen and to have a name.
func TabTo(t *testing.T, ctx context.Context, wanted func(Stop) bool) {
	t.Helper()
	var way []string
	for range 150 {
		s := Tab(t, ctx)
		if way = append(way, s.Tag+" "+s.Name); s.Tag != "BODY" && !s.Seen {
			t.Errorf("one does not see that the focus is at %+v", s)
		}
		if wanted(s) {
			return
		}
	}
	t.Fatalf("Tab does not lead there, but to %s", strings.Join(way, "; "))
}

// Media has the page be shown as the reader's system asks: "prefers-color-scheme", "dark".
func Media(t *testing.T, ctx context.Context, feature, value string) {
	t.Helper()
	Do(t, ctx, emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: feature, Value: value}}))
}

// Moving lists what moves, or would move when it changes.
func Moving(t *testing.T, ctx context.Context) []string {
	t.Helper()
	return Ask[[]string](t, ctx, `[...document.getAnimations().map(a => "animation " + (a.animationName || a.transitionProperty || a.id)),
		...[...document.querySelectorAll("*")].flatMap(e => {
			const s = getComputedStyle(e), long = s.transitionDuration.split(",").some(d => parseFloat(d) > 0);
			return long || s.animationName !== "none" || s.scrollBehavior === "smooth" ? [e.tagName + "." + e.getAttribute("class") + "#" + e.id] : [];
		})]`)
}

//go:embed contrast.js
var contrast string

// Faint lists texts that do not stand out from what is behind them as WCAG 2.2 asks of level AA, with all that makes them pale.
func Faint(t *testing.T, ctx context.Context) []string {
	t.Helper()
	return Ask[[]string](t, ctx, contrast)
}

// TooWide is by how many pixels the document is wider than its window.
func TooWide(t *testing.T, ctx context.Context) int {
	t.Helper()
	return Ask[int](t, ctx, `document.documentElement.scrollWidth - innerWidth`)
}
