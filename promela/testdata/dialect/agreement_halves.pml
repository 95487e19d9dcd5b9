/* Asynchronous Byzantine agreement: echo and ready, with halves as quotients; counted one by one */
#define INIT0  0
#define INIT1  1
#define ECHO   2
#define READY  3
#define ACCEPT 4
#define ENOUGH ((N + T) / 2 + 1)

symbolic int N; symbolic int T; symbolic int F;
int nsnte, nsntr;
assume(N > 3); assume(F >= 0); assume(T >= 1); assume(N > 3 * T);
#if defined(TOO_MANY)
assume(F <= T + 1);
#elif defined (NONE)
assume(F == 0);
#else
assume(F <= T);
#endif

atomic all0 = all(Proc:pc == INIT0);
atomic all1 = all(Proc:pc == INIT1);
atomic started = all(Proc@end);
atomic ex_acc = some(Proc:pc == ACCEPT);
atomic all_acc = all(Proc:pc == ACCEPT);
atomic transit_e = some(Proc:nrcvde < nsnte);
atomic transit_r = some(Proc:nrcvdr < nsntr);

active[N-F] proctype Proc() {
    byte pc = 0, next_pc = 0;
    int nrcvde = 0, next_nrcvde = 0;
    int nrcvdr = 0, next_nrcvdr = 0;
    if
        :: pc = INIT0;
        :: pc = INIT1;
    fi;
end:
    do
        :: atomic {
            if
                :: (nrcvde < nsnte + F) -> next_nrcvde = nrcvde + 1;
                :: next_nrcvde = nrcvde;
            fi;
            assume(next_nrcvde <= nsnte + F);
            assert(next_nrcvde <= N + F);
            if
                :: (nrcvdr < nsntr + F) -> next_nrcvdr = nrcvdr + 1;
                :: next_nrcvdr = nrcvdr;
            fi;
            assert(next_nrcvdr <= N + F);
            if
                :: pc == INIT1 -> next_pc = ECHO;
                :: pc == INIT0 && (next_nrcvde >= ENOUGH || next_nrcvdr >= T + 1) -> next_pc = ECHO;
                :: pc == ECHO && (next_nrcvde >= ENOUGH || next_nrcvdr >= T + 1) -> next_pc = READY;
                :: pc == READY && next_nrcvdr >= 2 * T + 1 -> next_pc = ACCEPT;
                :: else -> next_pc = pc;
            fi;
            if
                :: (pc == INIT0 || pc == INIT1) && next_pc == ECHO -> nsnte++;
                :: pc == ECHO && next_pc == READY -> nsntr++;
                :: else;
            fi;
            pc = next_pc; nrcvde = next_nrcvde; nrcvdr = next_nrcvdr;
            next_pc = 0; next_nrcvde = 0; next_nrcvdr = 0;
        }
    od;
}
ltl fairness { []<>(!transit_e) && []<>(!transit_r) }
ltl agreement { [](ex_acc -> <>(all_acc)) }
ltl corr { []((started && all1) -> <>(ex_acc)) }
ltl unforg { (all0 -> []!ex_acc) }
