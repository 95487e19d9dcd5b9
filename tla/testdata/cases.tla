---- MODULE cases ----
EXTENDS Integers
CONSTANTS N, T, F
ASSUME N > 3*T /\ T >= F /\ F >= 0
Loc == {"v0", "v1", "se", "ac"}
VARIABLES k, nsnt
Init == /\ \E b \in {"v0", "v1"} : k = [l \in Loc |-> CASE l = b -> N - F [] OTHER -> 0]
        /\ nsnt = 0
Step(l, m, inc) ==
  /\ k[l] # 0
  /\ k' = [j \in Loc |-> CASE j = l -> k[j] - 1
                           [] j = m -> k[j] + 1
                           [] OTHER -> k[j]]
  /\ nsnt' = IF inc THEN nsnt + 1 ELSE nsnt
Next ==
  \/ Step("v1", "se", TRUE)
  \/ nsnt >= T + 1 - F /\ Step("v0", "se", TRUE)
  \/ nsnt >= N - T - F /\ Step("se", "ac", FALSE)
Unf == k["v0"] = N - F => k["ac"] = 0
WrongBad == k["ac"] = 0
====
