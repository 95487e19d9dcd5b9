package terminal

import (
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/internal/spell"
	"github.com/tacheck/tacheck/run"
)

// FactsText says in words what was checked, for which instance.
func FactsText(file string, f run.Facts) string {
	var b strings.Builder
	steps := spell.Count(f.Steps, "step", "steps")
	switch {
	case f.Failure != "":
		fmt.Fprintf(&b, "%s goes wrong after %s: %s", file, steps, f.Failure)
	case f.Spec == run.Sought:
		fmt.Fprintf(&b, "what is looked for is found in %s, in %s", file, steps)
	case f.Spec != "":
		fmt.Fprintf(&b, "%s of %s is violated, in %s", f.Spec, file, steps)
	default:
		fmt.Fprintf(&b, "it names nothing that it violates; it is a run of %s, in %s", file, steps)
	}
	switch {
	case f.Repeats == 1:
		b.WriteString(", the last of which repeats for ever")
	case f.Stops:
		b.WriteString(", after which no process can move")
	case f.Repeats > 1:
		fmt.Fprintf(&b, ", the last %d of which repeat for ever", f.Repeats)
	}
	if len(f.Said) > 0 {
		fmt.Fprintf(&b, ", with %s", strings.Join(f.Said, ", "))
	}
	for _, text := range f.Reading {
		fmt.Fprintf(&b, "; %s", text)
	}
	return b.String()
}

// CheckedText says what a replay has made sure of.
func CheckedText(f run.Facts) string {
	var list []string
	if f.Steps > 0 || f.Failure == "" {
		list = append(list, "that it begins as the model does")
	}
	if f.Steps > 0 {
		list = append(list, "every step")
	}
	if f.Repeats > 0 {
		list = append(list, "that the loop comes back to where it began")
	}
	if f.Stops {
		list = append(list, "that no process can move at the end")
	}
	switch {
	case f.Failure != "":
		list = append(list, "that exactly this goes wrong there")
	case f.Spec == run.Sought:
		list = append(list, "that the condition becomes true in it")
	case f.Spec != "":
		list = append(list, fmt.Sprintf("that %s is false of it", f.Spec))
	}
	if n := len(list); n > 1 {
		return strings.Join(list[:n-1], ", ") + ", and " + list[n-1]
	}
	return list[0]
}
