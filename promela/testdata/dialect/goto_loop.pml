/* No do: labels and goto make the loop, and others may move between statements */
#define INIT 0
#define ASKED 1
#define OUT 2
symbolic int N, T;
int asked;
assume(N > T && T >= 1);
bool unused[4];
atomic some_out = some(Q:pc == OUT);
atomic waiting = some(Q@check && Q:pc == ASKED);
active[N] proctype Q() {
  byte pc = INIT;
  int spare[2];
again:
  atomic { asked++; pc = ASKED };
check:
  if
    :: asked > T -> goto out
    :: asked <= T -> goto check
  fi;
out:
  pc = OUT;
stay:
  skip;
  goto stay
}
ltl fairness { []<>all(Q:pc != INIT) && []<>all(Q:pc != ASKED || asked <= T) }
ltl leave { <>all(Q:pc == OUT) }
ltl enough { [](some_out -> asked > T) }
ltl stays { [](some_out -> <>all(Q@stay)) }
