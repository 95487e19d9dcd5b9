/*
 * Reliable (consistent) broadcast for Byzantine faults, as processes.
 *
 * Source:     T. K. Srikanth, S. Toueg: Simulating authenticated broadcasts to derive
 *             simple fault-tolerant algorithms. Distributed Computing 2(2), 1987.
 * Faults:     F of N > 3T processes are Byzantine, F <= T. Correct ones are modelled;
 *             each may hear F times more than correct ones have sent.
 * Broken:     -D N3T allows N = 3T, -D F1 allows F = T + 1.
 *
 * The same algorithm as an automaton: rb.ta.
 */
#define V0 0    /* started with 0 */
#define V1 1    /* started with 1 */
#define SENT 2  /* has sent ECHO */
#define ACC 3   /* has sent ECHO and accepted */

symbolic int N, T, F;
int echo;       /* ECHOs that correct processes have sent, to all */

#ifdef N3T
assume(N >= 3 * T);
#else
assume(N > 3 * T);
#endif
#ifdef F1
assume(F <= T + 1);
#else
assume(F <= T);
#endif
assume(T >= 1);

atomic all0 = all(Proc:pc == V0);
atomic all1 = all(Proc:pc == V1);
atomic some_accepted = some(Proc:pc == ACC);
atomic all_accepted = all(Proc:pc == ACC);
atomic in_transit = some(Proc:got < echo);

active[N - F] proctype Proc() {
  byte pc = V0, next = V0;
  int got = 0, heard = 0;   /* from how many processes: before the step, after it */
  if
    :: pc = V0;
    :: pc = V1;
  fi;
wait:
  do
    :: atomic {
      havoc(heard);
      assume(got <= heard && heard <= echo + F);
      if
        :: heard >= N - T -> next = ACC;
        :: heard < N - T && pc != ACC && (pc == V1 || heard >= T + 1) -> next = SENT;
        :: else -> next = pc;
      fi;
      if
        :: (pc == V0 || pc == V1) && next != pc -> echo++;
        :: else;
      fi;
      pc = next; got = heard;
      next = V0; heard = 0;
    }
  od;
}

/* What correct processes send to each other arrives at last. */
ltl fairness { []<>(!in_transit) }

ltl unforgeability { all0 -> [](!some_accepted) }
ltl correctness { all1 -> <>(some_accepted) }
ltl relay { [](some_accepted -> <>(all_accepted)) }
