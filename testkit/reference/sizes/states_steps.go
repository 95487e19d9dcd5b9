package sizes

import "slices"

// begin visits the states in which the instance begins: for any faulty processes, as many of each type as there have to be.
func (n *namer) begin(visit func(named)) {
	var choose func(s named, p int)
	choose = func(s named, p int) {
		if p == len(n.types) {
			n.inputs(s, visit)
			return
		}
		for _, faulty := range []byte{0, 1} {
			t := slices.Clone(s)
			t[n.faultyAt(p)] = faulty
			if n.mayBe(t, p) {
				choose(t, p+1)
			}
		}
	}
	choose(make(named, n.size()), 0)
}

// mayBe tells whether, as processes up to the last one are faulty or not, the number of those of its type can be right.
func (n *namer) mayBe(s named, last int) bool {
	faulty, rest := 0, 0
	for p, role := range n.types {
		switch {
		case role != n.types[last]:
		case p <= last:
			faulty += int(s[n.faultyAt(p)])
		default:
			rest++
		}
	}
	want := n.liars[n.types[last]]
	return faulty <= want && faulty+rest >= want
}

// inputs visits a state with each initial world of the instance.
func (n *namer) inputs(s named, visit func(named)) {
	who := n.who(s)
	for _, w := range n.initial() {
		t := slices.Clone(s)
		for p := range n.types {
			if i := who[p]; i >= 0 {
				copy(t[n.variableAt(p, 0):n.variableAt(p+1, 0)], n.at(w, i)[1:1+n.variables])
			}
		}
		visit(t)
	}
}

// lies tells whether a process is faulty and takes no rules.
func (n *namer) lies(s named, p int) bool {
	return s[n.faultyAt(p)] == 1 && n.Text.Faults != "omission"
}

// who is the number of each process among those of a world, or -1: there, of each type those that omit come first.
func (n *namer) who(s named) []int {
	who := make([]int, len(n.types))
	next := 0
	for role := range n.Text.Roles {
		for _, faulty := range []byte{1, 0} {
			for p, r := range n.types {
				if r != role || s[n.faultyAt(p)] != faulty {
					continue
				}
				if who[p] = -1; !n.lies(s, p) {
					who[p] = next
					next++
				}
			}
		}
	}
	return who
}

// worldOf is what rules look at in a state: variables, who has crashed, and how many messages were heard.
func (n *namer) worldOf(s named, who []int) world {
	w := make(world, n.layout.first+n.processes*n.layout.size)
	for p, i := range who {
		if i < 0 {
			continue
		}
		n.at(w, i)[0] = s[n.crashedAt(p)]
		copy(n.at(w, i)[1:1+n.variables], s[n.variableAt(p, 0):n.variableAt(p+1, 0)])
		for k := range n.Text.Kinds {
			for q, role := range n.types {
				value := int(s[n.heardAt(p, k, q)])
				if value == 0 {
					continue
				}
				group := role
				if n.layout.named {
					group = who[q]
				}
				n.sure(w, i)[n.slot(k, group, value-1)]++
			}
		}
	}
	return w
}

// steps visits what can come next.
func (n *namer) steps(s named, visit func(named)) {
	who := n.who(s)
	w := n.worldOf(s, who)
	for p := range n.types {
		switch {
		case n.lies(s, p):
			if n.Text.Faults == "symmetric" {
				n.lieToAll(s, p, visit)
			}
			continue
		case s[n.crashedAt(p)] == 1:
			continue
		}
		n.receive(s, p, visit)
		n.rules(s, w, p, who[p], visit)
		if n.mayCrash(w, who[p]) {
			t := slices.Clone(s)
			n.stop(t, p)
			visit(t)
		}
	}
}

// stop has a process crash: it forgets what no process can ask for.
func (n *namer) stop(s named, p int) {
	s[n.crashedAt(p)] = 1
	for v := range n.Text.Roles[n.types[p]].Variables {
		if !n.kept[n.types[p]][v] {
			s[n.variableAt(p, v)] = 0
		}
	}
	clear(s[n.heardAt(p, 0, 0):n.heardAt(p+1, 0, 0)])
}

// send puts a message on its way to all for whom it is.
func (n *namer) send(s named, from, kind, number int, unsure byte) {
	for to, role := range n.types {
		if n.looked[role][kind] && !(n.Text.Faults == "byzantine" && n.lies(s, to)) {
			s[n.wayAt(from, kind, to)] = byte(2*(number+1)) + unsure
		}
	}
}

// rules visits what comes of a process's rules.
func (n *namer) rules(s named, w world, p, i int, visit func(named)) {
	for r, rule := range n.Text.Roles[n.types[p]].Rules {
		if !n.enabled(w, i, r) {
			continue
		}
		to := slices.Clone(w)
		var slots []int
		n.execute(to, i, rule.Body, &slots)
		for _, crashing := range []bool{false, true} {
			if crashing && (len(slots) == 0 || n.Text.Faults != "crash" || !n.mayCrash(w, i)) {
				continue
			}
			t := slices.Clone(s)
			copy(t[n.variableAt(p, 0):n.variableAt(p+1, 0)], n.at(to, i)[1:1+n.variables])
			for _, slot := range slots {
				kind, number := n.of(slot, i)
				n.send(t, p, kind, number, byte(truth(crashing)))
			}
			if crashing {
				n.stop(t, p)
			}
			visit(t)
		}
	}
}

// of is the kind and the number of the message of a process that belongs to a slot.
func (n *namer) of(slot, process int) (kind, number int) {
	for kind, k := range n.Text.Kinds {
		for number := range k.values() {
			if n.slot(kind, n.group(process), number) == slot {
				return kind, number
			}
		}
	}
	panic("a slot of no message")
}

// receive visits what comes of messages that arrive at a process.
func (n *namer) receive(s named, p int, visit func(named)) {
	for kind, k := range n.Text.Kinds {
		for q, role := range n.types {
			if way := s[n.wayAt(q, kind, p)]; way > 0 {
				t := slices.Clone(s)
				t[n.wayAt(q, kind, p)] = 0
				t[n.heardAt(p, kind, q)] = way / 2
				visit(t)
			}
			lies := n.Text.Faults == "byzantine" && n.lies(s, q) && slices.Contains(k.senders, role)
			if !lies || s[n.heardAt(p, kind, q)] > 0 || !n.looked[n.types[p]][kind] {
				continue
			}
			for number := range k.values() {
				t := slices.Clone(s)
				t[n.heardAt(p, kind, q)] = byte(number + 1)
				visit(t)
			}
		}
	}
}

// lieToAll visits what comes of what a faulty process sends, the same to all.
func (n *namer) lieToAll(s named, p int, visit func(named)) {
	for kind, k := range n.Text.Kinds {
		if s[n.liedAt(p, kind)] == 1 || !slices.Contains(k.senders, n.types[p]) {
			continue
		}
		for number := range k.values() {
			t := slices.Clone(s)
			t[n.liedAt(p, kind)] = 1
			n.send(t, p, kind, number, 0)
			visit(t)
		}
	}
}
