/* Macros with arguments, over several lines, in all places */
#define LOC(p) (Proc:pc == p)
#define RECEIVE(next, old, upper) \
  if \
    :: (old) < (upper) -> next = (old) + 1; \
    :: next = (old); \
  fi
#define SEND(v) v++
#define IDLE 0
#define BUSY 1
#define OVER 2
#define QUORUM(n, t) ((n) - (t))
#ifndef FAULTS
# define FAULTS T
#endif
symbolic int N;
symbolic int T;
symbolic int F;
short pings = 0;
assume(N > 2 * T);
assume(F <= FAULTS);
#undef FAULTS
#if 0
this is not read at all: { ( [
#else
atomic prop_over = some LOC(OVER);
#endif
atomic prop_all = all LOC(OVER);
atomic prop_card = (card LOC(BUSY) + card LOC(OVER) <= pings);
atomic prop_late = some(Proc:c < pings);
#line 77
active[N - F] proctype Proc() {
  byte pc = IDLE;
  int c = 0, d = 0;
end:
  do :: atomic {
    RECEIVE(d, c, pings + F);
    if
      :: pc == IDLE -> SEND(pings); pc = BUSY
      :: pc == BUSY && d >= QUORUM(N, T) -> pc = OVER
      :: (pc == BUSY && d < QUORUM(N, T)) || pc == OVER -> skip
    fi;
    c = d; d = 0
  } od
}
ltl fairness { []<>!prop_late && []<>(all(Proc:pc != IDLE)) }
ltl prop_f1 { <>prop_all }
ltl prop_f2 { []prop_card }
ltl prop_f3 { []!prop_over }
