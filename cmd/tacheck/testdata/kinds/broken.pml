symbolic int N;
int yes;
assume(N >= 2);
atomic some_done = some(Proc:pc == 2);
atomic few = yes < N - 1;
active[N] proctype Proc() {
  byte pc = 0;
  do
    :: pc == 0 -> atomic { pc = 1; yes++; }
    :: pcc == 1 && yes >= N - 1 -> pc = 2;
  od;
}
ltl all { [](!some_done || !few) }
ltl none { [](!some_done) }
