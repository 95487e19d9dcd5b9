package protocol

import "slices"

// send executes a statement that sends a message to one process or several. It is on its way when the rule ends.
// Where there is no process to send to, nothing is evaluated.
func (s *scope) send(st *Stmt) {
	list := s.receivers(st)
	if len(list) == 0 {
		return
	}
	msg := s.compose(st)
	for _, to := range list {
		s.sent = append(s.sent, outgoingMessage{to, slices.Clone(msg)})
	}
}

// compose builds the message: its kind, and values for fields.
func (s *scope) compose(st *Stmt) Message {
	msg := make(Message, s.model.Message.Size)
	clearCells(msg)
	cell, value, fields := s.model.kindOf(st.Message)
	msg[cell] = value
	for i, a := range st.Args {
		f := fields[i]
		v := s.evalAs(a, f.Type)
		checkRange(a.Pos, f.Type, v.Cells)
		copy(msg[f.Offset:f.Offset+f.Type.Size], v.Cells)
	}
	return msg
}

// receivers lists the processes that a message is sent to.
func (s *scope) receivers(st *Stmt) []int {
	role := s.mover.Role
	for _, r := range s.model.Roles {
		if st.Of == r.TypeName {
			role = r
		}
	}
	var list []int
	switch st.To {
	case "sender":
		if mistake == mistakeSender {
			return []int{s.mover.ID()}
		}
		return []int{s.sender.ID()}
	case "all", "others":
		for k := range role.Size {
			id := role.First + k
			if id == s.mover.ID() && (st.To == "others") != (mistake == mistakeOthers) {
				continue
			}
			list = append(list, id)
		}
		return list
	}
	if st.Target.Op == "name" {
		if q, ok := s.quorums[st.Target.Name]; ok {
			for _, k := range q.numbers {
				list = append(list, q.role.First+k-1)
			}
			if mistake == mistakeToQuorum {
				list = list[:1]
			}
			return list
		}
	}
	v := s.eval(st.Target)
	if v.Type.Kind == RoleType {
		return []int{v.Type.Role.First + s.defined(st.Target) - 1}
	}
	s.elements(st.Target, v)
	for k, c := range v.Cells {
		if c == 1 || mistake == mistakeToSet {
			list = append(list, v.Type.Index.Role.First+k)
		}
	}
	return list
}
