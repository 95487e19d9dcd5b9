-- Two-phase commit of 3 participants, as in benchmarks/protocols/two_phase_commit.ftdp: channels are lossy and
-- hold one message each.

type
  Participant: scalarset(3);
  Decision: enum { None, Commit, Abort };
  Kind: enum { Nothing, Ask, Decide };
  Vote: enum { Silent, Yes, No };

var
  asked: boolean;
  decided: Decision;
  has: array[Participant] of boolean; -- the coordinator has its vote
  willing: array[Participant] of boolean;
  voted: array[Participant] of boolean;
  own: array[Participant] of Decision;
  down: array[Participant] of Kind;
  what: array[Participant] of Decision; -- of a Decide on its way
  up: array[Participant] of Vote;

procedure tell(d: Decision);
begin
  for k: Participant do
    if down[k] = Nothing then down[k] := Decide; what[k] := d; end;
  end;
end;

function all(): boolean;
begin
  for k: Participant do if !has[k] then return false; end; end;
  return true;
end;

-- Some are willing: how many, and by symmetry which ones, is chosen one by one.
ruleset x: boolean; y: boolean; z: boolean; i: Participant; j: Participant do
  startstate begin
    asked := false;
    decided := None;
    for k: Participant do
      has[k] := false;
      willing[k] := (k = i & x) | (k = j & y) | (k != i & k != j & z);
      voted[k] := false;
      own[k] := None;
      down[k] := Nothing;
      what[k] := None;
      up[k] := Silent;
    end;
  end;
end;

rule "ask" !asked ==> begin
  asked := true;
  for k: Participant do if down[k] = Nothing then down[k] := Ask; end; end;
end;

rule "give up" asked & decided = None ==> begin decided := Abort; tell(Abort); end;

ruleset k: Participant do
  rule "lose down" down[k] != Nothing ==> begin down[k] := Nothing; what[k] := None; end;
  rule "lose up" up[k] != Silent ==> begin up[k] := Silent; end;

  rule "asked" down[k] = Ask ==> begin
    if !voted[k] then
      voted[k] := true;
      if up[k] = Silent then
        if willing[k] then up[k] := Yes; else up[k] := No; end;
      end;
      if !willing[k] then own[k] := Abort; end;
    end;
    down[k] := Nothing;
  end;

  rule "vote" up[k] != Silent ==> begin
    if decided = None then
      if up[k] = Yes then has[k] := true; end;
      if up[k] = No then
        decided := Abort;
        tell(Abort);
      elsif all() then
        decided := Commit;
        tell(Commit);
      end;
    end;
    up[k] := Silent;
  end;

  rule "refuse" !voted[k] ==> begin voted[k] := true; own[k] := Abort; end;

  rule "told" down[k] = Decide ==> begin
    if own[k] = None then own[k] := what[k]; end;
    down[k] := Nothing;
    what[k] := None;
  end;
end;

invariant "agreement" forall i: Participant do forall j: Participant do !(own[i] = Commit & own[j] = Abort) end end;
