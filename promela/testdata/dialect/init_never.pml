/* What ByMC leaves out: init, never claims, arrays that nothing uses; bits in numbers */
#define FLAGS (1 << 2 | 1)
#define LOW (FLAGS & ~4)
#define HIGH (FLAGS >> 1 ^ 0)
symbolic int N;
byte table[8];
int m[3], n = 0;
assume(N > LOW);
atomic top = some(Proc:pc == HIGH);
active[N] proctype Proc() priority 1 {
  byte pc = 0, buffer[4];
  do
    :: atomic { pc == 0 -> pc = LOW; n++ }
    :: atomic { pc == LOW && n >= FLAGS - 3 -> pc = HIGH }
    :: atomic { pc == LOW || pc == HIGH -> skip }
  od
}
init { skip; printf("begin\n") }
never {
T0_init:
  if
    :: (!top) -> goto T0_init
    :: (top) -> goto accept_all
  fi;
accept_all:
  skip
}
ltl fairness { []<>all(Proc:pc != 0) }
ltl two { [](top -> n >= 2) }
ltl reach { []!top }
