// Words for operators, formulas of every kind
symbolic int N
int s = 0
assume N >= 1
atomic a = all(Proc:pc == 0)
atomic b = some(Proc:pc == 1)
atomic c = (some(Proc:pc == 1) and not all(Proc:pc == 1))
active[N] proctype Proc() {
  byte pc = 0
  do
  :: atomic { if :: pc == 0 -> pc = 1; s++ :: pc == 1 -> skip fi }
  od
}
ltl fairness { always eventually all(Proc:pc == 1) }
ltl w1 { a weakuntil b }
ltl w2 { a until b }
ltl w3 { (eventually always b) or c }
ltl w4 { always (b implies (always b)) }
ltl w5 { (a equivalent (not b)) }
ltl w6 { b release (a || b) }
ltl w7 { always not c }
