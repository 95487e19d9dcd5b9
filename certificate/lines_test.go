package certificate

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/explore"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/protocol/machine"
	"github.com/tacheck/tacheck/testkit/mutate"
	"github.com/tacheck/tacheck/testkit/need"
)

// holdsOf checks by exploring instances that what a certificate says to hold does, of the text that it has, with its constants.
func holdsOf(t *testing.T, dir, what string) {
	t.Helper()
	ctx := context.Background()
	var x struct{ Constants map[string]int64 }
	text, err := os.ReadFile(filepath.Join(dir, indexFile))
	if err == nil {
		err = json.Unmarshal(text, &x)
	}
	if err != nil {
		t.Fatal(err)
	}
	var claims []Checked
	if _, err := Check(ctx, dir, Demand{Bound: Bound{}}, func(c Checked) error {
		claims = append(claims, c)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, c := range claims {
		if c.Verdict != verdict.Holds {
			continue // its counterexample was replayed
		}
		source, err := os.ReadFile(filepath.Join(dir, c.File))
		if err != nil {
			t.Fatal(err)
		}
		m, err := model.Open(ctx, c.File, string(source), model.Options{})
		if err != nil {
			t.Errorf("%s: what is accepted cannot be read: %v", what, err)
			continue
		}
		for _, in := range sizesOf(t, m, x.Constants) {
			o := model.Exploring{Machine: machine.Options{Bounds: explore.Bounds{Jobs: 1, States: 3000}}}
			list, err := in.Explore(ctx, []string{c.Spec}, o)
			if err != nil && !errors.Is(err, model.ErrNoStart) {
				t.Errorf("%s: %v", what, err)
			}
			for _, r := range list {
				if r.Verdict == verdict.Violated {
					t.Errorf("%s: %s is said to hold, and is violated with %v", what, c.Spec, in.Values())
				}
			}
		}
	}
}

// sizesOf lists small instances of a model, with the given values of constants.
func sizesOf(t *testing.T, m model.Model, constants map[string]int64) (list []model.Instance) {
	t.Helper()
	ctx := context.Background()
	fixed, is := m.(model.Fixed)
	if !is {
		return nil // of an automaton that is one round, which is explored where it is checked
	}
	if list, err := fixed.Instances(ctx, 3); err == nil {
		return list[:min(len(list), 30)]
	}
	var set []model.Setting
	var free []string
	for _, p := range fixed.Parameters() {
		if v, given := constants[p.Name]; given {
			set = append(set, model.Setting{Name: p.Name, Value: v})
		} else {
			free = append(free, p.Name)
		}
	}
	for n := range int64(1) << (2 * len(free)) { // up to four of each
		values := set[:len(set):len(set)]
		for i, name := range free {
			values = append(values, model.Setting{Name: name, Value: 1 + n>>(2*i)&3})
		}
		if in, err := fixed.Instance(ctx, values); err == nil { // others are not admissible
			list = append(list, in)
		}
	}
	return list
}

// lineForged forges a certificate line by line, with the digests that a forger would write: what is accepted about the text that was
// certified says what was said, and what is accepted about another one is true of that.
func lineForged(t *testing.T, dir string, bound Bound, most int) {
	t.Helper()
	check := func(text *string) (string, error) {
		ctx, stop := context.WithTimeout(context.Background(), time.Minute)
		defer stop()
		return saidOfText(ctx, dir, Demand{Bound: bound, Model: text})
	}
	own := ""
	want, err := check(nil)
	if err != nil {
		t.Fatal(err)
	}
	names, _, err := folderAt(t, dir).list()
	if err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(dir, indexFile))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names { // the text, after the automaton that may be made of it
		if !strings.Contains(name, "/") && name != indexFile && name != questionsFile {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			own = string(text)
		}
	}
	r := rand.New(rand.NewPCG(uint64(need.Seed(t, 1)), 5))
	tried, ofOwn, ofOthers, late := 0, 0, 0, 0
	for _, name := range names {
		if strings.HasSuffix(name, ".gz") {
			continue // for people
		}
		path := filepath.Join(dir, name)
		old, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		list := mutate.Lines(old)
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		for _, m := range list[:min(len(list), most)] {
			tried++
			what := fmt.Sprintf("%s: %s %s", name, m.Where, m.What)
			forged := bytes.Replace(index, []byte(digest(old)), []byte(digest(m.Text)), 1)
			if err := os.WriteFile(filepath.Join(dir, indexFile), forged, 0o666); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, m.Text, 0o666); err != nil {
				t.Fatal(err)
			}
			resum(t, dir)
			var bad *RejectedError
			if got, err := check(&own); errors.Is(err, context.DeadlineExceeded) {
				late++
			} else if err != nil && !errors.As(err, &bad) {
				t.Errorf("%s: %v", what, err)
			} else if err == nil && got != want && queries.ReplaceAllString(got, "${1}N quer") != claimed(t, dir, want) {
				t.Errorf("%s: accepted of the text as it was, and said is %s", what, got)
			} else if err == nil {
				ofOwn++
			}
			if _, err := check(nil); err == nil {
				ofOthers++
				holdsOf(t, dir, what)
			} else if !errors.As(err, &bad) && !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %v", what, err)
			}
			for file, text := range map[string][]byte{filepath.Join(dir, indexFile): index, path: old} {
				if err := os.WriteFile(file, text, 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	resum(t, dir)
	if got, err := check(&own); err != nil || got != want {
		t.Errorf("as it was: %s, %v", got, err)
	}
	t.Logf("%d forgeries: %d accepted of the text as it was, which say what they claim, %d of the text that they have; %d take too long",
		tried, ofOwn, ofOthers, late)
}

// TestForgedLines forges certificates of all kinds, line by line.
func TestForgedLines(t *testing.T) {
	most := need.Cases(t, 2)
	for name, make := range map[string]func() (string, Bound){
		"automaton": func() (string, Bound) {
			dir, _ := certified(t, "broken/rb-n3t.ta", "unforgeability", "relay")
			return dir, DefaultBound
		},
		"Promela": func() (string, Bound) {
			text, _ := benchmarks.Read("rb.pml")
			return certifiedText(t, "rb.pml", strings.Replace(text, "assume(N > 3 * T)", "assume(N >= 3 * T)", 1), model.Options{}), Bound{UpTo: 3, States: 5000}
		},
		"all sizes": func() (string, Bound) {
			text, _ := benchmarks.Read("sources/rb.ftdp")
			return certifiedText(t, "rb.ftdp", strings.Replace(text, "n > 3 * t", "n >= 3 * t", 1), model.Options{}), Bound{UpTo: 3, States: 5000}
		},
		"rounds": func() (string, Bound) {
			dir, _ := certifiedRounds(t, "validity0")
			return dir, Bound{UpTo: 2, States: 100}
		},
		"induction": func() (string, Bound) { return certifiedBakery(t), DefaultBound },
		"every size": func() (string, Bound) {
			dir, _, _ := certifiedVote(t)
			return dir, DefaultBound
		},
		"first-order": func() (string, Bound) {
			dir, _ := certifiedLock(t)
			return dir, DefaultBound
		},
	} {
		t.Run(name, func(t *testing.T) {
			if name != "automaton" && name != "every size" {
				need.Usual(t, "its certificate")
			}
			dir, bound := make()
			lineForged(t, dir, bound, most)
		})
	}
}

func readFile(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestWrittenOtherwise: what is written in another way than it is made is refused, with a reason in plain words; text from another source
// is quoted.
func TestWrittenOtherwise(t *testing.T) {
	rounds, _ := certifiedRounds(t, "validity0")
	vote, _, _ := certifiedVote(t)
	bakery := certifiedBakery(t)
	guard := regexp.MustCompile(`"guard": \[\s*("[^"]*")`).FindStringSubmatch(string(readFile(t, filepath.Join(bakery, indexFile))))
	for _, c := range []struct{ dir, from, to, want string }{
		{bakery, guard[0], guard[0] + ",\n          " + guard[1], "is there twice"},
		{rounds, "(locD1 == 0 && locE1 == 0)", "(locD1 == 0 && locE9 == 0)", `unknown name "locE9"`},
		{rounds, `"shown": []`, `"shown": null`, "not written as it should be"},
		{vote, `"constants": {}`, `"constants": null`, "not written as it should be"},
		{vote, `"version": 2`, `"version": 100000000000000000000`, `the field "version" cannot be a number 1`},
		{vote, `"lemmas": [`, `"lemmas": [],\n    "more": [`, `more`},
	} {
		forged := filepath.Join(t.TempDir(), "forged")
		if err := os.CopyFS(forged, os.DirFS(c.dir)); err != nil {
			t.Fatal(err)
		}
		name := indexFile
		if c.dir == rounds && strings.HasPrefix(c.from, "(") {
			name = modelFile
		}
		rewrite(t, forged, name, c.from, strings.ReplaceAll(c.to, `\n`, "\n"))
		wantRejected(t, forged, "", c.want)
	}
	if got := definitions(map[string]string{"A": "1", "B": "2; all hold"}, false); got != `-D A=1 -D B="2; all hold"` {
		t.Error(got)
	}
}
