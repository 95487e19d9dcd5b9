/* Broadcast when processes crash between steps: nfaulty counts those that have */
#define V0 0
#define V1 1
#define SE 2
#define AC 3
#define CR 4
symbolic int N, Tc, Fc, Fnc;
assume(N > Tc); assume(Tc >= 1); assume(Fc <= Tc && Fnc <= Fc); assume(Fnc >= 0);
int nsnt, nfaulty, nsilent;
atomic prec_unforg = all(Proc:pc == V0);
atomic prec_corr = all(Proc:pc == V1);
atomic ex_acc = some(Proc:pc == AC);
atomic all_acc = all(Proc:pc == AC || Proc:pc == CR);
atomic in_transit = some(Proc:pc != CR && Proc:nrcvd < nsnt);
atomic not_all_crash = some(Proc:pc != CR);
active[N] proctype Proc() {
  byte pc = 0; byte next_pc = 0;
  int nrcvd = 0; int next_nrcvd = 0;
  if
    :: pc = V0
    :: pc = V1
  fi;
end: do
  :: atomic {
     pc != CR;
     if
       :: next_nrcvd = nrcvd + 1
       :: next_nrcvd = nrcvd
     fi;
     if
       :: next_nrcvd > nsnt -> next_nrcvd = 0; goto end
       :: else -> skip
     fi;
     if
       :: pc == V1 || next_nrcvd >= 1 -> next_pc = AC
       :: nfaulty < Fc -> next_pc = CR; nfaulty++
       :: else -> next_pc = pc
     fi;
     if
       :: (pc == V0 || pc == V1) && next_pc == AC -> nsnt++
       :: else
     fi;
     pc = next_pc; nrcvd = next_nrcvd; next_pc = 0; next_nrcvd = 0
  }
od
}
ltl fairness { []<>(!in_transit) }
ltl relay { [](ex_acc -> <>all_acc) }
ltl corr { (prec_corr && []not_all_crash) -> <>ex_acc }
ltl unforg { prec_unforg -> []!ex_acc }
