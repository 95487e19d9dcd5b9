package picture

import (
	"fmt"
	"slices"
	"strings"

	"github.com/emicklei/dot"

	"github.com/tacheck/tacheck/induct"
)

// classColour fills lemmas by their class.
var classColour = map[induct.Class]string{
	induct.Definition: "#eef1f5", induct.SystemModel: "#fdf0d5", induct.MessageFlow: "#dcebfb",
	induct.Validity: "#e2f3e5", induct.ByHand: "#f3e3f6",
}

// Proof draws which lemma of a proof rests on which: an arrow goes from a lemma
// to what needs it. Arrows between lemmas that need each other have two heads.
func Proof(invariant string, p *induct.Proof) string {
	g := dot.NewGraph(dot.Directed)
	page(g)
	g.Attr("rankdir", "BT")
	g.NodeInitializer(func(n dot.Node) {
		n.Attr("shape", "box").Attr("style", "rounded,filled").Attr("fontname", "Helvetica").Attr("fontsize", "11")
	})
	var nodes []dot.Node
	for i, l := range p.Lemmas {
		nodes = append(nodes, g.Node(fmt.Sprintf("lemma%d", i)).Label(fmt.Sprintf("L%d (%s)\n%s", i+1, l.Class,
			wrap(l.Text(), 46))).Attr("fillcolor", classColour[l.Class]))
	}
	for i, s := range p.Strengthened {
		nodes = append(nodes, g.Node(fmt.Sprintf("guard%d", i)).Label(fmt.Sprintf("guard of %s\n%s", s.Rule,
			wrap("and "+s.And, 46))).Attr("fillcolor", "#f3e3f6"))
	}
	goal := g.Node("goal").Label(invariant).Attr("fillcolor", "#7fbf8e").Attr("fontsize", "14").Attr("penwidth", "2")
	for i := range p.Strengthened {
		g.Edge(nodes[len(p.Lemmas)+i], goal)
	}
	for to, list := range p.Rests {
		target := goal
		if to < len(p.Lemmas) {
			target = nodes[to]
		}
		for _, from := range list {
			if from >= len(p.Lemmas) {
				if to < len(p.Lemmas) {
					g.Edge(goal, target).Attr("style", "dashed").Attr("constraint", "false")
				}
				continue
			}
			both := from < len(p.Rests) && slices.Contains(p.Rests[from], to)
			switch {
			case !both:
				g.Edge(nodes[from], target)
			case from < to:
				g.Edge(nodes[from], target).Attr("dir", "both")
			}
		}
	}
	return g.String()
}

// wrap breaks a text into lines.
func wrap(text string, width int) string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return strings.Join(append(lines, line), "\n")
}
