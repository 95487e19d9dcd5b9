---- MODULE tuples ----
EXTENDS Integers
CONSTANTS N, T
ASSUME /\ N > 2 * T
       /\ T > 0
VARIABLES
  c,    \* counters
  m     (* messages, by value *)
Val == 0..1
Place == { <<"init", v>> : v \in Val } \cup { <<"sent", v>> : v \in Val } \cup {<<"dec", 0>>, <<"dec", 1>>}
Init == /\ c \in { [p \in Place |-> IF p = <<"init", 0>> THEN N ELSE 0], [p \in Place |-> IF p = <<"init", 1>> THEN N ELSE 0] }
        /\ m = [v \in Val |-> 0]
move(x, y) == /\ c[x] >= 1
              /\ c' = [c EXCEPT ![x] = c[x] - 1, ![y] = c[y] + 1]
snd(v) == move(<<"init", v>>, <<"sent", v>>) /\ m' = [m EXCEPT ![v] = m[v] + 1]
rcv(v, w) == /\ 2 * m[w] > N
             /\ move(<<"sent", v>>, <<"dec", w>>)
             /\ UNCHANGED <<m>>
Next == \/ \E v \in Val : snd(v)
        \/ \E v, w \in Val : rcv(v, w)
Agreement == ~(c[<<"dec", 0>>] > 0 /\ c[<<"dec", 1>>] > 0)
Val0 == \A v \in Val : c[<<"init", v>>] + c[<<"sent", v>>] + c[<<"dec", v>>] = 0 => c[<<"dec", v>>] = 0
WrongReach == \A v \in Val : c[<<"dec", v>>] = 0
====
