/* Non-blocking atomic commitment with a failure detector, after the generic protocol */
#define NO 0
#define YES 1
#define SENT 2
#define COMMIT 3
#define ABORT 4
#define CRASH 5
symbolic int N;
int nyes = 0, nno = 0, nyesF = 0, nnoF = 0;
assume(N > 1);
atomic all_yes = all(Proc:pc == YES);
atomic some_no = some(Proc:pc == NO);
atomic never_crash = all(Proc:pc != CRASH);
atomic trusting = all(Proc:suspect == 0);
atomic some_commit = some(Proc:pc == COMMIT);
atomic some_abort = some(Proc:pc == ABORT);
atomic decided = all(Proc:pc == ABORT || Proc:pc == COMMIT || Proc:pc == CRASH);
atomic transit_yes = some(Proc:rcvdYes < nyes);
atomic transit_no = some(Proc:rcvdNo < nno);
active[N] proctype Proc() {
  byte pc = 0, next_pc = 0;
  bit suspect = 0; bool next_suspect = false;
  unsigned spare : 3;
  int rcvdYes = 0, rcvdNo = 0, next_rcvdYes = 0, next_rcvdNo = 0;
  if
    :: pc = YES
    :: pc = NO
  fi;
end: do
  :: atomic {
      if
        :: pc != YES && pc != NO ->
          if :: next_rcvdYes = rcvdYes + 1 :: next_rcvdYes = rcvdYes fi;
          if :: !(next_rcvdYes <= nyes + nyesF) -> next_rcvdYes = rcvdYes :: else fi;
          if :: next_rcvdNo = rcvdNo + 1 :: next_rcvdNo = rcvdNo fi;
          if :: !(next_rcvdNo <= nno + nnoF) -> next_rcvdNo = rcvdNo :: else fi;
          if :: next_suspect = false :: next_suspect = true fi
        :: else -> next_rcvdYes = rcvdYes; next_rcvdNo = rcvdNo; next_suspect = suspect
      fi;
      if
        :: pc == YES || pc == NO -> next_pc = SENT
        :: pc == SENT && (next_rcvdNo > 0 || next_suspect) -> next_pc = ABORT
        :: pc == SENT && next_rcvdNo == 0 && next_rcvdYes >= N -> next_pc = COMMIT
        :: pc != CRASH && pc != YES && pc != NO && !(pc == SENT && (next_rcvdNo > 0 || next_suspect))
             && !(pc == SENT && next_rcvdNo == 0 && next_rcvdYes >= N) -> next_pc = pc
        :: pc != CRASH -> next_pc = CRASH
      fi;
      if
        :: next_pc == SENT && pc == YES -> nyes++
        :: next_pc == SENT && pc == NO -> nno++
        :: next_pc == CRASH && pc == YES -> nyesF++
        :: next_pc == CRASH && pc == NO -> nnoF++
        :: else
      fi;
      pc = next_pc; rcvdYes = next_rcvdYes; rcvdNo = next_rcvdNo; suspect = next_suspect;
      next_pc = 0; next_rcvdYes = 0; next_rcvdNo = 0; next_suspect = 0
    }
od }
ltl fairness { []<>(!transit_yes && !transit_no) }
ltl validity { some_no -> []!some_commit }
ltl nontriv { (all_yes && []trusting && []never_crash) -> <>all(Proc:pc == COMMIT) }
ltl termination { []never_crash -> <>decided }
ltl aborts { []!some_abort }
