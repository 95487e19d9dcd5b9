/* Consensus in one communication step (crashes): decide if all of N - T votes are equal */
#define V0 0
#define V1 1
#define S0 2
#define S1 3
#define D0 4
#define D1 5
#define U0 6
#define U1 7
#define CR 8
symbolic int N, T, F;
int v0, v1, v0F, v1F, crashed;
assume(N > 3); assume(T >= 1); assume(N > 3 * T); assume(F >= 0); assume(F <= T);
#ifdef ONE
assume(F == 1);
#endif
atomic all0 = all(Proc:pc == V0);
atomic all1 = all(Proc:pc == V1);
atomic end0 = all(Proc:pc == D0 || Proc:pc == CR);
atomic end1 = all(Proc:pc == D1 || Proc:pc == CR);
atomic notD0 = all(Proc:pc != D0);
atomic notD1 = all(Proc:pc != D1);
atomic notU0 = all(Proc:pc != U0);
atomic notU1 = all(Proc:pc != U1);
atomic over = all(Proc:pc >= D0);
atomic t0 = some(Proc:r0 < v0);
atomic t1 = some(Proc:r1 < v1);
active[N] proctype Proc() {
  byte pc = 0, next_pc = 0; int r0 = 0, n0 = 0; int r1 = 0, n1 = 0;
  if :: pc = V0; :: pc = V1; fi;
end: do
  :: atomic {
     if
       :: pc <= S1 ->
          if :: r0 < v0 + v0F -> n0 = r0 + 1 :: n0 = r0 fi;
          if :: r1 < v1 + v1F -> n1 = r1 + 1 :: n1 = r1 fi
       :: else -> n0 = 0; n1 = 0
     fi;
     if
       :: pc == V0 -> next_pc = S0
       :: pc == V1 -> next_pc = S1
       :: (pc == S0 || pc == S1) && n0 + n1 >= N - T ->
          if
            :: n1 == 0 -> next_pc = D0
            :: n0 == 0 -> next_pc = D1
            :: n0 >= 1 && n1 >= 1 ->
               if
                 :: n0 >= N - 2 * T -> next_pc = U0
                 :: n1 >= N - 2 * T -> next_pc = U1
                 :: n0 < N - 2 * T && n1 < N - 2 * T && pc == S0 -> next_pc = U0
                 :: n0 < N - 2 * T && n1 < N - 2 * T && pc == S1 -> next_pc = U1
               fi
          fi
       :: crashed < F && pc != CR -> crashed++; next_pc = CR
       :: (pc == S0 || pc == S1) && n0 + n1 < N - T -> next_pc = pc
       :: pc > S1 -> next_pc = pc
     fi;
     if
       :: pc == V0 && next_pc == S0 -> v0++
       :: pc == V1 && next_pc == S1 -> v1++
       :: pc == V0 && next_pc == CR -> v0F++
       :: pc == V1 && next_pc == CR -> v1F++
       :: else
     fi;
     pc = next_pc; r0 = n0; r1 = n1; next_pc = 0; n0 = 0; n1 = 0
  }
od }
ltl fairness { []<>(!t0 && !t1) }
ltl one_step0 { all0 -> [](notD1 && notU0 && notU1) }
ltl one_step1 { all1 -> [](notD0 && notU0 && notU1) }
ltl fast0 { all0 -> <>end0 }
ltl fast1 { all1 -> <>end1 }
ltl termination { <>over }
