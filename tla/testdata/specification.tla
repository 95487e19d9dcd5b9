---- MODULE specification ----
EXTENDS Integers
CONSTANTS N, T, F
ASSUME N > 3*T /\ T >= F /\ F >= 0
VARIABLES k, x
vars == <<k, x>>
L == {"a", "b"}
start[l \in L] == IF l = "a" THEN N - F ELSE 0
Start == k = start /\ x = 0
Go == k["a"] > 0 /\ k' = [k EXCEPT !["a"] = k["a"] - 1, !["b"] = k["b"] + 1] /\ x' = x + 1
Step == Go
System == /\ Start
          /\ [][Step]_vars
          /\ WF_vars(Step)
Fair == WF_vars(Step) /\ SF_vars(Go)
Inv == x = k["b"]
Live == []<><<Go>>_vars
LeadsTo == (x = 1) ~> (x = N - F)
THEOREM Correct == System => []Inv
====
