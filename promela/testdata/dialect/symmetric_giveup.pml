/* Symmetric faults: the faulty send to all or to nobody. A step in which nothing can be received is given up. */
#define ZERO 0
#define ONE  1
#define SENT 2
#define DONE 3
symbolic int N, T, Fp, Fs;
int sent;
assume(N > 2 * T); assume(T >= 1);
assume(Fp <= T); assume(Fs <= Fp); assume(Fs >= 0);
atomic zero = all(P:pc == ZERO);
atomic one = all(P:pc == ONE);
atomic some_done = some(P:pc == DONE);
atomic all_done = all(P:pc == DONE);
atomic open_msgs = some(P:got < sent + Fs);

active [N - Fp] proctype P()
{
  byte pc = 0, npc = 0; int got = 0, ngot = 0;
  if :: pc = ZERO :: pc = ONE fi;
end: do
     :: d_step {
          if
            :: pc != ONE -> ngot = got + 1
            :: ngot = got
          fi;
          if
            :: !(ngot <= sent + Fs) ->
                 ngot = 0;
                 if :: pc != ONE -> goto end
                    :: else
                 fi
            :: else
          fi;
          if
            :: ngot >= T + 1 -> npc = DONE
            :: ngot < T + 1 && (pc == ONE || ngot >= 1) -> npc = SENT
            :: else -> npc = pc
          fi;
          if
            :: (pc == ZERO || pc == ONE) && npc >= SENT -> sent++
            :: else -> skip
          fi;
          pc = npc; got = ngot; npc = 0; ngot = 0
        }
     od
}
ltl fairness { []<>(!open_msgs) }
ltl relay { [](some_done -> <>all_done) }
ltl corr { one -> <>some_done }
ltl unforg { zero && (sent == 0) -> []!some_done }
