/* A process waits as long as as many b as a were sent, or more: then nobody can move, and that is known exactly */
symbolic int N;
int a, b;
assume(N >= 1);
active[N] proctype Proc() {
  byte pc = 0;
  if
    :: pc = 0
    :: pc = 1
  fi;
end: do
  :: atomic {
       if
         :: pc == 0 -> a++; pc = 2
         :: pc == 1 -> b++; pc = 2
         :: pc == 2 && a > b -> pc = 3
         :: pc == 3 -> pc = 3
       fi
     }
  od
}
ltl leave { <>some(Proc:pc == 3) }
ltl more { (a >= 0 && <>[](a > b)) -> <>some(Proc:pc == 3) }
ltl fewer { (a <= N && <>[](b >= a)) -> <>some(Proc:pc == 3) }
