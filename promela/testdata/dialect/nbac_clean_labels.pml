/* The same with crashes that lose nothing, as goto and labels inside of the step */
#define NO 0
#define YES 1
#define SENT 2
#define COMMIT 3
#define ABORT 4
#define CR_NO 5
#define CR_YES 6
symbolic byte N;
assume(N > 1);
int sentYes, sentNo;
atomic all_yes = all(V:pc == YES);
atomic some_no = some(V:pc == NO);
atomic some_commit = some(V:pc == COMMIT);
atomic some_abort = some(V:pc == ABORT);
atomic transit = (some(V:gotYes < sentYes) or some(V:gotNo < sentNo));
atomic no_crash = all(V:pc < CR_NO);
atomic decided = all(V:pc >= COMMIT);
active[N] proctype V() {
  byte pc = NO; int gotYes, gotNo, y, n;
  if :: pc = NO :: pc = YES fi;
main: do
  :: atomic {
       if
         :: pc >= CR_NO -> goto idle
         :: pc == COMMIT || pc == ABORT -> goto idle
         :: pc == YES -> if :: pc = CR_YES; goto done :: sentYes++; goto sent fi
         :: pc == NO -> if :: pc = CR_NO; goto done :: sentNo++; goto sent fi
         :: else
       fi;
       havoc(y); assume(gotYes <= y && y <= sentYes);
       havoc(n); assume(gotNo <= n && n <= sentNo);
       gotYes = y; gotNo = n;
       if
         :: gotNo > 0 -> pc = ABORT
         :: gotNo == 0 && gotYes >= N -> pc = COMMIT
         :: gotNo == 0 && gotYes < N -> skip
         :: pc = CR_YES
       fi;
       goto done;
sent:  pc = SENT;
done:  y = 0; n = 0;
idle:  skip
     }
  od
}
ltl fairness { []<>(!transit) }
ltl validity { some_no -> []!some_commit }
ltl agreement { [](!some_commit || !some_abort) }
ltl termination { []no_crash -> <>decided }
