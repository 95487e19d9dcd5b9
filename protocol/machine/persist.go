package machine

import (
	"encoding/gob"

	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/protocol"
)

// savedLocal, and savedParts, are the parts of states in the order of their numbers.
type savedLocal struct {
	Status protocol.Status
	Cells  []int32
}

type savedParts struct {
	Locals   [][]savedLocal
	Messages [][]int32
	Contents [][]uint32
}

var _ explore.Persistent = (*machine)(nil)

// Save implements explore.Persistent.
func (x *machine) Save(e *gob.Encoder) error {
	var out savedParts
	for _, t := range x.in.locals {
		var list []savedLocal
		for l := range t.all {
			list = append(list, savedLocal{l.Status, l.Cells})
		}
		out.Locals = append(out.Locals, list)
	}
	for m := range x.in.messages.all {
		out.Messages = append(out.Messages, m.Cells)
	}
	for c := range x.in.contents.all {
		out.Contents = append(out.Contents, c.Cells)
	}
	return e.Encode(out)
}

// Load implements explore.Persistent.
func (x *machine) Load(d *gob.Decoder) error {
	var in savedParts
	if err := d.Decode(&in); err != nil {
		return err
	}
	for role, list := range in.Locals {
		for _, l := range list {
			x.in.local(role, l.Status, l.Cells)
		}
	}
	for _, m := range in.Messages {
		x.in.message(m)
	}
	for _, c := range in.Contents {
		x.in.content(c)
	}
	return nil
}
