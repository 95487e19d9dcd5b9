package certificate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"go.uber.org/goleak"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/model"
	"github.com/tacheck/tacheck/testkit/need"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// made has certificates by what was asked for: each is made once, and every test gets a copy.
var made = map[string]fs.FS{}

// certified returns a certificate of an embedded model, in a folder of its own.
func certified(t *testing.T, name string, specs ...string) (dir, source string) {
	t.Helper()
	need.All(t, "z3", "cvc5") // a certificate takes two solvers
	source, _ = benchmarks.Read(name)
	key := fmt.Sprint(name, specs)
	if made[key] == nil {
		made[key] = inMemory(t, certify(t, name, source, specs))
	}
	dir = filepath.Join(t.TempDir(), "certificate")
	if err := os.CopyFS(dir, made[key]); err != nil {
		t.Fatal(err)
	}
	return dir, source
}

// inMemory reads a folder.
func inMemory(t *testing.T, dir string) fs.FS {
	t.Helper()
	files := fstest.MapFS{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(dir, name)
		files[filepath.ToSlash(inside)] = &fstest.MapFile{Data: text, Mode: 0o644}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// question asks specifications of a text, or all.
func question(t *testing.T, file, text string, specs ...string) *model.Question {
	t.Helper()
	m, err := model.Open(context.Background(), file, text, model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	q, err := m.(model.ForAll).Ask(context.Background(), specs, nil)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

// certify makes a certificate of an embedded model.
func certify(t *testing.T, name, source string, specs []string) (dir string) {
	t.Helper()
	q := Request{Question: question(t, name, source, specs...), Bound: DefaultBound, Release: "test"}
	dir = filepath.Join(t.TempDir(), "certificate")
	if err := Make(context.Background(), dir, q, func(*model.Result, string) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if list, err := os.ReadDir(filepath.Dir(dir)); err != nil || len(list) != 1 {
		t.Errorf("left behind: %v %v", list, err)
	}
	return dir
}

func check(dir, text string, read ...model.Options) (n int, err error) {
	d := Demand{}
	if text != "" {
		d.Model = &text
	}
	for _, d.Read = range read {
	}
	_, err = Check(context.Background(), dir, d, func(Checked) error { n++; return nil })
	return n, err
}

// wantNotChecked wants an error that does not reject the certificate.
func wantNotChecked(t *testing.T, dir, want string) {
	t.Helper()
	_, err := check(dir, "")
	if err == nil || errors.As(err, new(*RejectedError)) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want it not to be checked: %s", err, want)
	}
}

func wantRejected(t *testing.T, dir, text, want string, read ...model.Options) {
	t.Helper()
	_, err := check(dir, text, read...)
	var bad *RejectedError
	if !errors.As(err, &bad) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want it to be rejected: %s", err, want)
	}
}

func TestAccepted(t *testing.T) {
	dir, source := certified(t, "broken/rb-n3t.ta", "unforgeability", "relay")
	if n, err := check(dir, source); err != nil || n != 2 {
		t.Errorf("%d specifications, %v", n, err)
	}
	wantRejected(t, dir, source+"\n", "another version of the model")
}

// TestOneByte changes one byte of every file, at several places.
func TestOneByte(t *testing.T) {
	dir, _ := certified(t, "broken/rb-n3t.ta", "unforgeability", "relay")
	files, every := 0, need.Every(t, 3)
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		files++
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for i, at := range []int{0, len(text) / 3, len(text) / 2, len(text) - 1} {
			for k, to := range []byte{text[at] ^ 1, ' ', '\n'} {
				if to == text[at] || (files+i+k)%every > 0 {
					continue
				}
				bad := append([]byte(nil), text...)
				bad[at] = to
				if err := os.WriteFile(name, bad, 0o666); err != nil {
					return err
				}
				wantRejected(t, dir, "", "")
			}
		}
		return os.WriteFile(name, text, 0o666)
	})
	if err != nil || files < 10 {
		t.Errorf("%d files, %v", files, err)
	}
	if _, err := check(dir, ""); err != nil {
		t.Errorf("as it was: %v", err)
	}
}

// TestForged changes a certificate and its sums with it.
func TestForged(t *testing.T) {
	dir, _ := certified(t, "rb.ta", "relay")
	replace := func(from, to string) func(string) string {
		return func(s string) string { return strings.Replace(s, from, to, 1) }
	}
	queries, answers := queriesFile("relay"), answersFile("relay", "cvc5")
	for _, test := range []struct {
		name, file string
		edit       func(string) string
		want       string
	}{
		{"an answer", queries, replace("; unsat", "; sat"), "relay: "},
		{"the last answer", queries, func(s string) string { return s[:strings.LastIndex(s, "; unsat")] + "; sat\n(pop 1)\n" }, "relay"},
		{"a question", queries, replace("(>= ip1_t 1)", "(>= ip1_t 9)"), "the questions do not follow from the model"},
		{"no questions", queries, func(string) string { return "" }, "there are more questions than answers"},
		{"cvc5's answers", answers, replace("unsat", "sat"), `cvc5 answered "sat"`},
		{"fewer answers", answers, replace("unsat\n", ""), "answers of cvc5"},
		{"the verdict", indexFile, replace(`"verdict": "holds"`, `"verdict": "violated"`), "a counterexample is all that it takes"},
		{"no verdict", indexFile, replace(`"verdict": "holds"`, `"verdict": "unknown"`), "cannot be certified"},
		{"more instances", indexFile, replace(`"explored": `, `"explored": 1`), "instances can be explored"},
		{"another search", indexFile, replace(`"lazy"`, `"enumerate"`), "do not follow"},
		{"no such search", indexFile, replace(`"lazy"`, `"psychic"`), "unknown search"},
		{"another specification", indexFile, replace(`"name": "relay"`, `"name": "correctness"`), ""},
		{"a path", indexFile, replace(`"name": "relay"`, `"name": "../relay"`), `no specification is called "../relay"`},
		{"a path for a solver", indexFile, replace(`"solver": "cvc5"`, `"solver": "../../x"`), "unknown solver"},
		{"an unknown field", indexFile, replace(`"format"`, `"formas"`), "unknown field"},
		{"text after the end", indexFile, func(s string) string { return s + "{}" }, "text after the end"},
		{"too much to explore", indexFile, replace(`"up_to": `, `"up_to": 999`), "more exploration"},
		{"the model", modelFile, replace("t + 1", "t + 2"), "not the model that was certified"},
	} {
		t.Run(test.name, func(t *testing.T) {
			copied := filepath.Join(t.TempDir(), "copy")
			if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(filepath.Join(copied, test.file))
			if err != nil {
				t.Fatal(err)
			}
			if test.edit(string(text)) == string(text) {
				t.Fatal("nothing was changed")
			}
			if err := os.WriteFile(filepath.Join(copied, test.file), []byte(test.edit(string(text))), 0o666); err != nil {
				t.Fatal(err)
			}
			resum(t, copied)
			wantRejected(t, copied, "", test.want)
		})
	}
}

// resum writes the sums anew.
func resum(t *testing.T, dir string) {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	f := folder{root}
	sums, err := f.sums()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.write(sumsFile, []byte(sums)); err != nil {
		t.Fatal(err)
	}
}

// TestOutside: what is not in the folder is never looked at.
func TestOutside(t *testing.T) {
	dir, _ := certified(t, "rb.ta", "relay")
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(dir, "specs", "link")
	if err := os.Symlink(secret, link); err != nil {
		t.Fatal(err)
	}
	wantRejected(t, dir, "", "no regular file")
	if err := os.Remove(link); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, modelFile)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join("..", "..", "secret"), filepath.Join(dir, modelFile)); err != nil {
		t.Fatal(err)
	}
	wantRejected(t, dir, "", "no regular file")
}

