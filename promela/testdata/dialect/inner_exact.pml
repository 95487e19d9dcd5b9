/* Loops in a step: all that has arrived is taken at once; three tries are counted with numbers */
#define A 0
#define B 1
#define C 2
symbolic int N;
int m;
assume(N >= 1);
atomic some_c = some(Proc:pc == C);
atomic all_c = all(Proc:pc == C);
active[N] proctype Proc() {
  byte pc = A, i = 0, tries = 0; int got = 0;
end: do
  :: atomic {
       i = 0;
       do
         :: i < 3 -> i++; if :: tries < 3 -> tries++ :: tries = 0; break fi
         :: else -> break
       od;
       i = 0;
       do
         :: got < m -> got = got + 1
         :: else -> break
       od;
       if
         :: pc == A -> m++; pc = B
         :: pc == B && got >= N -> pc = C
         :: else
       fi;
       tries = 0
     }
  od
}
ltl fairness { []<>all(Proc:pc != A) && []<>all(Proc:got >= m) }
ltl reached { <>all_c }
ltl early { [](some_c -> m == N) }
ltl never { []!some_c }
