/* Folklore broadcast with crashes; with SPIN, what is symbolic becomes a number */
#ifdef SPIN
# define symbolic /* nothing */
# define MORE 1
#endif
#define V0 0
#define V1 1
#define AC 2
#define CR 3
symbolic int N;
int sent, sentF;
assume(N > 1);
atomic unforg_pre = all(Proc:pc == V0);
atomic corr_pre = all(Proc:pc == V1);
atomic ex_acc = some(Proc:pc == AC);
atomic acc_or_dead = all(Proc:pc == AC || Proc:pc == CR);
atomic all_dead = all(Proc:pc == CR);
atomic transit = some(Proc:pc != CR && Proc:got < sent);
active[N] proctype Proc() {
  byte pc = V0, next_pc; int got, next_got;
  if :: pc = V0 -> skip :: pc = V1 -> skip fi;
end: do
  :: atomic {
      if
        :: got < sent + sentF -> next_got = got + 1
        :: next_got = got
      fi;
      if
        :: pc == V1 -> if :: next_pc = AC :: next_pc = CR fi
        :: pc == V0 && next_got >= 1 -> if :: next_pc = AC :: next_pc = CR fi
        :: pc == V0 && next_got == 0 -> next_pc = V0
        :: pc == AC || pc == CR -> next_pc = pc
      fi;
      if
        :: (pc == V0 || pc == V1) && next_pc == AC -> sent++
        :: (pc == V0 || pc == V1) && next_pc == CR -> sentF++
        :: else
      fi;
      pc = next_pc; got = next_got; next_pc = 0; next_got = 0
  }
od }
ltl fairness { <>[]!transit && []<>all(Proc:pc != V1) }
ltl relay { [](ex_acc -> <>acc_or_dead) }
ltl corr { (corr_pre && []!all_dead) -> <>ex_acc }
ltl unforg { unforg_pre -> []!ex_acc }
