package trace

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/internal/index"
	"github.com/tacheck/tacheck/protocol/edit"
	"github.com/tacheck/tacheck/protocol/ftdp"
	"github.com/tacheck/tacheck/protocol/instantiate"
	"github.com/tacheck/tacheck/testkit/indextest"
	"github.com/tacheck/tacheck/trace/reading"
)

// inText has every statement of readings, not in canonical form.
const inText = `
trace  cloud
  events $data . ev? ;
  clock by $at vector $vc;
  process reader none "", "0";
  process base numbers;
  value corr="ok" or "fine", true = "yes";
  constant n = count $at,$to; constant w = max $value,1 + 1;
  constant r = 1; // one
  silent write,answer;
  visible lost , tell; /* both
     are seen */
  ignore $event="x" or not has $at;
  when $event = "store" and $n in (1,"b",$c): rule store(i=$at?, j = $from) before msg.val=$value?  after base[i].val=$now+1, base[i].val>=0&&¬(base[i].val<0);
  // what is sent
  when $event = "tell":   tell(i = $at, j = $to) after 2reader[j].val = id($value, keys)  then see(i: baseID = $to) base[i].val = len($list), true;
  when $event = "gone": lost(i : readerID = $to,j:baseID = $from) msg.val = $value;
  when $event = "set": see(i: writerID = $at, v: 0..2 = $v) writer[i].started != $value, forall (k: writerID) writer[k].completed <= writer[k].started, base[1].val = $other
  // within
  ;
end
invariant more: 1=1; // last
`

func storage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../benchmarks/protocols/storage.ftdp")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func canonical(text string) (string, error) {
	f, err := ftdp.Parse("s.ftdp", text)
	if err != nil {
		return "", err
	}
	return ftdp.FormatWith(f, reading.Canonical(f))
}

// TestCanonical: the canonical form of a reading has its words and comments, and is its own.
func TestCanonical(t *testing.T) {
	text := storage(t) + strings.Replace(inText, "$data . ev? ", "$data.ev?", 1)
	got, err := canonical(text)
	if err != nil {
		t.Fatal(err)
	}
	_, got, _ = strings.Cut(got, "\ntrace ")
	want := `cloud
  events $data.ev?;
  clock by $at vector $vc;
  process reader none "", "0";
  process base numbers;
  value corr = "ok" or "fine", true = "yes";
  constant n = count $at, $to;
  constant w = max $value, 1 + 1;
  constant r = 1; // one
  silent write, answer;
  visible lost, tell;
  /* both
  are seen */
  ignore $event = "x" or not has $at;
  when $event = "store" and $n in (1, "b", $c):
    rule store(i = $at?, j = $from)
    before msg.val = $value?
    after base[i].val = $now + 1, base[i].val >= 0 and not base[i].val < 0;
  // what is sent
  when $event = "tell":
    tell(i = $at, j = $to)
    after 2reader[j].val = id($value, keys)
    then see(i: baseID = $to) base[i].val = len($list), true;
  when $event = "gone": lost(i: readerID = $to, j: baseID = $from) msg.val = $value;
  when $event = "set":
    see(i: writerID = $at, v: 0..2 = $v) writer[i].started != $value,
      forall (k: writerID) writer[k].completed <= writer[k].started, base[1].val = $other;
  // within
end

invariant more: // last
  1 = 1;
`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	again, err := canonical(storage(t) + "\ntrace " + got)
	if _, again, _ = strings.Cut(again, "\ntrace "); err != nil || again != got {
		t.Errorf("%v, and another time\n%s", err, again)
	}
}

