#define N 4
#define T 1
byte nsnt;
bool done[N];
active [N] proctype P() {
  byte nrcvd;
  bool sent;
L: if
   :: atomic { !sent -> nsnt++; sent = 1 } 
   :: atomic { nrcvd < nsnt -> nrcvd++ }
   :: nrcvd >= N - T -> goto fin
   fi;
   goto L;
fin: skip
}
ltl bound { [](nsnt <= N) }
