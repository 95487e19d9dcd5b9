package reading

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/lists"
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// Blocks reads the readings in the text of a protocol, trace NAME ... end. Its error is a diag.List.
func Blocks(f *ftdp.File) ([]*Reading, error) {
	if len(f.Traces()) == 0 {
		return nil, nil
	}
	var out []*Reading
	text := f.Text()
	for _, b := range f.Traces() {
		if i := slices.IndexFunc(out, func(r *Reading) bool { return r.Name == b.Name.Name }); i >= 0 {
			return nil, diag.Wrong(b.Name.Place(), len(b.Name.Name), "there is a reading %s already", b.Name.Name)
		}
		p, err := parseBlock(f.Pos.Filename, text, b)
		if err != nil {
			return nil, err
		}
		out = append(out, p.r)
	}
	return out, nil
}

func parseBlock(file, text string, b *ftdp.TraceBlock) (*parser, error) {
	own, at := b.Within(text)
	at.File = file
	p, err := parse(at, own)
	if err != nil {
		return nil, err
	}
	p.r.Name, p.r.Text = b.Name.Name, text
	return p, nil
}

// Block returns the reading of a name in the text of a protocol, or the only one if the name is "". It is nil if there
// is none; several without a name are an error.
func Block(f *ftdp.File, name string) (*Reading, error) {
	list, err := Blocks(f)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	if name == "" && len(list) > 1 {
		return nil, fmt.Errorf("%s has several readings: --reading says which (%s)", f.Pos.Filename,
			strings.Join(lists.Map(list, func(r *Reading) string { return r.Name }), ", "))
	}
	for _, r := range list {
		if name == "" || r.Name == name {
			return r, nil
		}
	}
	return nil, nil
}

// Meanings are what editors say of the words of readings.
var Meanings = map[string]string{
	"reading": "a name for a reading", "events": "where in a line the event is",
	"lines": "how events are written that are no JSON", "govector": "as GoVector and ShiViz write them",
	"clock":  "what is known of the order of events, without a common clock",
	"by":     "whose event a line is: those of each are in order",
	"vector": "the vector clock of an event", "pairs": "it is a list of pairs, no object",
	"call": "which lines are calls", "return": "and which are their returns",
	"never":   "which say that it is not known whether a call happened",
	"begins":  "the log begins in the middle of a run: anywhere, or in a state that it gives",
	"from":    "when an event began, to when it ended",
	"process": "how the log calls the processes of a role", "value": "how the log calls a value",
	"constant": "a constant that is read off the log",
	"silent":   "rules that may happen without being logged", "visible": "rules that are always logged",
	"ignore":   "events that say nothing",
	"when":     "what an event is",
	"before":   "what is so in the state before the step, and of the message that it receives",
	"after":    "what is so in the state after the step, and of the messages that it sends",
	"then":     "one more step that the event shows",
	"see":      "nothing happens: the state, or a message on its way, is so",
	"sent":     "the sender's last step has sent this message",
	"received": "a step of whichever rule receives this message; nothing, where none can", "lost": "a message is lost",
	"stopped": "it turns out that the sender had stopped", "rule": "a step of this rule",
}
