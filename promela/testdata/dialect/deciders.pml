/* Commit and abort messages are counted, too (global decisions) */
#define NO 0
#define YES 1
#define VOTED 2
#define COMMIT 3
#define ABORT 4
symbolic int N;
int yes, no, commits, aborts;
assume(N > 1);
atomic some_no = some(Proc:pc == NO);
atomic some_commit = some(Proc:pc == COMMIT);
atomic some_abort = some(Proc:pc == ABORT);
atomic decided = all(Proc:pc == COMMIT || Proc:pc == ABORT);
atomic t = some(Proc:pc == VOTED && (Proc:ry < yes || Proc:rn < no || Proc:ra < aborts || Proc:rc < commits));
active[N] proctype Proc() {
  byte pc = 0, npc = 0; int ry, rn, ra, rc;
  int nry, nrn, nra, nrc;
  if :: pc = YES :: pc = NO fi;
end: do
  :: atomic {
      if
        :: pc == VOTED ->
           havoc(nry); assume(ry <= nry && nry <= yes);
           havoc(nrn); assume(rn <= nrn && nrn <= no);
           havoc(nra); assume(ra <= nra && nra <= aborts);
           havoc(nrc); assume(rc <= nrc && nrc <= commits)
        :: else -> nry = ry; nrn = rn; nra = ra; nrc = rc
      fi;
      if
        :: pc == YES -> yes++; npc = VOTED
        :: pc == NO -> no++; npc = VOTED
        :: pc == VOTED && (nrn >= 1 || nra >= 1) -> aborts++; npc = ABORT
        :: pc == VOTED && (nry >= N || nrc >= 1) -> commits++; npc = COMMIT
        :: pc == VOTED && nrn == 0 && nra == 0 && nrc == 0 && nry < N -> npc = pc
        :: pc == COMMIT || pc == ABORT -> npc = pc
      fi;
      pc = npc; ry = nry; rn = nrn; ra = nra; rc = nrc;
      npc = 0; nry = 0; nrn = 0; nra = 0; nrc = 0
  }
od }
ltl fairness { []<>!t && []<>all(Proc:pc != YES && Proc:pc != NO) }
ltl validity { some_no -> []!some_commit }
ltl agreement { [](!some_commit || !some_abort) }
ltl termination { <>decided }
