/* nothing bounds what havoc chooses: exploring cannot say that there is no run */
symbolic int N;
int s = 0;
assume(N >= 1);
active[N] proctype Proc() {
  int got = 0, nxt = 0;
end: do
    :: atomic {
       havoc(nxt);
       if
         :: nxt >= 1000 -> s++;
         :: else -> skip;
       fi;
       got = nxt; nxt = 0;
    }
  od
}
ltl low { [](all(Proc:got < 1000)) }
ltl natural { [](all(Proc:got >= 0)) }
