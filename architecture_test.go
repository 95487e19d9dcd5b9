package tacheck_test

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestImportOrder: packages import each other in the order that
// docs/architecture.md states, and all of them are in it; what is for tests is imported by tests.
func TestImportOrder(t *testing.T) {
	page, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(page), "```order\n")
	block, _, found := strings.Cut(block, "```")
	if !found {
		t.Fatal("docs/architecture.md states no order")
	}
	place := map[string]int{}
	for i, dir := range strings.Fields(block) {
		place[strings.TrimSuffix("github.com/tacheck/tacheck/"+dir, "/.")] = i
	}
	exists := map[string]bool{}
	out, err := exec.Command("go", "list", "-f", `{{.ImportPath}} {{join .Imports " "}}`, "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		name := words[0]
		exists[name] = true
		at, listed := place[name]
		if !listed {
			t.Errorf("docs/architecture.md does not say where %s stands", name)
		}
		for _, imported := range words[1:] {
			if place[imported] > at {
				t.Errorf("%s imports %s, which comes after it", name, imported)
			}
			if strings.HasPrefix(imported, "github.com/tacheck/tacheck/testkit/") && !strings.HasPrefix(name, "github.com/tacheck/tacheck/testkit/") {
				t.Errorf("%s imports %s, which is for tests", name, imported)
			}
		}
	}
	for name := range place {
		if !exists[name] {
			t.Errorf("docs/architecture.md lists %s, which does not exist", name)
		}
	}
}

// readers are the functions that read a text, by the package that they are of.
var readers = map[string][]string{
	"github.com/tacheck/tacheck/ta/syntax":            {"Parse", "ParseExpr", "Partly"},
	"github.com/tacheck/tacheck/ta":                   {"Parse"},
	"github.com/tacheck/tacheck/promela":              {"Parse"},
	"github.com/tacheck/tacheck/promela/pml":          {"Parse", "ParseExpr"},
	"github.com/tacheck/tacheck/tla":                  {"Parse", "Translate"},
	"github.com/tacheck/tacheck/fol/pyv":              {"Read", "ReadWith", "Condition"},
	"github.com/tacheck/tacheck/trace/reading":        {"Parse"},
	"github.com/tacheck/tacheck/protocol":             {"ReadCondition"},
	"github.com/tacheck/tacheck/protocol/ftdp":        {"Parse", "ReadExpr", "ReadExprAt", "ReadTypeAt", "Parser"},
	"github.com/tacheck/tacheck/protocol/instantiate": {"Read"},
}

// doors are the packages that texts come into, and what they are; commands and tests need no leave. Languages are doors
// of their own texts.
var doors = map[string]string{
	"model": "files", "benchmarks": "embedded files", "conform": "what tests of programs give",
	"certificate": "the files of a certificate", "induct": "lemmas of certificates and flags",
	"cluster/work": "what came over a wire", "selftest": "texts that are made at random",
	"selftest/generate": "the same", "show/hand": "what people type", "protocol/edit": "what people type",
	"protocol/story": "what people watch", "synth": "templates, forms of conditions", "review": "a guard in a flag",
	"ta": "its own syntax", "promela": "its own syntax", "protocol": "conditions in its language",
	"protocol/instantiate": "its own language", "trace/reading": "expressions in readings",
}

// TestDoors: texts are read where they come in, and nowhere else: what passes make is data.
func TestDoors(t *testing.T) {
	used := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d os.DirEntry, err error) error {
		dir := filepath.ToSlash(filepath.Dir(path))
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testkit" || d.Name() == "testdata" || d.Name() == "examples" || strings.HasPrefix(d.Name(), ".") && d.Name() != "."):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(dir, "cmd/") || strings.HasPrefix(dir, "benchmarks/"):
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		of := map[string]string{} // imported packages, by what they are called here
		for _, i := range file.Imports {
			name := strings.Trim(i.Path.Value, `"`)
			called := name[strings.LastIndex(name, "/")+1:]
			if i.Name != nil {
				called = i.Name.Name
			}
			of[called] = name
		}
		ast.Inspect(file, func(n ast.Node) bool {
			x, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			id, ok := x.X.(*ast.Ident)
			if ok && id.Obj == nil && slices.Contains(readers[of[id.Name]], x.Sel.Name) {
				if used[dir] = true; doors[dir] == "" {
					t.Errorf("%s: %s reads a text, and none comes in here", files.Position(x.Pos()), x.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir := range doors {
		if !used[dir] {
			t.Errorf("%s is listed as a door, and reads nothing", dir)
		}
	}
}

// TestWidth: lines of the program have at most 120 columns, tabs being four, but for texts in quotes of their own and
// directives.
func TestWidth(t *testing.T) {
	wide := map[string]bool{} // rooms with lines that are longer still
	for _, room := range strings.Fields(`testkit examples`) {
		wide[room] = true
	}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (wide[path] || strings.HasPrefix(d.Name(), ".") && path != "."):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		quoted := rawLines(text)
		for i, line := range strings.Split(string(text), "\n") {
			if n := len([]rune(strings.ReplaceAll(line, "\t", "    "))); n > 120 && !quoted[i+1] && !strings.HasPrefix(line, "//go:") {
				t.Errorf("%s:%d: %d columns", path, i+1, n)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// rawLines are the lines with a part of a raw string.
func rawLines(text []byte) map[int]bool {
	lines, files := map[int]bool{}, token.NewFileSet()
	f := files.AddFile("", -1, len(text))
	var s scanner.Scanner
	s.Init(f, text, nil, 0)
	for {
		pos, tok, lit := s.Scan()
		switch {
		case tok == token.EOF:
			return lines
		case tok == token.STRING && strings.HasPrefix(lit, "`"):
			for line := f.Line(pos); line <= f.Line(pos+token.Pos(len(lit)-1)); line++ {
				lines[line] = true
			}
		}
	}
}
