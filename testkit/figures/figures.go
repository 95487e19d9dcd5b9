// Package figures holds, for tests, automata of the paper: Konnov, Lazić,
// Veith, Widder, POPL 2017.
package figures

// Figure2 is the threshold automaton of figure 2, with the resilience
// condition n > 3t and t >= f >= 0, its rules numbered as there, and the
// specifications of examples 3.1 and 3.3.
const Figure2 = `
ta Figure2 {
  shared x;
  parameters n, t, f;
  assumptions { n > 3 * t; t >= f; f >= 0; }
  locations { l0; l1; l2; l3; }
  inits { l0 + l1 == n - f; l2 == 0; l3 == 0; x == 0; }
  rules {
    1: l1 -> l2 when (true) do { x' == x + 1; };
    2: l0 -> l2 when (x >= (t + 1) - f) do { x' == x + 1; };
    3: l0 -> l3 when (x >= (n - t) - f) do { x' == x + 1; };
    4: l2 -> l3 when (x >= (n - t) - f) do { };
    5: l1 -> l3 when (x >= (n - t) - f) do { x' == x + 1; };
    6: l0 -> l0 when (true) do { };
    7: l2 -> l2 when (true) do { };
    8: l3 -> l3 when (true) do { };
  }
  specifications {
    unforgeability: l1 == 0 -> [](l3 == 0);
    correctness:
      []<>(l1 == 0
           && (!(x >= t + 1) || (l0 == 0 && l1 == 0))
           && (!(x >= n - t) || (l0 == 0 && l2 == 0)))
      -> (l0 == 0 -> <>(l3 != 0));
  }
}
`

// Propositions has five locations, whose counters being non-zero serve as the
// propositions a to e of example 4.1, and the negation of that formula as its
// specification.
const Propositions = `
ta Propositions {
  parameters n;
  locations { a; b; c; d; e; }
  inits { a + b + c + d + e == n; }
  specifications {
    example: !<>(a != 0 && <>(d != 0) && <>(e != 0) && [](b != 0) && []<>(c != 0));
  }
}
`
