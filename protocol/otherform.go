package protocol

import (
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// otherForm refuses what is for protocols for all sizes only, and would mean nothing here.
func (c *Checker) otherForm() {
	for _, s := range c.M.Source.Sections {
		word, instead := ofAllSizes(s)
		if word == "" {
			continue
		}
		c.fail(ftdp.At(s.Pos), len(word),
			"`%s` is for protocols for all sizes (those with `process`): in one of fixed size %s", word, instead)
	}
	if what, at := c.M.Source.InRounds(); what != "" {
		c.fail(at, 1, "`%s` is for protocols for all sizes, whose processes go round after round", what)
	}
}

// ofAllSizes returns the word of a section that protocols of fixed size do not have, and what to write there instead;
// "" for others.
func ofAllSizes(s *ftdp.Section) (word, instead string) {
	switch {
	case s.Faults != nil:
		return "faults", "initial states say who is faulty, `init start: node[1].status := byz;` (or crash)"
	case s.Messages != nil:
		return "messages", "kinds of messages are declared by `message READ(no: 1..9), STOP;`"
	case s.Starts != nil:
		return "init",
			"initial states have names and statements, `init start: node[1].x := 1;`: conditions on them stand " +
				"there, in an `if`"
	case s.Parameters != nil:
		return "parameters", "sizes are constants, `const n = 3;`"
	case s.Process != nil:
		return "process", "processes are those of a role, `type N: role[3];`"
	}
	return "", ""
}

// ofSizes are the functions of protocols for all sizes, with what is written in those of fixed size.
var ofSizes = map[string]string{
	"all":     "forall (k: ROLE) ... is true of all processes",
	"every":   "forall (k: ROLE) ... is true of all processes",
	"some":    "exists (k: ROLE) ... is true of some process",
	"count":   "count (k: ROLE) ... counts processes",
	"heard":   "a rule receives messages, `receive READ(no) from j`, and notes in a set or an array who has sent them",
	"arrived": "a rule receives messages, `receive READ(no) from j`, and notes in a set or an array who has sent them",
}