// TestDisagreement puts a solver on the PATH that says something else.
func TestDisagreement(t *testing.T) {
	dir, _ := certified(t, "rb.ta", "relay")
	bin := t.TempDir()
	for name, test := range map[string]struct {
		answer, want string
		failure      bool // of the solver: the certificate is not to blame
	}{
		"sat":     {"sat", "solvers disagree on query", false},
		"unknown": {"unknown", "cvc5 does not know the answer to query", false},
		"garbage": {"(error \"no\")", "no", true},
		"silence": {"", "gave 0 answers", true},
	} {
		script := fmt.Sprintf("#!/bin/sh\nwhile read -r line; do case $line in '(check-sat)') echo '%s';; esac; done\n", test.answer)
		if err := os.WriteFile(filepath.Join(bin, "cvc5"), []byte(script), 0o777); err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) {
			t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
			if test.failure {
				wantNotChecked(t, dir, test.want)
			} else {
				wantRejected(t, dir, "", test.want)
			}
			source, _ := benchmarks.Read("rb.ta")
			again := filepath.Join(t.TempDir(), "again")
			err := Make(context.Background(), again, Request{Question: question(t, "rb.ta", source, "relay"), Bound: DefaultBound},
				func(*model.Result, string) error { return nil })
			if !errors.Is(err, ErrNotCertified) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v", err)
			}
			if _, err := os.Lstat(again); err == nil {
				t.Error("a certificate was written")
			}
		})
	}
}

// FuzzCheck reads an index and a list of sums from another source.
func FuzzCheck(f *testing.F) {
	source, _ := benchmarks.Read("rb.ta")
	f.Add(`{"format":"tacheck-certificate","version":1,"specs":[{"name":"relay","verdict":"violated"}]}`, "{}")
	f.Add(`{"specs":[{"name":"../x","verdict":"holds","confirmed":[{"solver":"cvc5","proof":"x"}]}]}`, "")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, index, witness string) {
		root, err := os.OpenRoot(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		out := folder{root}
		for name, text := range map[string]string{indexFile: strings.Replace(index, `"specs"`, `"digest":"`+digest([]byte(source))+`","specs"`, 1),
			modelFile: source, witnessFile("relay"): witness} {
			if err := out.write(name, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		sums, err := out.sums()
		if err != nil {
			t.Fatal(err)
		}
		if err := out.write(sumsFile, []byte(sums)); err != nil {
			t.Fatal(err)
		}
		if _, err := check(dir, ""); err == nil {
			t.Error("accepted")
		}
	})
}
