#pragma option "x = 1"
#define S0 0
#define S1 1
#define S2 77
#undef S2
#define S2 2
#define S3 3
#define QUORUM ((N))
#define ATLEAST(x, y) (x + y)
symbolic int N, T, F, HALF;
int sent = 0;
int down;
assume(N > 1);
assume(N >= 3 * T);
assume(F == T);
#if 0
nonsense here
#elif 1
assume(F < N);
#else
assume(N >= 1);
#endif
assume(HALF == N - 1);
atomic p0 = some(Proc:r_sent >= T + 1);
atomic p1 = sent >= ATLEAST(N, 1);
atomic p2 = some(Proc:pc == S2);
atomic p3 = card(Proc:pc >= S0) < card(Proc:pc == S1);
atomic p4 = sent == 2 * T + 1;
atomic in_transit = some(Proc:r_sent < sent);
ltl fairness_odd { p0 }
ltl f0 { always (!p1) -> eventually (!p0) }
ltl f1 { always (p4) -> eventually (p1) }
active[N] proctype Proc() {
  int pc = 3, npc = 0;
  int r_sent = 0, q_sent = 0;
  if
    :: pc = S0;
    :: pc = S1; sent++;
  fi;
L0: do
    :: atomic {
      havoc(q_sent);
      assume(q_sent <= sent);
      if
        :: sent >= HALF ->
          if
            :: if
                :: !(pc == S3 && r_sent >= QUORUM) -> npc = S3;
                :: pc == S3 && q_sent >= 2 -> npc = S3; pc == S0;
                :: pc == S3 && r_sent < F -> npc = S3;
                :: else -> npc = pc;
              fi;
            :: pc == S1 -> npc = S3; printf("pc %d\n", pc);
            :: pc == S1 && q_sent != N - 1 && sent >= 2 ->
              if
                :: pc == S0 && q_sent >= N - 1 -> skip; npc = S3;
                :: else -> npc = pc;
              fi;
            :: else -> npc = pc;
          fi;
        :: sent >= 0 -> npc = S3;
        :: down < F && pc != S3 -> down++; npc = S3;
        :: else -> npc = pc;
      fi;
      if
        :: pc == S0 && npc == S1 -> sent = sent + 1;
        :: pc == S1 && npc == S2 -> sent++;
        :: else;
      fi;
      pc = npc; r_sent = q_sent;
      npc = 0; q_sent = 0;
    }
  od
}
