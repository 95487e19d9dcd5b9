package ftdp

func (o Op) Temporal() bool { return o == Finally || o == Globally || o == Until || o == Release }
