/*
 * Folklore reliable broadcast with crashes, as processes.
 *
 * Source:     T. D. Chandra, S. Toueg: Unreliable failure detectors for reliable
 *             distributed systems. Journal of the ACM 43(2), 1996.
 * Faults:     at most F < N processes crash, cleanly: between two broadcasts, never
 *             inside one.
 * Broken:     -D ACCEPT_FIRST: a process accepts first and sends afterwards, and
 *             crashes need not be clean (`some` counts broadcasts that reach some).
 *
 * The same algorithm as an automaton: frb.ta.
 */
#define V0 0      /* has nothing to broadcast */
#define V1 1      /* broadcasts m */
#define ACC 2     /* has sent m to all and accepted it */
#define CRASHED 3
#define SILENT 4  /* accepted, but not yet sent */

symbolic int N, F;
int msg, some_msg, down;

assume(N > 1);
assume(F < N);

atomic all0 = all(Proc:pc == V0);
atomic all1 = all(Proc:pc == V1);
atomic some_accepted = some(Proc:pc == ACC || Proc:pc == SILENT);
atomic everybody = all(Proc:pc != V0 && Proc:pc != V1);
atomic in_transit = some(Proc:pc != CRASHED && Proc:got < msg);
atomic unsent = some(Proc:pc == V1 || Proc:pc == SILENT);

active[N] proctype Proc() {
  byte pc = V0, next = V0;
  int got = 0, heard = 0;
  if
    :: pc = V0;
    :: pc = V1;
  fi;
wait:
  do
    :: atomic {
      havoc(heard);
      assume(got <= heard && heard <= msg + some_msg);
      if
        :: pc == V1 -> next = ACC; msg++;
#ifdef ACCEPT_FIRST
        :: pc == V0 && heard >= 1 -> next = SILENT;
        :: pc == SILENT -> next = ACC; msg++;
        :: pc == V1 && down < F -> next = CRASHED; down++; some_msg++;
#else
        :: pc == V0 && heard >= 1 -> next = ACC; msg++;
        :: pc == V1 && down < F -> next = CRASHED; down++;
#endif
        :: (pc == V0 || pc == ACC || pc == SILENT) && down < F -> next = CRASHED; down++;
        :: pc == ACC || pc == CRASHED || (pc == V0 && heard < 1) -> next = pc;
      fi;
      pc = next; got = heard;
      next = V0; heard = 0;
    }
  od;
}

/* What is sent arrives at those who live, and nobody is idle for ever while it
   has something to send. */
ltl fairness { []<>(!in_transit && !unsent) }

ltl unforgeability { all0 -> [](!some_accepted) }
ltl correctness { all1 -> <>(some_accepted) }
ltl relay { [](some_accepted -> <>(everybody)) }
