package protocol

// Act is what a rule of an instance is in the text for all sizes that the instance was made of.
type Act int

// The acts.
const (
	ActOwn     Act = iota // a rule of the text
	ActHear               // a message arrives
	ActMayHear            // one that does not have to arrive
	ActCrash              // a process stops
	ActCrashIn            // it stops while it sends, in a rule of the text
	ActFaulty             // a rule of the text in a faulty process
	ActLie                // a faulty process sends what it likes to all
	ActWait               // nothing
)

// Origin says what a rule of an instance was made of.
type Origin struct {
	Act  Act
	Name string // of the rule, or of the kind of messages; "" if there is none
}

// Hearing reports whether the act is that a message arrives.
func (o Origin) Hearing() bool { return o.Act == ActHear || o.Act == ActMayHear }

// Origin returns what a rule was made of; it is the text's own in protocols of fixed size.
func (m *Model) Origin(rule int) Origin {
	if o, ok := m.Origins.Rules[m.Rules[rule].Label]; ok {
		return o
	}
	return Origin{Act: ActOwn, Name: m.Rules[rule].Label}
}

// RuleName is what a rule, or the kind of messages that it is about, is called in the text.
func (m *Model) RuleName(rule int) string { return m.Source.Called(m.Origin(rule).Name, "") }

// SureField is the field of an instance's messages that says whether they are sure to arrive, if some may not.
const SureField = "sure"

// Origins says what the names of an instance were made of.
type Origins struct {
	Rules map[string]Origin  // by label
	Heard map[string]HeardOf // by field: the kind of messages that it says were heard, and from whom
	Flags map[string]string  // by field: how processes are told for which it is true; "" for not at all
	Notes map[string]string  // by field that is not told: what it is, in words
	// By type of processes and variable, "node.x": what a process forgets when it crashes.
	Forgotten map[string]bool
}

// HeardOf is a kind of messages, and the fields that have their values, by sender; of other fields than
// the first, nothing.
type HeardOf struct {
	Kind   string
	Fields []string
}

// Made reports whether a protocol is an instance of a text for all sizes.
func (m *Model) Made() bool { return m.Origins.Rules != nil }
