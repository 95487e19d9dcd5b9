------------------------------ MODULE variables ------------------------------
\* every location is a variable of its own
EXTENDS Naturals
CONSTANT N, T, F
ASSUME ResilienceAssumption == /\ N \in Nat /\ T \in Nat /\ F \in Nat
                               /\ N > 3*T /\ T >= F
VARIABLES v0, v1, se, ac, nsnt
vars == << v0, v1, se, ac, nsnt >>

Init ==
    /\ v0 \in 0..(N - F)
    /\ v1 = N - F - v0
    /\ se = 0 /\ ac = 0
    /\ nsnt = 0

SendInit ==
    /\ v1 > 0
    /\ v1' = v1 - 1 /\ se' = se + 1
    /\ nsnt' = nsnt + 1
    /\ UNCHANGED << v0, ac >>

SendEcho ==
    /\ v0 > 0 /\ nsnt + F >= T + 1
    /\ v0' = v0 - 1 /\ se' = se + 1 /\ nsnt' = nsnt + 1
    /\ UNCHANGED << v1, ac >>

Accept ==
    /\ nsnt + F >= N - T
    /\ se > 0
    /\ se' = se - 1
    /\ ac' = ac + 1
    /\ UNCHANGED << v0, v1, nsnt >>

Next == SendInit \/ SendEcho \/ Accept

Spec == Init /\ [][Next]_vars /\ WF_vars(Next)

Sum == v0 + v1 + se + ac = N - F
Unforg == v0 = N - F => ac = 0
WrongNever == ac = 0
=============================================================================
