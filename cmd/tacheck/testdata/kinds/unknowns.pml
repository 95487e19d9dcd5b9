symbolic int N;
unknowns a: 0..1;
int yes;
assume(N >= 2);
atomic some_done = some(Proc:pc == 2);
atomic few = yes < N - 1;
active[N] proctype Proc() {
  byte pc = 0;
  do
    :: pc == 0 -> atomic { pc = 1; yes++; }
    :: pc == 1 && yes >= N - a -> pc = 2;
  od;
}
ltl all { [](!some_done || !few) }
