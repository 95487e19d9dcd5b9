/* Messages are received one in each step, and only with a step. That all accept follows from how many somebody can have
   received who has just reached a threshold: with bounds at thresholds only, all may have arrived there. */
#define NEW 0
#define ASKED 1
#define ECHOED 2
#define DONE 3
symbolic int N, T, F;
int echoes;
assume(N > 4 * T); assume(T >= 1); assume(F <= T); assume(F >= 0);
atomic nobody = all(Proc:pc == NEW);
atomic everybody = all(Proc:pc == ASKED);
atomic one = some(Proc:pc == DONE);
atomic done = all(Proc:pc == DONE);
atomic due = some(Proc:got < echoes - F);
active[N] proctype Proc() {
  byte pc = 0, to = 0; int got = 0, now = 0;
  if :: pc = NEW :: pc = ASKED fi;
end: do
    :: atomic {
      now = got + 1;
      if :: now > echoes + F -> now = 0; goto end :: else fi;
      if :: now >= N - T -> to = DONE
         :: now < N - T && (pc == ASKED || now >= T + 1) -> to = ECHOED
         :: else -> to = pc
      fi;
      if :: pc < ECHOED && to >= ECHOED -> echoes++ :: else fi;
      pc = to; got = now; to = 0; now = 0
    }
  od
}
ltl fairness { []<>!due }
ltl relay { [](one -> <>done) }
ltl start { everybody -> <>one }
ltl silence { nobody -> []!one }
