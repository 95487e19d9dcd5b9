#define FALSE 0
#define TRUE 1
#if defined(BUG1) || defined(BUG2)
#define BUGGY
#endif
#define INC(x) x = x + 1
#define SEND_ECHO { nsnt++; sent = TRUE; }
symbolic int N; symbolic int T; symbolic int F;
int nsnt = 0;
#ifdef BUGGY
assume(N >= 3*T);
#else
assume(N > 3*T);
#endif
assume(T >= 1); assume(F >= 0); assume(F <= T);
atomic acc = some(Proc:accepted == TRUE);
atomic allacc = all(Proc:accepted == TRUE);
atomic none = all(Proc:hasInit == FALSE);
atomic transit = some(Proc:rcvd < nsnt);
active[N-F] proctype Proc() {
  bool hasInit = FALSE; bool sent = FALSE; bool accepted = FALSE;
  int rcvd = 0, tmp = 0;
  if :: hasInit = TRUE; :: hasInit = FALSE; fi;
  do :: atomic {
      if :: rcvd < nsnt + F -> INC(rcvd);
         :: else -> skip;
         :: rcvd = rcvd;
      fi;
      if :: !sent && (hasInit || rcvd >= T + 1) -> SEND_ECHO
         :: else -> skip
      fi;
      if :: rcvd >= N - T -> accepted = TRUE
         :: rcvd < N - T -> skip
      fi
    }
  od
}
ltl fairness { []<>!transit }
ltl relay { [](acc -> <>allacc) }
ltl unforg { none -> []!acc }
