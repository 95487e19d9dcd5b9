/* Reliable broadcast with Byzantine senders, messages counted one at a time */
#define START    0
#define HEARD    1
#define ECHOED   2
#define DELIVER  3

symbolic int N; symbolic int T; symbolic int F;
int echoes = 0;

assume(N > 3);
assume(F >= 0);
assume(T >= 1);
assume(N > 3 * T);
assume(F <= T);

atomic nobody_heard = all(Proc:pc == START);
atomic everybody_heard = all(Proc:pc == HEARD);
atomic at_loop = all(Proc@wait);
atomic one_delivers = some(Proc:pc == DELIVER);
atomic all_deliver = all(Proc:pc == DELIVER);
atomic under_way = some(Proc:seen < echoes);

active[N - F] proctype Proc() {
    byte pc = START, next_pc = 0;
    int seen = 0, next_seen = 0;

    if
        :: pc = START;
        :: pc = HEARD;
    fi;
wait:
    do
        :: atomic {
            if
                :: (seen < echoes + F) -> next_seen = seen + 1;
                :: next_seen = seen;
            fi;
            assert(next_seen <= N);
            if
                :: next_seen >= N - T -> next_pc = DELIVER;
                :: next_seen < N - T && (pc == HEARD || next_seen >= T + 1) -> next_pc = ECHOED;
                :: else -> next_pc = pc;
            fi;
            if
                :: (pc == START || pc == HEARD) && (next_pc == ECHOED || next_pc == DELIVER) -> echoes++;
                :: else;
            fi;
            pc = next_pc; seen = next_seen;
            printf("pc=%d seen=%d echoes=%d\n", pc, seen, echoes);
            next_pc = 0; next_seen = 0;
        }
    od;
}

ltl fairness { []<>(!under_way) }
ltl relay { [](one_delivers -> <>all_deliver) }
ltl corr { []((at_loop && everybody_heard) -> <>one_delivers) }
ltl unforg { []((at_loop && nobody_heard) -> []!one_delivers) }
