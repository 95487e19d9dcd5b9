/* Votes of two kinds: a process waits for N - T of them together. That all leave follows from the sum of what they have
   received only: with bounds on each number, who has (x, y - 1) looks like who has (x + 1, y). */
#define V0 0
#define V1 1
#define WAIT 2
#define OVER 3
#define CRASHED 4
symbolic int N, T, F;
int votes0, votes1, crashes;
assume(N > 2 * T); assume(T >= 1); assume(F >= 0); assume(F <= T);
atomic begun = all(Proc:pc != V0 && Proc:pc != V1);
atomic lost0 = some(Proc:pc == WAIT && Proc:got0 < votes0);
atomic lost1 = some(Proc:pc == WAIT && Proc:got1 < votes1);
atomic ended = all(Proc:pc == OVER || Proc:pc == CRASHED);
atomic none_over = all(Proc:pc != OVER);
active[N] proctype Proc() {
  byte pc = V0, next_pc = V0; int got0 = 0, next0 = 0, got1 = 0, next1 = 0;
  if :: pc = V0; :: pc = V1; fi;
  do
    :: atomic {
      if
        :: pc == WAIT ->
           havoc(next0); assume(got0 <= next0 && next0 <= votes0);
           havoc(next1); assume(got1 <= next1 && next1 <= votes1)
        :: else
      fi;
      if
        :: pc == V0 -> votes0++; next_pc = WAIT
        :: pc == V1 -> votes1++; next_pc = WAIT
        :: pc == WAIT && next0 + next1 >= N - T -> next_pc = OVER
        :: pc == WAIT && next0 + next1 < N - T -> next_pc = WAIT
        :: pc <= V1 && crashes < F -> crashes++; next_pc = CRASHED
        :: pc >= OVER -> next_pc = pc
      fi;
      pc = next_pc; got0 = next0; got1 = next1; next_pc = 0; next0 = 0; next1 = 0
    }
  od
}
ltl fairness { []<>(begun && !lost0 && !lost1) }
ltl termination { <>ended }
ltl reach { []none_over }
