symbolic int N;
int sent;
assume(N >= 1);
active[N] proctype Proc() {
  byte pc = 0; int x = 0;
end: do
  :: atomic {
       pc == 0;
       havoc(x);
       if
         :: x >= 4 && x <= 6 -> pc = 1; goto end
         :: else
       fi;
       assume(x <= 3);
       x = 0
     }
  od
}
ltl never { [](all(Proc:pc == 0)) }
ltl low { [](all(Proc:x <= 5)) }
