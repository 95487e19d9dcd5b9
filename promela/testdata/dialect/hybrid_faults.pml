/* Hybrid faults: Byzantine ones, and ones that omit to send; a step that would receive too much is given up */
#define IT 0
#define RI 1
#define SE 2
#define AC 3
symbolic int N, Tb, Fb, To, Fo;
int nsnt;
assume(N > 3 * Tb + 2 * To); assume(Tb >= 1); assume(To >= 1);
assume(Fb <= Tb); assume(Fo <= To); assume(Fb >= 0); assume(Fo >= 0);
atomic prec_unforg = all(Proc:pc == IT);
atomic prec_corr = all(Proc:pc == RI);
atomic prec_init = all(Proc@end);
atomic ex_acc = some(Proc:pc == AC);
atomic all_acc = all(Proc:pc == AC);
atomic in_transit = some(Proc:nrcvd < nsnt - Fo + Fb);
atomic tx_inv = ((card(Proc:pc == SE) + card(Proc:pc == AC)) == nsnt);
active[N - Fb] proctype Proc() {
    byte pc = 0, next_pc = 0;
    int nrcvd = 0, next_nrcvd = 0;
    if
        ::pc = IT;
        ::pc = RI;
    fi;
end:
    do
        :: atomic {
            assume(tx_inv);
            if
            :: pc != RI -> next_nrcvd = nrcvd + 1;
            :: next_nrcvd = nrcvd;
            fi;
            if
                :: !(next_nrcvd <= nsnt + Fb) ->
                    next_nrcvd = 0;
                    if
                      :: pc != RI -> goto end;
                      :: else;
                    fi;
                ::else;
            fi;
            if
                :: next_nrcvd >= N - Tb - To -> next_pc = AC;
                :: next_nrcvd < N - Tb - To && (pc == RI || next_nrcvd >= Tb + 1) -> next_pc = SE;
                :: else -> next_pc = pc;
            fi;
            if
                :: (pc == IT || pc == RI) && (next_pc == SE || next_pc == AC) -> nsnt++;
                :: else;
            fi;
            pc = next_pc;
            nrcvd = next_nrcvd;
            next_pc = 0;
            next_nrcvd = 0;
        }
    od;
}
ltl fairness { []<>(!in_transit) }
ltl relay { [](ex_acc -> <>all_acc) }
ltl corr { []((prec_init && prec_corr) -> <>(ex_acc)) }
ltl unforg { []((prec_init && prec_unforg) -> []!ex_acc) }
