package ftdp

// Blocks lists the blocks of a statement, in the order of the text.
func Blocks(st *Statement) (list []*Block) {
	switch {
	case st.If != nil:
		list = append(list, st.If.Thens...)
		for _, e := range st.If.Elsif {
			list = append(list, e.Then)
		}
		if st.If.Else != nil {
			list = append(list, st.If.Else.Body)
		}
	case st.For != nil:
		list = append(list, st.For.Body)
	}
	return list
}

// Expressions lists the expressions of a statement, without those of its blocks; some may be nil.
func Expressions(st *Statement) (list []*Expr) {
	switch {
	case st.If != nil:
		list = append(list, st.If.Guards...)
		for _, e := range st.If.Elsif {
			list = append(list, e.Guard)
		}
	case st.Undefine != nil:
		list = append(list, st.Undefine)
	case st.Send != nil:
		list = append(list, st.Send.Values...)
		if st.Send.To != nil {
			list = append(list, st.Send.To.Who)
		}
	case st.Let != nil:
		list = append(list, st.Let.Value)
	case st.Assign != nil:
		if st.Assign.Place != nil {
			list = append(list, &st.Assign.Place.Expr)
		}
		list = append(list, st.Assign.Value)
	}
	return list
}
