---- MODULE staying ----
EXTENDS Integers
CONSTANTS N, T, F
ASSUME N > 3*T /\ T >= F /\ F >= 0
VARIABLES k, x
vars == <<k, x>>
L == {"a", "b"}
Init == k = [l \in L |-> IF l = "a" THEN N - F ELSE 0] /\ x = 0
Go == IF x >= T THEN k["a"] > 0 /\ k' = [k EXCEPT !["a"] = k["a"] - 1, !["b"] = k["b"] + 1] /\ x' = x
      ELSE k["a"] > 0 /\ UNCHANGED k /\ x' = x + 1
Next == Go \/ UNCHANGED vars
Inv == [](k["b"] >= 0)
WrongReach == k["b"] = 0
Live == <>(k["a"] = 0)
====
