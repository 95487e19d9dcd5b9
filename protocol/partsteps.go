package protocol

// Statements, part by part.

func (b *parts) steps(list []*Step) (out []*Step) {
	for _, s := range list {
		step := *s
		step.Target, step.Value = b.term(s.Target), b.term(s.Value)
		step.Conds, step.Blocks = nil, nil
		for _, c := range s.Conds {
			step.Conds = append(step.Conds, b.term(c))
		}
		for _, block := range s.Blocks {
			step.Blocks = append(step.Blocks, b.steps(block))
		}
		if s.Kind == StepAssign && divided(step.Target, step.Value) && !step.moves() {
			out = append(out, b.assign(&step)...)
		} else {
			out = append(out, &step)
		}
	}
	return out
}

// moves reports whether an assignment writes what says where it writes.
func (s *Step) moves() (is bool) {
	s.Target.inside(func(t *Term) { is = is || Overlap(s.Target, t) })
	return is
}

// assign assigns a value. If it reads what is written, it gets a name before.
func (b *parts) assign(s *Step) []*Step {
	reads := false
	s.Value.Places(func(t *Term) { reads = reads || Overlap(s.Target, t) })
	if !reads {
		return b.parted(s, s.Target, s.Value)
	}
	named := &Term{Op: OpPlace, Pos: s.Target.Pos, Width: s.Target.Width, Base: BaseLet,
		Var: b.cells(s.Target.Type.Cells), Type: s.Target.Type}
	return append(b.parted(s, named, s.Value), b.parted(s, s.Target, named)...)
}

// parted assigns all parts of a value.
func (b *parts) parted(s *Step, target, value *Term) (out []*Step) {
	switch target.Type.Kind {
	case KindRecord:
		for i := range target.Type.Fields {
			out = append(out, b.parted(s, target.field(i), value.field(i))...)
		}
		return out
	case KindArray:
		k, over := b.each(target, target.Type)
		return []*Step{{Kind: StepFor, Pos: s.Pos, Var: k.Var, Range: over,
			Blocks: [][]*Step{b.parted(s, target.elementAt(k), value.elementAt(k))}}}
	}
	return []*Step{{Kind: StepAssign, Pos: s.Pos, Target: target, Value: value}}
}
