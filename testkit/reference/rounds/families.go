package rounds

import "slices"

// Deliberate mistakes with rules that have parameters, and with what is done after coins.
const (
	goOnAsFirst = "all instances of a family go on as the first after a coin"
	guardsOnly  = "a parameter is replaced in the guard only"
	coinsMerged = "continuations of two different rules with equal coins are merged"
)

// mistaken is a text as it is read by mistake.
func (t *Text) mistaken(mistake string) *Text {
	if !slices.Contains([]string{goOnAsFirst, guardsOnly, coinsMerged}, mistake) {
		return t
	}
	wrong := *t
	wrong.Rules = slices.Clone(t.Rules)
	continuations := map[string][]Statement{}
	for i := range wrong.Rules {
		r := &wrong.Rules[i]
		first := t.Rules[t.firstOf(i)].Body
		switch mistake {
		case goOnAsFirst:
			r.Body = goesOnAs(r.Body, first)
		case guardsOnly:
			r.Body = withBodies(r.Body, first)
		case coinsMerged:
			r.Body = merged(r.Body, continuations)
		}
	}
	return &wrong
}

// firstOf is the first rule of the family of a rule, or the rule itself.
func (t *Text) firstOf(rule int) int {
	for _, f := range t.Families {
		if f.First <= rule && rule < f.First+f.Count {
			return f.First
		}
	}
	return rule
}

// goesOnAs is a body with what another one, of the same form, does after draws.
func goesOnAs(body, other []Statement) []Statement {
	body = slices.Clone(body)
	for i := range body {
		if draws(body[i]) {
			return append(body[:i+1], other[i+1:]...)
		}
		body[i].Branches = slices.Clone(body[i].Branches)
		for j := range body[i].Branches {
			body[i].Branches[j].Body = goesOnAs(body[i].Branches[j].Body, other[i].Branches[j].Body)
		}
	}
	return body
}

// withBodies is a rule's if with what another one does in its branches.
func withBodies(body, other []Statement) []Statement {
	body = slices.Clone(body)
	body[0].Branches = slices.Clone(body[0].Branches)
	for j := range body[0].Branches {
		body[0].Branches[j].Body = other[0].Branches[j].Body
	}
	return body
}

// merged is a body with what was done first after an equal draw.
func merged(body []Statement, continuations map[string][]Statement) []Statement {
	body = slices.Clone(body)
	for i := range body {
		if draws(body[i]) {
			key := body[i].Op + " " + body[i].Name
			if continuations[key] == nil {
				continuations[key] = body[i+1:]
			}
			return append(body[:i+1:i+1], continuations[key]...)
		}
		body[i].Branches = slices.Clone(body[i].Branches)
		for j := range body[i].Branches {
			body[i].Branches[j].Body = merged(body[i].Branches[j].Body, continuations)
		}
	}
	return body
}

func draws(s Statement) bool { return s.Op == "toss" || s.Op == "coin" }
