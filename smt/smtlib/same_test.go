package smtlib

import "testing"

// TestSame: scripts are the same whose sums and declarations stand in another order, and no others.
func TestSame(t *testing.T) {
	const script = `(declare-fun x () Int)
(declare-fun y () Int)
(declare-fun b () Bool)
(define-fun part!0 () Bool (or b (>= (+ x (* (- 2) y)) 3)))
(assert (and part!0 (not (= (+ x y) (- 1)))))
(check-sat)
; sat
; values 1 2
`
	for _, test := range []struct {
		other string
		want  bool
	}{
		{script, true},
		{`(declare-fun y () Int)
(declare-fun b () Bool)
(declare-fun x () Int)
(define-fun part!0 () Bool (or b (>= (+ (* (- 2) y) x) 3)))
(assert (and part!0 (not (= (+ y x) (- 1)))))
(check-sat)
; sat
; values 1 2
`, true},
		{`(declare-fun x () Int)
(declare-fun y () Int)
(declare-fun b () Bool)
(define-fun part!0 () Bool (or b (>= (+ (* 2 x) (* (- 2) y) (* (- 1) x)) 3) (>= (+ x (* (- 1) x)) 1)))
(assert (and part!0 (>= (+ x (* (- 1) x)) 0) (not (= (+ x y) (- 1)))))
(check-sat)
; sat
; values 1 2
`, true},
	} {
		if Same([]byte(script), []byte(test.other)) != test.want {
			t.Errorf("%v is expected of\n%s", test.want, test.other)
		}
	}
	for i := range script { // another text with any sign left out or doubled
		for _, other := range []string{script[:i] + script[i+1:], script[:i+1] + script[i:]} {
			if other != script && Same([]byte(script), []byte(other)) {
				t.Errorf("the same without or with twice the sign %d:\n%s", i, other)
			}
		}
	}
	for _, other := range []string{"", "(assert ", "(assert (", "(assert (>= ", "(assert (>= (+ x", "(assert (not))", "(assert (>= (+ x y) (- 1))", "(assert (and)))"} {
		if Same([]byte(script), []byte(other)) || Same([]byte(other+"\n"), []byte(other)) {
			t.Errorf("the same as %q", other)
		}
	}
}
