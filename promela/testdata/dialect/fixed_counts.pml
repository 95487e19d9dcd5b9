/* an abstract instance: parameters are set in the text */
#define N 4
#define T 1
#define F 0
#define V0 0
#define V1 1
#define AC 3
int nsnt = 0;
byte bymc_spur = 0; bool fair = 0;
int n_acc = 0;
active[(4) - (0)] proctype Proc() {
  int pc = 0; int next_pc = 0; int nrcvd = 0; int next_nrcvd = 0;
  if :: pc = 0; :: pc = 1; fi;
main:
  do
  :: atomic {
     if :: ((nrcvd < nsnt) && (nrcvd < (4 - 1))) -> next_nrcvd = (nrcvd + 1); :: next_nrcvd = nrcvd; fi;
     if
     :: (pc == V1) -> next_pc = AC;
     :: (next_nrcvd >= (T + 1)) && (pc == V0) -> next_pc = AC;
     :: else -> next_pc = pc;
     fi;
     if :: (((pc == 0) || (pc == 1)) && (next_pc == AC)) -> nsnt = (nsnt + 1); n_acc = n_acc + 1; :: else; fi;
     pc = next_pc; nrcvd = next_nrcvd;
     next_pc = 0; next_nrcvd = 0;
  }
  od;
}
ltl relay { [](n_acc > 0 -> <>(n_acc == 4)) }
ltl unforg { [](n_acc <= nsnt) }