// TestBlockNames: what names in readings mean is known to editors, and can be renamed.
func TestBlockNames(t *testing.T) {
	text := storage(t) + strings.Replace(inText, "$data . ev? ", "$data.ev?", 1)
	l := indextest.Language{Read: func(text string) (*index.Index, error) { return Index("s.ftdp", text) }, Format: canonical, Next: edit.Next}
	x, err := l.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	begin := strings.Count(storage(t), "\n")
	uses := map[string]int{}
	for _, s := range x.Symbols {
		for _, u := range s.Uses {
			if u.Pos.Line > begin {
				uses[s.Name]++
			}
		}
	}
	for name, least := range map[string]int{"store": 1, "write": 1, "answer": 1, "n": 1, "r": 1, "base": 5, "reader": 2, "started": 2, "writer": 3, "val": 6,
		"when": 4, "baseID": 2, "writerID": 2, "i": 3, "from": 0} {
		if uses[name] < least {
			t.Errorf("%s is used %d times in the reading, not %d", name, uses[name], least)
		}
	}
	indextest.Rename(t, l, map[string]string{"s": text})
	place := func(word string) diag.Pos {
		for _, tok := range x.Tokens {
			if tok.Text == word {
				return tok.Pos
			}
		}
		t.Fatal("no", word)
		return diag.Pos{}
	}
	out, _, err := index.Rename(text, place("store"), "put", l.Read)
	if err != nil || !strings.Contains(out, "rule put(i=$at?") {
		t.Errorf("renamed: %v\n%s", err, out)
	}
}

// TestBlockComplete: what can come in a reading is offered.
func TestBlockComplete(t *testing.T) {
	for text, want := range map[string]struct {
		word string
		kind index.Kind
	}{
		"trace a ":                               {"when", ""},
		"trace a ignore others; ":                {"silent", ""},
		"trace a process reader numbers; silent": {"silent", ""},
		"trace a silent ":                        {"all", index.Rule},
		"trace a when $x = 1 ":                   {"and", ""},
		"trace a when $x = 1: ":                  {"see", index.Rule},
		"trace a when $x = 1: r(i = $y) before ": {"msg", index.States},
		"trace a when $x = 1: r(i = $y) ":        {"after", index.Bound},
		"trace a constant ":                      {"", index.Constant},
		"trace a end ":                           {"rules", ""},
	} {
		w := edit.Next("protocol p; " + text)
		if want.word != "" && !slices.Contains(w.Words, want.word) || want.kind != "" && !slices.Contains(w.Kinds, want.kind) {
			t.Errorf("%s: %v %v", text, w.Words, w.Kinds)
		}
	}
}

// TestBlockErrors: what is wrong with a reading is told at its place in the protocol's text.
func TestBlockErrors(t *testing.T) {
	for block, want := range map[string]string{
		"trace a when $e = 1: wirte(i = $at); end":                                   `1:22: the protocol has no rule "wirte" (did you mean "write"?)`,
		"trace a when $e = 1: write(k = $at); end":                                   `1:28: rule write has no parameter "k"`,
		"trace a\n  when $e = 1: write(i = $at) after writer[i].start = $value; end": `2:37: there is no field "start"`,
		"trace a\n  when $e = 1: write(i = $at) after writer[i].started + = $v; end": `2:56: unexpected`,
		"trace a silent wite; end":                                                   `1:16: the protocol has no rule "wite"`,
		"trace a constant k = 3; end":                                                `1:18: there is no constant "k"`,
		"trace a process nobody numbers; end":                                        `1:17: there is no role "nobody"`,
		"trace a wen $e = 1: write(i = $at); end":                                    `1:9: unexpected "wen"`,
		"trace a end trace b end trace a end":                                        `1:31: there is a reading a already`,
		"trace a when $e = 1: write(i = $at)":                                        `1:36: unexpected end of the file`,
		"trace a when $e = 1: see(i: writer = $at) true; end":                        `1:29: `,
		"trace a when $e = 1: write(i = $at) end":                                    `1:37: unexpected`,
	} {
		_, err := func() (any, error) {
			f, err := ftdp.Parse("s.ftdp", storage(t)+block)
			if err != nil {
				return nil, err
			}
			m, err := instantiate.Model(f, nil)
			if err != nil {
				return nil, err
			}
			return nil, Verify(m)
		}()
		var list diag.List
		if !errors.As(err, &list) {
			t.Errorf("%s: %v", block, err)
			continue
		}
		list[0].Pos.Line -= strings.Count(storage(t), "\n")
		list[0].Pos.File = ""
		if got := strings.TrimPrefix(list[0].Error(), ":"); !strings.HasPrefix(got, want) {
			t.Errorf("%s:\n%s, not\n%s", block, got, want)
		}
	}
}
