package model

import (
	"encoding/json"
	"fmt"
)

// Again replays a counterexample to a specification of one text in another, whose numbers differ: the error
// says why it is none there.
func Again(m Model, x Counterexample) error {
	data, err := x.MarshalJSON()
	if err != nil {
		return err
	}
	if other, ok := m.(interface{ adopt([]byte) ([]byte, error) }); ok {
		if data, err = other.adopt(data); err != nil {
			return err
		}
	}
	again, err := m.Replay(data)
	if err != nil {
		return err
	}
	if of, want := again.Told().Facts, x.Told().Facts; of.Spec != want.Spec || of.Failure != want.Failure {
		return fmt.Errorf("it is one to %q", of.Spec)
	}
	return nil
}

// adopt makes a run of another text one of this: it is replayed as that.
func (m *identities) adopt(run []byte) ([]byte, error) {
	var all map[string]json.RawMessage
	err := json.Unmarshal(run, &all)
	if err == nil {
		all["digest"], err = json.Marshal(m.f.Digest())
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(all)
}
