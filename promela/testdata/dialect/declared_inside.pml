/* Declarations among statements give first values whenever they are reached, as in Spin */
symbolic int N, T;
int m;
assume(N > T && T >= 1);
active[N] proctype P() {
  byte pc = 0, low = 1 + 1;
  int r = 0;
end: do
  :: atomic {
       pc != 2;
       int before = r;
       bool more = (r < m), first = (pc == 0);
       if :: more -> r++ :: else fi;
       byte twice;
       twice = twice + 1;
       if
         :: first -> m++; pc = 1
         :: !first && r > before && r >= T + 1 -> pc = low
         :: !first && (r == before || r < T + 1) -> skip
       fi;
       assert(twice == 1)
     }
  :: atomic { pc == 2 -> skip }
  od
}
ltl fairness { []<>all(P:pc != 0) && []<>all(P:r >= m) }
ltl done { <>all(P:pc == 2) }
ltl enough { [](some(P:pc == 2) -> m >= T + 1) }
ltl never { []!some(P:pc == 2) }
