/* Whoever can again and again go on does: strong fairness as implication; faults of two kinds add messages */
#define A 0
#define B 1
#define C 2
symbolic int N, T, Fa, Fs;
int m, mf;
assume(N > 3 * T); assume(T >= 1); assume(Fa + Fs <= T);
atomic ready = some(Proc:pc == A && Proc:r >= T + 1);
atomic moved = all(Proc:pc != A || Proc:r < T + 1);
atomic some_c = some(Proc:pc == C);
atomic all_c = all(Proc:pc == C);
atomic late = some(Proc:r < m);
atomic all_b = all(Proc:pc == B);
active[N - Fa - Fs] proctype Proc() {
  byte pc = A; int r = 0, x = 0;
  if :: pc = A :: pc = B -> m++ fi;
end: do
  :: atomic {
       if
         :: r < m + Fa + Fs -> havoc(x); assume(x > r && x <= m + Fa + Fs)
         :: x = r
       fi;
       r = x; x = 0;
       if
         :: pc == A && r >= T + 1 -> pc = B; m++
         :: pc == B && r >= N - T -> pc = C
         :: else
       fi
     }
  od
}
ltl fairness { []<>(!late) && (<>[]ready -> []<>moved) }
ltl fairness_response { [](ready -> <>moved) }
ltl agree { [](some_c -> <>all_c) }
ltl unforg { all(Proc:pc == A) -> []!some_c }
ltl all_begin { all_b -> <>some_c }
