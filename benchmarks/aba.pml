/*
 * Asynchronous Byzantine agreement: the broadcast with echoes and readies, as
 * processes.
 *
 * Source:     G. Bracha, S. Toueg: Asynchronous consensus and broadcast protocols.
 *             Journal of the ACM 32(4), 1985.
 * Faults:     F of N > 3T processes are Byzantine, F <= T.
 * Broken:     -D N3T allows N = 3T; -D READY takes T readies for one from a correct
 *             process.
 *
 * HALF is (N + T) / 2, rounded down: more than (N + T) / 2 is at least HALF + 1.
 * The same algorithm as an automaton: aba.ta.
 */
#define V0 0
#define V1 1
#define ECHOED 2
#define READIED 3
#define ACC 4

#ifdef READY
#define ONE_CORRECT T
#else
#define ONE_CORRECT (T + 1)
#endif

symbolic int N, T, F, HALF;
int echo, ready;

assume(2 * HALF == N + T || 2 * HALF == N + T - 1);
#ifdef N3T
assume(N >= 3 * T);
#else
assume(N > 3 * T);
#endif
assume(F <= T);
assume(T >= 1);

atomic all0 = all(Proc:pc == V0);
atomic all1 = all(Proc:pc == V1);
atomic some_accepted = some(Proc:pc == ACC);
atomic all_accepted = all(Proc:pc == ACC);
atomic in_transit = some(Proc:echoes < echo || Proc:readies < ready);
/* has received enough, or started with 1, and does nothing about it */
atomic idle = some(Proc:pc == V1
  || (Proc:pc == V0 || Proc:pc == ECHOED) && (Proc:echoes >= HALF + 1 || Proc:readies >= ONE_CORRECT)
  || Proc:pc == READIED && Proc:readies >= 2 * T + 1);

active[N - F] proctype Proc() {
  byte pc = V0, next = V0;
  int echoes = 0, e = 0, readies = 0, r = 0;
  if
    :: pc = V0;
    :: pc = V1;
  fi;
wait:
  do
    :: atomic {
      havoc(e);
      assume(echoes <= e && e <= echo + F);
      havoc(r);
      assume(readies <= r && r <= ready + F);
      if
        :: pc == V1 -> next = ECHOED;
        :: pc == V0 && (e >= HALF + 1 || r >= ONE_CORRECT) -> next = ECHOED;
        :: pc == ECHOED && (e >= HALF + 1 || r >= ONE_CORRECT) -> next = READIED;
        :: pc == READIED && r >= 2 * T + 1 -> next = ACC;
        :: else -> next = pc;
      fi;
      if
        :: next == ECHOED && pc != ECHOED -> echo++;
        :: next == READIED && pc != READIED -> ready++;
        :: else;
      fi;
      pc = next; echoes = e; readies = r;
      next = V0; e = 0; r = 0;
    }
  od;
}

/* What correct processes send to each other arrives, and is acted upon. */
ltl fairness { []<>(!in_transit && !idle) }

ltl unforgeability { all0 -> [](!some_accepted) }
ltl correctness { all1 -> <>(some_accepted) }
ltl agreement { [](some_accepted -> <>(all_accepted)) }
