package induct

import (
	"context"
	"fmt"

	"github.com/tacheck/tacheck/protocol"
	"github.com/tacheck/tacheck/protocol/interp"
	"github.com/tacheck/tacheck/smt"
)

// File is the form in which a proof is saved.
type File struct {
	K      int         `json:"k"`
	Lemmas []LemmaFile `json:"lemmas"`
	// by lemma, and last for the invariant, which has the number after the last lemma
	Rests        [][]int            `json:"rests_on,omitempty"`
	Strengthened []StrengthenedFile `json:"strengthened,omitempty"`
}

// LemmaFile is the form in which a lemma is saved.
type LemmaFile struct {
	Class    Class     `json:"class"`
	Text     string    `json:"text"`
	Roles    []string  `json:"roles,omitempty"`
	Names    []string  `json:"names,omitempty"`
	Literals []Literal `json:"literals,omitempty"` // one of these holds
	Formula  string    `json:"formula,omitempty"`  // instead, of a lemma by hand
}

// StrengthenedFile is the form in which a strengthened guard is saved.
type StrengthenedFile struct {
	Rule  string   `json:"rule"`
	Guard []string `json:"guard"`
	And   string   `json:"and"`
}

// File returns the form in which the proof is saved.
func (p *Proof) File() File {
	f := File{K: p.K, Lemmas: []LemmaFile{}, Rests: p.Rests}
	for _, l := range p.Lemmas {
		f.Lemmas = append(f.Lemmas, LemmaFile{l.Class, l.Text(), l.Roles, l.Names, l.Literals, l.Formula})
	}
	for _, s := range p.Strengthened {
		f.Strengthened = append(f.Strengthened, StrengthenedFile{s.Rule, s.Guard, s.And})
	}
	return f
}

// proof returns the proof that was saved, to be checked.
func (f File) proof() *Proof {
	p := &Proof{K: f.K, Rests: f.Rests}
	for _, l := range f.Lemmas {
		p.Lemmas = append(p.Lemmas, &Lemma{Class: l.Class, Roles: l.Roles, Names: l.Names, Literals: l.Literals,
			Formula: l.Formula})
	}
	for _, s := range f.Strengthened {
		p.Strengthened = append(p.Strengthened, &Strengthened{Rule: s.Rule, Guard: s.Guard, And: s.And})
	}
	return p
}

// Check checks the proof that was saved, see Proof.Check, and that lemmas are what their texts say.
func (f File) Check(ctx context.Context, m *protocol.Model, prop *protocol.Prop, how interp.Options,
	factory smt.Factory) (int, error) {
	p := f.proof()
	for i, l := range p.Lemmas {
		if text := f.Lemmas[i].Text; text != l.Text() {
			return 0, &FormError{fmt.Errorf("a lemma says %q, and is %q", text, l.Text())}
		}
	}
	return p.Check(ctx, m, prop, how, factory)
}
