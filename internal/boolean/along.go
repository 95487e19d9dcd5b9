package boolean

// Joined says where on a run all of some conditions are true, or with any, one of them; it is given where each is.
func Joined(any bool, list [][]bool, positions int) []bool {
	out := make([]bool, positions)
	for i := range out {
		out[i] = !any
		for _, c := range list {
			if c[i] == any {
				out[i] = any
			}
		}
	}
	return out
}

// Along says where on a run `a U b` is true, or with release `a V b`, given where a and b are; F b or G b, given only
// that. After the last position comes position loop; or it is not known what, if it is -1, and then only what has been
// decided is true.
func Along(release bool, list [][]bool, loop int) []bool {
	b := list[len(list)-1]
	out := make([]bool, len(b))
	for i := range out {
		out[i] = release
	}
	for range 2 { // the second time, it is known what comes after the last position
		next := loop >= 0 && out[loop]
		for i := len(b) - 1; i >= 0; i-- {
			first := !release // of F and G
			if len(list) == 2 {
				first = list[0][i]
			}
			if release {
				next = b[i] && (first || next)
			} else {
				next = b[i] || first && next
			}
			out[i] = next
		}
	}
	return out
}
