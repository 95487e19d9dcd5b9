package parametric

import (
	"slices"

	"github.com/tacheck/tacheck/protocol/ftdp"
)

// How many have to come to the common coin before it is known is one number for a round, however a
// process ends it.

// asking checks what `coin ... after e` says, where rounds end so.
func (r *RoundSource) asking() {
	s := r.constants()
	var first *ftdp.Expr
	var want []int64
	for _, site := range r.Sites {
		if site.Coin == nil || site.Coin.After == nil {
			continue
		}
		e := site.Coin.After
		sum, ok := r.coefficients(s, e)
		if !ok {
			r.noSum(e)
			return
		}
		if first == nil {
			first, want = e, sum
		}
		if !slices.Equal(sum, want) {
			r.wrong(e, "so many come to the common coin of a round before it is known, in whatever way they end "+
				"the round: elsewhere that is `after %s`", first)
			return
		}
		if sum[0] < 0 && !slices.ContainsFunc(sum[1:], func(c int64) bool { return c != 0 }) {
			r.wrong(e, "at least 0 processes come to a coin: with `after 0`, what it says is known when the round "+
				"begins")
			return
		}
	}
}

// coefficients returns the number of a sum of parameters and numbers, and how often each parameter is in it.
func (r *RoundSource) coefficients(s *Source, e *ftdp.Expr) (out []int64, ok bool) {
	values := map[string]int64{}
	var params []string
	for _, sec := range r.File.Sections {
		for _, p := range sec.Parameters {
			params, values[p.Name] = append(params, p.Name), 0
		}
	}
	k, ok := s.Number(e, values)
	out = append(out, k)
	for _, p := range params {
		values[p] = 1
		with, _ := s.Number(e, values)
		values[p] = 0
		out = append(out, with-k)
	}
	return out, ok
}
