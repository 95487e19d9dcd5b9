-- Peterson's mutual exclusion of two processes, as in benchmarks/protocols/peterson.ftdp: each read and
-- each write of a shared variable is a step.

type
  Process: scalarset(2);
  Place: enum { Away, First, Second, Waiting, Inside };

var
  wants: array[Process] of boolean;
  last: Process; -- undefined at first
  at: array[Process] of Place;

startstate begin
  for i: Process do
    wants[i] := false;
    at[i] := Away;
  end;
end;

ruleset i: Process do
  rule "try" at[i] = Away ==> begin at[i] := First; end;
  rule "first" at[i] = First ==> begin wants[i] := true; at[i] := Second; end;
  rule "second" at[i] = Second ==> begin last := i; at[i] := Waiting; end;
  rule "enter" at[i] = Waiting & (last != i | forall k: Process do k != i -> !wants[k] end) ==> begin at[i] := Inside; end;
  rule "leave" at[i] = Inside ==> begin wants[i] := false; at[i] := Away; end;
end;

invariant "mutex" forall i: Process do forall j: Process do at[i] = Inside & at[j] = Inside -> i = j end end;
