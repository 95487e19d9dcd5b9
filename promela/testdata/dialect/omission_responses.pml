/* Reliable broadcast when sends may get lost: what was sent arrives, but for Fo messages */
#define V0 0
#define V1 1
#define SE 2
#define AC 3
#define MIN_ECHO(x) ((x) + 1)

symbolic int N, To, Fo;
int nsnt = 0;
assume(N > 2 * To && To >= 1);
assume(Fo >= 0 && Fo <= To)

atomic prec_unforg = all(Proc:pc == V0);
atomic prec_corr = all(Proc:pc == V1);
atomic some_acc = some(Proc:pc == AC);
atomic all_acc = all(Proc:pc == AC);
atomic missing = some(Proc:nrcvd < nsnt - Fo);
atomic some_v1 = some(Proc:pc == V1);
atomic no_v1 = all(Proc:pc != V1);

active[N] proctype Proc() {
  byte pc = 0;
  int nrcvd = 0, next_pc = 0, next_nrcvd = 0;
  if :: pc = V0; :: pc = V1; fi;
loop:
  do
  :: atomic {
      if
        :: next_nrcvd = nrcvd + 1;
        :: next_nrcvd = nrcvd;
      fi;
      if
        :: next_nrcvd > nsnt -> next_nrcvd = nrcvd;
        :: else;
      fi;
      if
        :: next_nrcvd >= MIN_ECHO(To) -> next_pc = AC;
        :: next_nrcvd >= 1 && next_nrcvd < MIN_ECHO(To) -> next_pc = SE;
        :: pc == V1 -> next_pc = SE;
        :: else -> next_pc = pc;
      fi;
      if
        :: (pc == V0 || pc == V1) && (next_pc == SE || next_pc == AC) -> nsnt++;
        :: else
      fi;
      pc = next_pc; nrcvd = next_nrcvd; next_pc = 0; next_nrcvd = 0;
    }
  od
}
ltl fairness { []<>(!missing) && ([](some_v1 -> <>no_v1)) }
ltl relay { [](some_acc -> <>all_acc) }
ltl corr { prec_corr -> <>some_acc }
ltl unforg { prec_unforg -> []!some_acc }
