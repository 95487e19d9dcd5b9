/* Two loops: votes are collected in the first one, and acknowledged in the second one */
#define V0 0
#define V1 1
#define VOTED 2
#define READY 3
#define DONE 4
symbolic int N, T, F;
int votes, acks;
assume(N > 2 * T); assume(T >= 1); assume(F <= T);
atomic some_done = some(Proc:pc == DONE);
atomic all_done = all(Proc:pc == DONE);
atomic second = some(Proc@phase2);
atomic none_yet = all(Proc:pc == V0);
atomic transit = some(Proc:r < votes);
atomic transit_a = some(Proc:a < acks);
atomic idle = some(Proc@phase1 && Proc:r >= T + 1);
active[N - F] proctype Proc() {
  byte pc = V0; int r = 0, a = 0, x = 0;
  if :: pc = V0 :: pc = V1 fi;
phase1:
  do
    :: atomic { pc == V1 -> votes++; pc = VOTED }
    :: atomic {
         havoc(x); assume(r <= x && x <= votes + F);
         r = x; x = 0;
         if
           :: r >= T + 1 -> acks++; pc = READY; break
           :: else -> skip
         fi
       }
  od;
phase2:
  do
    :: atomic {
         havoc(x); assume(a <= x && x <= acks);
         a = x; x = 0;
         if :: a >= N - T -> pc = DONE :: else fi
       }
  od
}
ltl fairness { []<>(!transit_a) && []<>(!idle) && []<>(!transit || second) }
ltl unforg { none_yet -> []!some_done }
ltl phases { [](some_done -> second) }
ltl relay { [](some_done -> <>all_done) }
