/* Alternatives that are no atomic blocks: each statement is a step */
symbolic int N;
int sent, done;
assume(N >= 2);
atomic even = (sent == done);
atomic all_p = all(R:x == 2);
active[N] proctype R() {
  bit first = 1; byte x = 0;
  do
    :: first == 1 -> sent++; first = 0; x = 1
    :: first == 0 && x == 1 -> done = done + 1; x = 2
    :: else -> break
  od
}
ltl order { [](done <= sent) }
ltl same { []even }
ltl meet { <>(all_p && sent == N && done == N) }
ltl fairness { []<>all(R:x != 1) && []<>all(R:first == 0) }
