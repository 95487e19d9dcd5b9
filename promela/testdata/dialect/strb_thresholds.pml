/* Simulated authenticated broadcast; the step is a d_step with guards in front */
#define V0 (0)
#define V1 (1)
#define SE (2)
#define AC (3)
symbolic int N; symbolic int T; symbolic int F;
assume(N > 3 * T && T >= 1 && F >= 0 && F <= T);
int nsnt;
hidden int unread[7];
atomic prec_unforg = all(Proc:pc == V0);
atomic prec_corr = all(Proc:pc == V1);
atomic ex_acc = some(Proc:pc == AC);
atomic all_acc = all(Proc:pc == AC);
atomic in_transit = some(Proc:nrcvd < nsnt);
atomic blocked = some((Proc:pc == V1) || (Proc:pc == V0 && Proc:nrcvd >= T + 1) || (Proc:pc == SE && Proc:nrcvd >= N - T));
active[N-F] proctype Proc() {
  byte pc = 0; int nrcvd = 0;
  if :: pc = V0; :: pc = V1; fi;
  goto begin;
  pc = AC;
begin:
  do
    :: d_step { nrcvd < nsnt + F -> nrcvd++ }
    :: d_step { (pc == V0 && nrcvd >= T + 1) || pc == V1 -> nsnt++; pc = SE }
    :: d_step { pc == SE && nrcvd >= N - T -> pc = AC }
    :: d_step { pc == AC -> skip }
  od
}
ltl fairness { []<>!in_transit && []<>!blocked }
ltl relay { [](ex_acc -> <>all_acc) }
ltl corr { prec_corr -> <>ex_acc }
ltl unforg { prec_unforg -> []!ex_acc }
