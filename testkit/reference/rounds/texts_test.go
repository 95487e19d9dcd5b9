package rounds

// Texts that show what the reference's mistakes are.
var shown = map[string]string{
	roundsMixed: `protocol mixed; parameters n; assume n >= 1; faults none; messages A;
process node[n]
  kept local d: enum {NO, D0};
  local sent: bool;
  say: if not sent then send A; sent := true; endif
  go: if sent and heard(A) >= n then next; endif
  wrong: if heard(A) > n then d := D0; next; endif
end
invariant safe: all(d = NO);`,
	keptForgotten: `protocol forgotten; parameters n; assume n >= 1; faults none; messages A;
process node[n]
  kept input v: 0..1;
  local sent: bool;
  say: if not sent then send A; sent := true; endif
  go: if sent and heard(A) >= 1 then next; endif
end
ltl order: all(v = 1) -> G all(v = 1);`,
	staysForgotten: `protocol stays; parameters n; assume n >= 2; faults none; messages A;
process node[n]
  kept input v: 0..1;
  kept local d: enum {NO, D0, D1};
  local sent: bool;
  say: if not sent then send A; sent := true; endif
  rests: if v = 0 and d = NO and heard(A) >= 1 then d := D0; endif
  away: if v = 0 and heard(A) > n then next; endif
  goes: if v = 1 and heard(A) >= 1 then d := D1; next; endif
end
invariant safe: all(d != D0) or all(d != D1);`,
	alwaysForgotten: `protocol later; parameters n; assume n >= 2; faults none; messages A;
process node[n]
  kept input v: 0..1;
  kept local d: enum {NO, D0};
  local sent, left: bool;
  goes: if v = 1 then left := true; next; endif
  always say: if left and not sent then send A; sent := true; endif
  gets: if v = 0 and heard(A) >= 1 then d := D0; next; endif
end
invariant safe: all(d = NO);`,
	coinsOwn: `protocol common; parameters n; assume n >= 2; faults none; messages A;
process node[n]
  kept local d: enum {NO, D0, D1};
  local c: 0..1;
  once: if d = NO then coin c; if c = 0 then d := D0; else d := D1; endif next; endif
end
invariant safe: all(d != D0) or all(d != D1);`,
	crashesAnew: `protocol few; parameters n, f; assume n > f, f = 1; faults clean f; messages A;
process node[n]
  kept input k: 0..1;
  go: if k <= 1 then next; endif
end
invariant safe: count(k <= 1) >= n - f;`,
	alwaysFirst: `protocol rotating; parameters n, f; assume n > f, f = 1; faults crash f; messages VALUE(0..1);
process node[n]
  kept input v: 0..1;
  local sent: bool;
  tell: if coordinator and not sent then send VALUE(v); sent := true; endif
  adopt: if arrived(coordinator.VALUE) then if heard(coordinator.VALUE(0)) >= 1 then v := 0; elsif heard(coordinator.VALUE(1)) >= 1 then v := 1; endif next; endif
end
invariant safe after f + 1 rounds: all(v = 0) or all(v = 1);`,
	anybodyLeads: `protocol leads; parameters n; assume n >= 2; faults none; messages VALUE(0..1);
process node[n]
  kept input v: 0..1;
  local sent: bool;
  tell: if not sent then send VALUE(v); sent := true; endif
  adopt: if sent and heard(coordinator.VALUE) >= 1 then if heard(coordinator.VALUE(0)) >= 1 then v := 0; else v := 1; endif next; endif
end
invariant safe after 1 rounds: all(v = 0) or all(v = 1);`,
	notAwaited: `protocol all; parameters n; assume n >= 2; faults none; messages VALUE(0..1);
process node[n]
  kept input v: 0..1;
  local sent: bool;
  tell: if not sent then send VALUE(v); sent := true; endif
  choose: if sent and arrived(VALUE) then if heard(VALUE(0)) >= 1 then v := 0; endif next; endif
end
invariant safe after 1 rounds: all(v = 0) or all(v = 1);`,
	endedBySome: `protocol slow; parameters n; assume n >= 2; faults none; messages VALUE(0..1);
process node[n]
  kept input v: 0..1;
  local sent: bool;
  tell: if not sent then send VALUE(v); sent := true; endif
  choose: if sent and arrived(VALUE) then v := 1; next; endif
end
invariant safe after 1 rounds: all(v = 1);`,
	alwaysLate: `protocol lead; parameters n, f; assume n > 2 * f, f >= 1; faults clean f; messages LEAD;
process node[n]
  kept local d: enum {NO, D0};
  local sent: bool;
  lead: if coordinator and not sent then send LEAD; sent := true; endif
  follow: if heard(coordinator.LEAD) >= 1 then d := D0; next; endif
  timeout tire: if not sent then next; endif
end
ltl last eventually good: F all(d != NO);`,
	goOnAsFirst: `protocol first; parameters n; assume n >= 1; faults none; messages A;
process node[n]
  kept input v: 0..1;
  local c: 0..1;
  [](x: 0..1) keep: if v = x then coin c; v := x; next; endif
end
ltl order: all(v = 1) -> G all(v = 1);`,
	guardsOnly: `protocol guards; parameters n; assume n >= 1; faults none; messages A(bool);
process node[n]
  kept input v: bool;
  kept local d: enum {NO, D0};
  local sent: bool;
  [](x: bool) say: if v = x and not sent then send A(x); sent := true; endif
  wrong: if sent and v and heard(A(false)) >= n then d := D0; next; endif
  away: if sent and heard(A) >= n then next; endif
end
invariant safe: all(d = NO);`,
	coinsMerged: `protocol merged; parameters n; assume n >= 1; faults none; messages A;
process node[n]
  kept input v: 0..1;
  local c: 0..1;
  zero: if v = 0 then coin c; v := 0; next; endif
  one: if v = 1 then coin c; v := 1; next; endif
end
ltl order: all(v = 1) -> G all(v = 1);`,
	bindingLeftOut: `protocol bound; parameters n, t, f; assume n > 4 * t, t >= f, t >= 1; faults symmetric f; messages VOTE(0..1);
process node[n]
  kept input v: 0..1;
  kept local d: enum {NO, D0, D1};
  local sent: bool;
  local c: 0..1;
  vote: if not sent then send VOTE(v); sent := true; endif
  end0: if sent and heard(VOTE) >= n - t and 2 * heard(VOTE(0)) > n then coin c; v := 0; if c = 0 then d := D0; endif next; endif
  end1: if sent and heard(VOTE) >= n - t and 2 * heard(VOTE(1)) > n then coin c; v := 1; if c = 1 then d := D1; endif next; endif
  none: if sent and heard(VOTE) >= n - t and 2 * heard(VOTE(0)) <= n and 2 * heard(VOTE(1)) <= n then coin c; v := c; next; endif
end
ltl sure almost surely in order: F all(d != NO);`,
}
