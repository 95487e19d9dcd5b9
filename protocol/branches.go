package protocol

// before reports whether the first cell of a place, with whatever indices, is not behind the last one of another.
// Places of whole roles have no such order.
func (t *Term) before(u *Term) bool {
	if t.Base == BaseWhole || u.Base == BaseWhole {
		return true
	}
	end := u.Offset + u.Type.Cells
	for _, x := range u.Indices {
		end += (x.Array.Index.Size() - 1) * x.Stride
	}
	return t.Offset < end
}
