package protocol

import (
	"fmt"
	"strings"
)

// letters reports whether some step sends several messages. Then the instance declares kinds of
// messages, and sends them; otherwise messages are records, whose fields are written.
func (s *Source) letters() bool {
	for _, r := range s.Rules {
		if mostSent(r.Body) > 1 {
			return true
		}
	}
	return false
}

// mostSent is how many messages statements send at most.
func mostSent(list []*Statement) int {
	total := 0
	for _, st := range list {
		switch {
		case st.Send != nil:
			total++
		case st.If != nil:
			most := 0
			for _, b := range st.If.Thens {
				most = max(most, mostSent(b.List))
			}
			for _, e := range st.If.Elsif {
				most = max(most, mostSent(e.Then.List))
			}
			if st.If.Else != nil {
				most = max(most, mostSent(st.If.Else.Body.List))
			}
			total += most
		}
	}
	return total
}

// letterTypes declares the kinds of messages, with the fields that carry their values.
func (g *instanceText) letterTypes() {
	_, of := g.Source.slots()
	for _, k := range g.Kinds {
		var fields []string
		for _, at := range of[k.Name] {
			fields = append(fields, fmt.Sprintf("%s: %s", g.slots[at].name, &g.slots[at].ValueType))
		}
		if g.partial() {
			fields = append(fields, "sure: bool")
		}
		text := k.Name
		if fields != nil {
			text += "(" + strings.Join(fields, ", ") + ")"
		}
		g.line("message %s;", text)
	}
}

// letter is a message as it is sent.
func (g *instanceText) letter(kind string, values []*Expr, sure string) string {
	var parts []string
	for _, v := range values {
		parts = append(parts, v.String())
	}
	if g.partial() {
		if sure == "" {
			sure = "true"
		}
		parts = append(parts, sure)
	}
	if parts == nil {
		return kind
	}
	return kind + "(" + strings.Join(parts, ", ") + ")"
}
