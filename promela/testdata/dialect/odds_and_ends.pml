/** Odds and ends of spelling: separators, // comments in /* comments, guards with nothing after them **/
;
#define FALSE 0 // no
#define TRUE (!FALSE) /* yes */
#define AT(place) (all(Proc:pc == place) || all(Proc@end && Proc:pc == place))
symbolic int N, T;;
int nsnt; byte b = 0; bool flag = FALSE;
assume((N) > (2) * T); assume(T >= 1) assume(N >= T + 1 && (N >= 2 || T >= 7));
atomic mixed = (nsnt >= T && all(Proc:pc != 2));
atomic weak = (nsnt > 0 && (some(Proc:pc == 1) || some(Proc:pc == 2)));
active [N] proctype Proc ( ) {
    byte pc = 0; short next_pc = (0 - 0);
    int nrcvd; /* declared without a value */
    int next_nrcvd = 0;
    printf("begin %d\n", pc);
    if
        :: pc = 0; ; -> skip;
        :: (1) -> pc = (1) ;
        :: false -> pc = 7
    fi;
    bool late;
accept_here:
progress:
end:
    do
        :: atomic {
            if
                :: (nrcvd < nsnt) -> ; next_nrcvd = (nrcvd + 1)
                :: true -> next_nrcvd = nrcvd ;
            fi;
            assert (next_nrcvd >= 0);
            if
                :: ((pc == 0) || (pc == 1)) && ((next_nrcvd) >= T) -> next_pc = 2
                :: (pc == 1) && (next_nrcvd < T) -> next_pc = 1;
                :: !((pc == 0 || pc == 1) && next_nrcvd >= T) && !(pc == 1) -> next_pc = pc;
            fi;
            { if
                :: pc != 2 && next_pc == 2 -> { nsnt = nsnt + 1; late = TRUE }
                :: pc == 1 && !late -> nsnt = 1 + nsnt; late = 1
                :: else -> ;
              fi };
            pc = next_pc ;
            nrcvd = next_nrcvd ;
            next_nrcvd = 0; next_pc = 0;
        }
    od
}
ltl fairness { []<>(all(Proc:nrcvd >= nsnt)) && (([]<>AT(2)) || <>[](!mixed) || []<>mixed) && []<>all(Proc:pc != 1 || Proc:late == 1) };
ltl f1 { [](weak -> nsnt >= 1) };
ltl f2 { (some(Proc:pc == 1) && card(Proc:pc == 1) >= T) -> <>all(Proc:pc == 2) }
ltl f3 { []!(some(Proc:pc == 2)) || [](nsnt <= N) }
ltl f4 { <>[]all(Proc:pc == 2) || []<>some(Proc:pc < 2) }
