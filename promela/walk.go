package promela

// Same reports whether worlds differ in the order of their processes only.
func (w *World) Same(other *World) bool { return w.key() == other.key() }

// Violates reports whether a run, which it replays, is a counterexample to a formula, under the
// fairness that this may assume.
func (r *Run) Violates(f *Named) (bool, error) {
	m := r.Instance.m
	return r.Satisfies(m.Negation(f.Formula, m.assumed(f.Formula)))
}
