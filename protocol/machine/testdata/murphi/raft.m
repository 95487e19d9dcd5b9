-- Raft as in benchmarks/protocols/raft.ftdp, written by hand from figure 2 of Ongaro, Ousterhout (USENIX
-- ATC 2014): 3 servers, channels that are lossy and hold one message each. A log is as long as its
-- entries are not 0; so is what a message has no entry for.

const
  Terms: 1;
  Entries: 1;

type
  Server: scalarset(3);
  Term: 0..Terms;
  Index: 0..Entries;
  Kind: enum { Nothing, RequestVote, Vote, AppendEntries, Appended };
  Msg: record kind: Kind; term: Term; at: Index; logTerm: Term; entry: Term; commit: Index; end;
  State: record
    term: Term;
    for_: Server; -- undefined: has not voted
    size: Index;
    log: array[1..Entries] of Term;
    is: enum { Follower, Candidate, Leader_ };
    votes: array[Server] of boolean;
    match: array[Server] of Index;
    commit: Index;
  end;

var
  s: array[Server] of State;
  net: array[Server] of array[Server] of Msg; -- from, to

procedure take(var m: Msg);
begin
  undefine m;
  m.kind := Nothing;
end;

procedure quiet(i: Server);
begin
  for k: Server do s[i].votes[k] := false; end;
end;

function last(i: Server; n: Index): Term;
var t: Term;
begin
  t := 0;
  for k: 1..Entries do
    if k <= n & s[i].log[k] > t then t := s[i].log[k]; end;
  end;
  return t;
end;

function votes(i: Server): 0..3;
var n: 0..3;
begin
  n := 0;
  for k: Server do if s[i].votes[k] then n := n + 1; end; end;
  return n;
end;

procedure newer(i: Server; t: Term);
begin
  if t > s[i].term then
    s[i].term := t;
    undefine s[i].for_;
  end;
end;

startstate begin
  for i: Server do
    s[i].term := 0;
    s[i].size := 0;
    for k: 1..Entries do s[i].log[k] := 0; end;
    s[i].is := Follower;
    quiet(i);
    s[i].commit := 0;
    for k: Server do
      s[i].match[k] := 0;
      net[i][k].kind := Nothing;
    end;
  end;
end;

ruleset i: Server do
  rule "timeout" s[i].is != Leader_ & s[i].term < Terms ==> begin
    s[i].term := s[i].term + 1;
    s[i].for_ := i;
    s[i].is := Candidate;
    quiet(i);
    s[i].votes[i] := true;
    for k: Server do
      if k != i & net[i][k].kind = Nothing then
        net[i][k].kind := RequestVote;
        net[i][k].term := s[i].term;
        net[i][k].at := s[i].size;
        net[i][k].logTerm := last(i, s[i].size);
      end;
    end;
  end;

  rule "client" s[i].is = Leader_ & s[i].size < Entries ==> begin
    s[i].size := s[i].size + 1;
    s[i].log[s[i].size] := s[i].term;
  end;
end;

ruleset i: Server; k: Server; prev: 0..Entries - 1 do
  rule "replicate" s[i].is = Leader_ & k != i & prev <= s[i].size & net[i][k].kind = Nothing ==> begin
    net[i][k].kind := AppendEntries;
    net[i][k].term := s[i].term;
    net[i][k].at := prev;
    net[i][k].logTerm := last(i, prev);
    net[i][k].entry := s[i].log[prev + 1];
    net[i][k].commit := s[i].commit;
  end;
end;

ruleset i: Server; j: Server do
  rule "lose" net[j][i].kind != Nothing ==> begin
    take(net[j][i]);
  end;

  rule "vote" net[j][i].kind = RequestVote ==>
  var mine: Term;
  begin
    if net[j][i].term >= s[i].term then
      if net[j][i].term > s[i].term then s[i].is := Follower; quiet(i); end;
      newer(i, net[j][i].term);
      mine := last(i, s[i].size);
      if isundefined(s[i].for_) & (net[j][i].logTerm > mine | net[j][i].logTerm = mine & net[j][i].at >= s[i].size) then
        s[i].for_ := j;
        if net[i][j].kind = Nothing then
          net[i][j].kind := Vote;
          net[i][j].term := net[j][i].term;
        end;
      end;
    end;
    take(net[j][i]);
  end;

  rule "voted" net[j][i].kind = Vote ==> begin
    if net[j][i].term = s[i].term & s[i].is = Candidate then
      s[i].votes[j] := true;
      if votes(i) >= 2 then
        s[i].is := Leader_;
        quiet(i);
        for k: Server do s[i].match[k] := 0; end;
      end;
    end;
    take(net[j][i]);
  end;

  rule "append" net[j][i].kind = AppendEntries ==>
  var known: Index; n: Index;
  begin
    if net[j][i].term >= s[i].term then
      newer(i, net[j][i].term);
      s[i].is := Follower;
      quiet(i);
      n := net[j][i].at;
      if n <= s[i].size & last(i, n) = net[j][i].logTerm then
        known := n;
        if net[j][i].entry != 0 then
          known := n + 1;
          if s[i].log[n + 1] != net[j][i].entry then
            s[i].log[n + 1] := net[j][i].entry;
            s[i].size := n + 1;
            for k: 1..Entries do if k > n + 1 then s[i].log[k] := 0; end; end;
          end;
        end;
        for c: Index do
          if c > s[i].commit & c <= net[j][i].commit & c <= known then s[i].commit := c; end;
        end;
        if net[i][j].kind = Nothing then
          net[i][j].kind := Appended;
          net[i][j].term := net[j][i].term;
          net[i][j].at := known;
        end;
      end;
    end;
    take(net[j][i]);
  end;

  rule "appended" net[j][i].kind = Appended ==>
  var agreed: 0..3; m: Index;
  begin
    m := net[j][i].at;
    if net[j][i].term = s[i].term & s[i].is = Leader_ & m > s[i].match[j] then
      s[i].match[j] := m;
      agreed := 0;
      for k: Server do if k = i | s[i].match[k] >= m then agreed := agreed + 1; end; end;
      if m > s[i].commit & agreed >= 2 & s[i].log[m] = net[j][i].term then s[i].commit := m; end;
    end;
    take(net[j][i]);
  end;
end;

invariant "election safety" forall i: Server do forall j: Server do
  s[i].is = Leader_ & s[j].is = Leader_ & s[i].term = s[j].term -> i = j
end end;
