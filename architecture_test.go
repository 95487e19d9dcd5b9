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
	"github.com/tacheck/tacheck/protocol/ftdp":        {"Parse", "ReadExpr", "ReadAsked", "ReadExprAt", "ReadTypeAt", "Parser"},
	"github.com/tacheck/tacheck/protocol/instantiate": {"Read"},
	"github.com/tacheck/tacheck/model":                {"Open"},
	"github.com/tacheck/tacheck/induct":               {"ReadLemma"},
}

// doors are the readers that packages call, and what it is that comes in there; commands and tests need no leave. Most
// texts are a user's. Where the program has written one itself, the reason is given why it is read.
var doors = map[string]map[string]string{
	"model": {"ta.Parse": "files", "promela.Parse": "files", "tla.Translate": "files", "pyv.Read": "files",
		"ftdp.Parse": "files", "syntax.ParseExpr": "--find", "pyv.Condition": "--find", "ftdp.ReadExpr": "--find"},
	"certificate": {"ta.Parse": "files of a folder", "instantiate.Read": "files of a folder",
		"pyv.ReadWith": "files of a folder", "ftdp.Parse": "files of a folder", "model.Open": "files of a folder"},
	"benchmarks":           {"ta.Parse": "embedded files"},
	"induct":               {"protocol.ReadCondition": "lemmas of flags, and of certificates"},
	"cluster/work":         {"ta.Parse": "what came over a wire", "instantiate.Read": "what came over a wire"},
	"conform":              {"ftdp.Parse": "what a program's tests give", "reading.Parse": "what a program's tests give", "instantiate.Read": "what a program's tests give"},
	"review":               {"syntax.ParseExpr": "--except-guard"},
	"show/hand":            {"syntax.ParseExpr": "what people type", "pyv.Condition": "what people type"},
	"show/play":            {"model.Open": "what people type"},
	".":                    {"model.Open": "what a program gives"},
	"protocol/edit":        {"ftdp.Parse": "what people type", "ftdp.Parser": "what people type, also where it is wrong"},
	"protocol/story":       {"ftdp.ReadExprAt": "what people watch", "ftdp.ReadAsked": "what people watch"},
	"trace/reading":        {"ftdp.ReadTypeAt": "what stands in a reading", "ftdp.ReadExprAt": "what stands in a reading"},
	"ta":                   {"syntax.Parse": "files: resolved here", "syntax.Partly": "files with mistakes, for editors"},
	"promela":              {"pml.Parse": "files: resolved here", "pml.ParseExpr": "what people watch"},
	"protocol":             {"ftdp.ReadExpr": "conditions of flags and certificates: resolved here"},
	"protocol/instantiate": {"ftdp.Parse": "files: resolved here"},
	"synth":                {"syntax.Parse": "files with unknowns", "syntax.ParseExpr": "--assume"},
	"synth/text": {"model.Open": "a user's text with numbers for unknowns: what is written into the file, and read " +
		"like any other, so that it means what verify decides"},
	"selftest":          {"ta.Parse": "random texts: that texts are read alike is tested, too"},
	"selftest/generate": {"syntax.Parse": "files of the suite"},
}

// TestDoors: texts are read where they come in, and nowhere else: what passes make is data.
func TestDoors(t *testing.T) {
	used := map[[2]string]bool{}
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
		of := imports(file)
		ast.Inspect(file, func(n ast.Node) bool {
			x, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			id, ok := x.X.(*ast.Ident)
			if ok && id.Obj == nil && slices.Contains(readers[of[id.Name]], x.Sel.Name) {
				reader := filepath.Base(of[id.Name]) + "." + x.Sel.Name
				if used[[2]string{dir, reader}] = true; doors[dir][reader] == "" {
					t.Errorf("%s: %s reads a text, and none comes in here", files.Position(x.Pos()), reader)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, list := range doors {
		for reader := range list {
			if !used[[2]string{dir, reader}] {
				t.Errorf("%s is listed as a door, and does not call %s", dir, reader)
			}
		}
	}
}

// TestExported: functions, types, variables and constants that a package exports are used by another one or by its own
// tests from outside. Types may only be named by what is exported; of constants declared together, one is used.
func TestExported(t *testing.T) {
	type name struct{ dir, name string }
	used, declared, files := map[name]bool{}, map[token.Pos][]name{}, token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") {
			return err
		}
		file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir, of := filepath.ToSlash(filepath.Dir(path)), imports(file)
		see := func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.SelectorExpr:
				if id, ok := x.X.(*ast.Ident); ok {
					used[name{strings.TrimPrefix(of[id.Name], "github.com/tacheck/tacheck/"), x.Sel.Name}] = true
				}
			case *ast.Ident: // of this package
				used[name{dir, x.Name}] = true
			}
			return true
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if x, ok := n.(*ast.SelectorExpr); ok {
				see(x)
			}
			return true
		})
		if strings.HasSuffix(path, "_test.go") || dir == "." || dir == "conform" || strings.HasPrefix(dir, "examples") || strings.HasPrefix(dir, "testkit") {
			return nil
		}
		add := func(pos token.Pos, id *ast.Ident, typ ast.Node) {
			if id.IsExported() {
				declared[pos] = append(declared[pos], name{dir, id.Name})
				if typ != nil {
					ast.Inspect(typ, see)
				}
			}
		}
		for _, d := range file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					add(d.Pos(), d.Name, d.Type)
				} else if d.Name.IsExported() {
					ast.Inspect(d.Type, see)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					switch s := s.(type) {
					case *ast.TypeSpec:
						add(s.Pos(), s.Name, s.Type)
					case *ast.ValueSpec:
						for _, id := range s.Names {
							if d.Tok == token.CONST {
								add(d.Pos(), id, s.Type)
							} else {
								add(id.Pos(), id, s.Type)
							}
						}
					}
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for pos, names := range declared {
		if !slices.ContainsFunc(names, func(n name) bool { return used[n] }) {
			t.Errorf("%s: no other package uses %s", files.Position(pos), names[0].name)
		}
	}
}

// imports are the packages that a file imports, by what they are called there.
func imports(file *ast.File) map[string]string {
	of := map[string]string{}
	for _, i := range file.Imports {
		name := strings.Trim(i.Path.Value, `"`)
		called := name[strings.LastIndex(name, "/")+1:]
		if i.Name != nil {
			called = i.Name.Name
		}
		of[called] = name
	}
	return of
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
