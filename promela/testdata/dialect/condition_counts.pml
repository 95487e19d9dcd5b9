/* Condition-based consensus: how many proposed what is counted while processes begin */
#define V0 0
#define V1 1
#define P0 2
#define P1 3
#define D0 4
#define D1 5
#define CR 6
symbolic int N, T, F;
int nsnt00, nsnt01, nsnt00plus01, nsnt10, nsnt11, nfaulty;
int init0, init1;
assume(N > 2); assume(T >= 1); assume(N > 2 * T); assume(F >= 0 && F <= T);
atomic prec_no0 = (init0 == 0);
atomic prec_no1 = (init1 == 0);
atomic cond_init = ((init0 > (init1 + F)) || (init1 > (init0 + F)));
atomic ex0 = some(Proc:pc == D0);
atomic ex1 = some(Proc:pc == D1);
atomic over = all(Proc:pc == CR || Proc:pc == D0 || Proc:pc == D1);
atomic t00 = some(Proc:pc == P0 && Proc:nrcvd00 < nsnt00);
atomic t01 = some(Proc:pc == P0 && Proc:nrcvd01 < nsnt01);
atomic unsent = some(Proc:pc == V0 || Proc:pc == V1);
atomic tsum = some(Proc:pc == P0 && Proc:nrcvd00plus01 < nsnt00plus01);
atomic t10 = some(Proc:pc == P1 && Proc:nrcvd10 < nsnt10);
atomic t11 = some(Proc:pc == P1 && Proc:nrcvd11 < nsnt11);

active[N] proctype Proc() {
  byte pc = 0, next_pc = 0;
  int nrcvd00 = 0, next_nrcvd00 = 0, nrcvd01 = 0, next_nrcvd01 = 0;
  int nrcvd00plus01 = 0, next_nrcvd00plus01 = 0;
  int nrcvd10 = 0, next_nrcvd10 = 0, nrcvd11 = 0, next_nrcvd11 = 0;
  if
    :: pc = V0; -> init0++;
    :: pc = V1; -> init1++;
  fi;
end:
  do
    :: atomic {
      if
        :: pc == P0 ->
           if :: nrcvd00 < nsnt00 -> next_nrcvd00 = nrcvd00 + 1; :: next_nrcvd00 = nrcvd00; fi;
           if :: nrcvd01 < nsnt01 -> next_nrcvd01 = nrcvd01 + 1; :: next_nrcvd01 = nrcvd01; fi;
           if :: nrcvd00plus01 < nsnt00plus01 -> next_nrcvd00plus01 = nrcvd00plus01 + 1;
              :: next_nrcvd00plus01 = nrcvd00plus01;
           fi;
        :: else -> next_nrcvd00 = 0; next_nrcvd01 = 0; next_nrcvd00plus01 = 0;
      fi;
      if
        :: pc == P1 ->
           if :: nrcvd10 < nsnt10 -> next_nrcvd10 = nrcvd10 + 1; :: next_nrcvd10 = nrcvd10; fi;
           if :: nrcvd11 < nsnt11 -> next_nrcvd11 = nrcvd11 + 1; :: next_nrcvd11 = nrcvd11; fi;
        :: else -> next_nrcvd10 = 0; next_nrcvd11 = 0;
      fi;
      if
        :: pc == V0 || pc == V1 -> next_pc = P0;
        :: pc == P0 && next_nrcvd00plus01 >= N - T && next_nrcvd00 > next_nrcvd01 -> nsnt10++; next_pc = P1;
        :: pc == P0 && next_nrcvd00plus01 >= N - T && next_nrcvd01 > next_nrcvd00 -> nsnt11++; next_pc = P1;
        :: pc == P1 && next_nrcvd10 >= N / 2 + 1 -> next_pc = D0;
        :: pc == P1 && next_nrcvd11 >= N / 2 + 1 -> next_pc = D1;
        :: nfaulty < F && pc != CR -> nfaulty++; next_pc = CR;
        :: pc == D0 || pc == D1 -> next_pc = pc;
        :: pc == P0 && next_nrcvd00plus01 < N - T -> next_pc = pc;
        :: pc == P1 && next_nrcvd10 < N / 2 + 1 && next_nrcvd11 < N / 2 + 1 -> next_pc = pc;
      fi;
      if
        :: pc == V0 && next_pc == P0 -> nsnt00++; nsnt00plus01++;
        :: pc == V1 && next_pc == P0 -> nsnt01++; nsnt00plus01++;
        :: else;
      fi;
      pc = next_pc;
      nrcvd00 = next_nrcvd00; nrcvd01 = next_nrcvd01; nrcvd00plus01 = next_nrcvd00plus01;
      nrcvd10 = next_nrcvd10; nrcvd11 = next_nrcvd11;
      next_pc = 0; next_nrcvd00 = 0; next_nrcvd01 = 0; next_nrcvd00plus01 = 0; next_nrcvd10 = 0; next_nrcvd11 = 0;
    }
  od;
}
ltl fairness { []<>(!t00 && !t01 && !tsum && !t10 && !t11) }
ltl fairness_begin { []<>!unsent }
ltl validity0 { [](prec_no0 -> []!ex0) }
ltl validity1 { [](prec_no1 -> []!ex1) }
ltl agreement { cond_init -> [](!ex0 || !ex1) }
ltl termination { cond_init -> <>over }
