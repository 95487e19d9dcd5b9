---- MODULE records ----
EXTENDS Integers
CONSTANTS N, T, F
ASSUME NTF == N > 3*T /\ T >= F /\ F >= 0
VARIABLES pc, sent
Init == /\ pc = [v1 |-> N - F, se |-> 0, ac |-> 0]
        /\ sent = 0
Send == /\ pc.v1 > 0
        /\ pc' = [pc EXCEPT !.v1 = @ - 1, !.se = @ + 1]
        /\ sent' = sent + 1
Acc  == /\ pc.se > 0 /\ sent >= N - T - F
        /\ pc' = [pc EXCEPT !.se = pc.se - 1, !.ac = pc.ac + 1]
        /\ UNCHANGED sent
Next == Send \/ Acc
Inv == pc.ac > 0 => sent >= N - T - F
Safety == []Inv
WrongBad == [](pc.ac = 0)
====
