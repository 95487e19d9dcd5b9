/* Bosco: one-step Byzantine consensus; thresholds as quotients */
#define V0 0
#define V1 1
#define S0 2
#define S1 3
#define D0 4
#define D1 5
#define U0 6
#define U1 7
#define DECIDE ((N + 3 * T) / 2 + 1)
#define PREFER ((N - T) / 2 + 1)
symbolic int N, T, F;
int nsnt0, nsnt1;
assume(N > 3 * T); assume(T >= 1); assume(F <= T); assume(F >= 0);
#ifdef STRONG
assume(N > 7 * T);
#else
# ifdef WEAK
assume(N > 5 * T); assume(F == 0);
# endif
#endif
atomic all0 = all(Proc:pc == V0);
atomic all1 = all(Proc:pc == V1);
atomic ex0 = some(Proc:pc == D0);
atomic ex1 = some(Proc:pc == D1);
atomic noU0 = all(Proc:pc != U0);
atomic noU1 = all(Proc:pc != U1);
atomic noD0 = all(Proc:pc != D0);
atomic noD1 = all(Proc:pc != D1);
atomic t0 = some(Proc:r0 < nsnt0);
atomic t1 = some(Proc:r1 < nsnt1);
active[N - F] proctype Proc() {
  byte pc = 0, npc = 0; int r0, r1, n0, n1;
  if :: pc = V0 :: pc = V1 fi;
end: do :: atomic {
    if
      :: pc == S0 || pc == S1 ->
         if :: (r0 < nsnt0 + F) -> n0 = r0 + 1; :: n0 = r0; fi;
         if :: (r1 < nsnt1 + F) -> n1 = r1 + 1; :: n1 = r1; fi
      :: else -> n0 = r0; n1 = r1
    fi;
    if
      :: pc == V0 -> npc = S0; nsnt0++
      :: pc == V1 -> npc = S1; nsnt1++
      :: (pc == S0 || pc == S1) && n0 + n1 >= N - T ->
         if
           :: n0 >= DECIDE -> npc = D0
           :: n1 >= DECIDE -> npc = D1
           :: n0 < DECIDE && n1 < DECIDE ->
              if
                :: n0 >= PREFER && n1 < PREFER -> npc = U0
                :: n1 >= PREFER && n0 < PREFER -> npc = U1
                :: (n0 < PREFER || n1 >= PREFER) && (n1 < PREFER || n0 >= PREFER) ->
                   if :: pc == S0 -> npc = U0 :: pc == S1 -> npc = U1 fi
              fi
         fi
      :: pc >= D0 || (pc != V0 && pc != V1 && n0 + n1 < N - T) -> npc = pc
    fi;
    pc = npc; r0 = n0; r1 = n1; npc = 0; n0 = 0; n1 = 0
  } od
}
ltl fairness { []<>(!t0 && !t1) }
ltl lemma3 { [](ex0 -> noD1) }
ltl lemma4 { [](ex0 -> noU1) }
ltl one_step0 { all0 -> [](noD1 && noU0 && noU1) }
ltl fast0 { all0 -> <>all(Proc:pc == D0) }
