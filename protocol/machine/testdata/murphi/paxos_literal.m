-- Paxos as in benchmarks/protocols/paxos_literal.ftdp, written by hand from figures 4 and 5 of Bokor,
-- Serafini, Suri, Veith (ICFEM 2009): channels are lossy and hold one message each; one acceptor may
-- turn out to have stopped when a leader would receive something of it.

const
  Majority: 2;

type
  Leader: scalarset(2);
  Acceptor: scalarset(3);
  Number: 0..2;
  Status: enum { Corr, Crash, Crashed };
  Kind: enum { Nothing, Read, Reply, Write };
  Msg: record kind: Kind; no: Number; cur: Number; val: Number; end;
  LeaderState: record value: Number; pool: Number; used: 0..1; cnt: 0..2; high: Number; highVal: Number; end;
  AcceptorState: record cur: Number; val: Number; high: Number; status: Status; end;

var
  l: array[Leader] of LeaderState;
  a: array[Acceptor] of AcceptorState;
  down: array[Leader] of array[Acceptor] of Msg;
  up: array[Acceptor] of array[Leader] of Msg;

procedure take(var m: Msg);
begin
  undefine m;
  m.kind := Nothing;
end;

ruleset first: Leader; weak: Acceptor do
  startstate begin
    for i: Leader do
      if i = first then l[i].value := 1; l[i].pool := 1; else l[i].value := 2; l[i].pool := 2; end;
      l[i].used := 0;
    end;
    for k: Acceptor do
      a[k].cur := 0;
      a[k].high := 0;
      if k = weak then a[k].status := Crash; else a[k].status := Corr; end;
      for i: Leader do
        down[i][k].kind := Nothing;
        up[k][i].kind := Nothing;
      end;
    end;
  end;
end;

ruleset i: Leader do
  rule "elect" l[i].used = 0 ==> begin
    l[i].used := 1;
    l[i].cnt := 0;
    l[i].high := 0;
    for k: Acceptor do
      if a[k].status != Crashed & down[i][k].kind = Nothing then
        down[i][k].kind := Read;
        down[i][k].no := l[i].pool;
      end;
    end;
  end;
end;

ruleset i: Leader; k: Acceptor do
  rule "lose down" a[k].status != Crashed & down[i][k].kind != Nothing ==> begin
    take(down[i][k]);
  end;

  rule "read" a[k].status != Crashed & down[i][k].kind = Read ==> begin
    if down[i][k].no > a[k].high then
      a[k].high := down[i][k].no;
      if up[k][i].kind = Nothing then
        up[k][i].kind := Reply;
        up[k][i].no := down[i][k].no;
        up[k][i].cur := a[k].cur;
        if a[k].cur > 0 then up[k][i].val := a[k].val; end;
      end;
    end;
    take(down[i][k]);
  end;

  rule "write" a[k].status != Crashed & down[i][k].kind = Write ==> begin
    if down[i][k].no >= a[k].high then
      a[k].cur := down[i][k].no;
      a[k].val := down[i][k].val;
    end;
    take(down[i][k]);
  end;

  rule "lose up" up[k][i].kind != Nothing ==> begin
    take(up[k][i]);
  end;

  rule "had stopped" up[k][i].kind != Nothing & a[k].status != Corr ==> begin
    a[k].status := Crashed;
    take(up[k][i]);
  end;

  rule "reply" up[k][i].kind = Reply ==> begin
    if l[i].cnt < Majority then
      l[i].cnt := l[i].cnt + 1;
      if up[k][i].cur > l[i].high then
        l[i].high := up[k][i].cur;
        l[i].highVal := up[k][i].val;
      end;
      if l[i].cnt = Majority then
        for j: Acceptor do
          if a[j].status != Crashed & down[i][j].kind = Nothing then
            down[i][j].kind := Write;
            down[i][j].no := l[i].pool;
            if l[i].high = 0 then down[i][j].val := l[i].value; else down[i][j].val := l[i].highVal; end;
          end;
        end;
      end;
    end;
    take(up[k][i]);
  end;
end;
