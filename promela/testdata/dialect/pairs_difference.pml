/* Every b is sent with an a: what is left of a only grows */
#define START 0
#define PLAIN 1
#define BOTH 2
#define OUT 3
symbolic int N, T;
int a, b;
assume(N > 2 * T && T >= 1);
atomic out = some(Proc:pc == OUT);
atomic nobody_plain = all(Proc:pc != PLAIN);
active[N] proctype Proc() {
  byte pc = START;
end: do
  :: atomic {
       if
         :: pc == START -> a++; pc = PLAIN
         :: pc == START -> a++; b++; pc = BOTH
         :: (pc == PLAIN || pc == BOTH) && a - b >= T + 1 -> pc = OUT
         :: (pc == PLAIN || pc == BOTH) && a < b + T + 1 -> skip
         :: pc == OUT -> skip
       fi
     }
  od
}
ltl fairness { []<>all(Proc:pc != START) && []<>all(Proc:pc == OUT || a - b < T + 1) }
ltl safe { [](out -> a >= T + 1) }
ltl none { []nobody_plain -> []!out }
ltl reach { []!out }
ltl leave { [](out -> <>all(Proc:pc == OUT)) }
