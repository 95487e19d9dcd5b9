package parametric

import (
	"github.com/tacheck/tacheck/protocol/ftdp"
)

// How many have to come to the common coin before it is known is one number for a round, however a
// process ends it.

// asking checks what `coin ... after e` says, where rounds end so.
func (r *RoundSource) asking() {
	s := r.constants()
	var first *ftdp.Expr
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
			first = e
		}
		constant := true
		of, _ := r.coefficients(s, first)
		for i, c := range sum {
			constant = constant && (i == 0 || c == 0)
			if c != of[i] {
				r.wrong(e, "so many come to the common coin of a round before it is known, in whatever way they end "+
					"the round: elsewhere that is `after %s`", first)
				return
			}
		}
		if constant && sum[0] < 0 {
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
			params = append(params, p.Name)
			values[p.Name] = 0
		}
	}
	k, ok := s.Number(e, values)
	if !ok {
		return nil, false
	}
	out = append(out, k)
	for _, p := range params {
		values[p] = 1
		with, ok := s.Number(e, values)
		if !ok {
			return nil, false
		}
		values[p] = 0
		out = append(out, with-k)
	}
	return out, true
}
