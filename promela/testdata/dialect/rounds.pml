/* Two rounds, told apart by control: votes of the first one are forgotten in the second one */
#define R1 0
#define R2 1
#define END 2
symbolic int N, T, F;
int n1 = 0, n2 = 0;
assume(N > 3 * T); assume(T >= 1); assume(F <= T); assume(F >= 0);
atomic some_end = some(Proc:round == END);
atomic all_end = all(Proc:round == END);
atomic t1 = some(Proc:round == R1 && Proc:r < n1);
atomic t2 = some(Proc:round == R2 && Proc:r < n2);
active[N - F] proctype Proc() {
  byte round = R1; bool said = 0; int r = 0, x = 0;
end: do
  :: atomic { !said && round != END -> said = true; if :: round == R1 -> n1++ :: round == R2 -> n2++ fi }
  :: atomic {
       said && round != END;
       if
         :: round == R1 -> havoc(x); assume(r <= x && x <= n1 + F)
         :: round == R2 -> havoc(x); assume(r <= x && x <= n2 + F)
       fi;
       r = x; x = 0;
       if
         :: r >= N - T -> round++; r = 0; said = false
         :: else
       fi
     }
  :: atomic { round == END -> skip }
  od
}
ltl fairness { []<>(!t1 && !t2) && []<>all(Proc:said == 1 || Proc:round == END) }
ltl ends { <>all_end }
ltl safe { [](some_end -> n2 >= N - T - F) }
