/* The initial block grows and reads shared variables: exploring knows what it means */
symbolic int N;
int tickets;
assume(N >= 1);
active[N] proctype Proc() {
  int mine = 0; byte pc = 0;
  tickets++;
  mine = tickets;
  if :: mine == 1 -> pc = 1 :: else -> pc = 2 fi;
end: do
  :: atomic { pc == 1 -> pc = 3 }
  :: atomic { pc == 2 -> skip }
  od
}
ltl first { <>some(Proc:pc == 3) }
ltl one { [](card(Proc:pc == 3) <= 1) }
