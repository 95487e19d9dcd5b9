package rounds

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/ta"
)

// TestBounds: of the bounds that are looked at, those come first that tell how many can make a guard true, whatever else
// processes have in common.
func TestBounds(t *testing.T) {
	const others = 3
	var locations, inits, rules, ends, free []string
	var values [others]string
	for k := range others {
		for _, v := range []string{"f", "a", "b"} {
			at := fmt.Sprint(v, k)
			locations = append(locations, at+"; e"+at+";")
			inits = append(inits, "e"+at+" == 0;")
			ends = append(ends, fmt.Sprintf("e%s -> %s;", at, at))
			for _, m := range []string{"a", "b"} {
				if v == m || v == "f" {
					rules = append(rules, fmt.Sprintf("%d: %s -> e%s do { %s' == %s + 1; };", len(rules)+1, at, at, m, m))
				}
			}
			rules = append(rules, fmt.Sprintf("%d: %s -> ea%d when (2 * a > n); %d: %s -> eb%d when (2 * b > n);",
				len(rules)+1, at, k, len(rules)+2, at, k))
			free, values[k] = append(free, at), values[k]+", "+at
		}
	}
	for k := range values {
		values[k] = "(" + strings.TrimPrefix(values[k], ", ") + ")"
	}
	text := fmt.Sprintf(`ta Locks {
  shared a, b;
  parameters n;
  assumptions { n >= 1; }
  locations { %s }
  inits { %s == n; %s a == 0; b == 0; }
  rules { %s }
  rounds { %s values %s; }
  specifications { }
}`, strings.Join(locations, " "), strings.Join(free, " + "), strings.Join(inits, " "), strings.Join(rules, "\n"),
		strings.Join(ends, " "), strings.Join(values[:], " "))
	a, err := ta.Parse("locks.ta", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	m, err := newMachine(a)
	if err != nil {
		t.Fatal(err)
	}
	list := m.bounds()
	for i, want := range []string{"f0, a0, f1, a1, f2, a2", "f0, b0, f1, b1, f2, b2"} {
		names := strings.Split(want, ", ")
		got := strings.Split(m.names(list[i].at), ", ")
		slices.Sort(names)
		slices.Sort(got)
		if !slices.Equal(got, names) {
			t.Errorf("bound %d is about %v, and not %v", i, got, names)
		}
	}
}
