/* A step that receives messages in a loop of its own, as many as it likes */
#define WAIT 0
#define SENT 1
#define GO 2
symbolic int N, T;
int m;
assume(N > 2 * T && T >= 1);
atomic some_go = some(Proc:pc == GO);
atomic all_go = all(Proc:pc == GO);
atomic transit = some(Proc:got < m);
active[N] proctype Proc() {
  byte pc = WAIT; int got = 0;
end: do
  :: atomic {
       do
         :: got < m -> got++
         :: break
       od;
       if
         :: pc == WAIT -> m = m + 1; pc = SENT
         :: pc == SENT && got >= N - T -> pc = GO
         :: else
       fi
     }
  od
}
atomic idle = some(Proc:pc == SENT && Proc:got >= N - T);
ltl fairness { []<>(!transit && !idle) && []<>all(Proc:pc != WAIT) }
ltl all_arrive { <>all_go }
ltl bound { [](some_go -> m >= N - T) }
ltl never { []!some_go }
