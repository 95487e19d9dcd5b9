package tacheck_test

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestCycles: of a package's files, at most half are in one circle of files that use what others of it declare: most can
// be read knowing only those below them.
func TestCycles(t *testing.T) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-json=ImportPath,Dir,GoFiles,Export,Module", "./...").Output()
	if err != nil {
		t.Fatal(err)
	}
	type listed struct {
		ImportPath, Dir, Export string
		GoFiles                 []string
		Module                  *struct{ Main bool }
	}
	var own []listed
	exports := map[string]string{}
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		exports[p.ImportPath] = p.Export
		if p.Module != nil && p.Module.Main && len(p.GoFiles) > 6 && !strings.Contains(p.ImportPath, "/testkit/") {
			own = append(own, p)
		}
	}
	files := token.NewFileSet()
	imports := importer.ForCompiler(files, "gc", func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, p := range own {
		var parsed []*ast.File
		for _, name := range p.GoFiles {
			f, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			parsed = append(parsed, f)
		}
		info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
		checked, err := (&types.Config{Importer: imports}).Check(p.ImportPath, files, parsed, info)
		if err != nil {
			t.Fatal(err)
		}
		file := func(pos token.Pos) string { return filepath.Base(files.Position(pos).Filename) }
		reaches := map[string]map[string]bool{}
		for _, name := range p.GoFiles {
			reaches[name] = map[string]bool{}
		}
		for id, o := range info.Uses {
			_, method := o.(*types.Func)
			if o.Pkg() == checked && (method || o.Parent() == checked.Scope()) {
				reaches[file(id.Pos())][file(o.Pos())] = true
			}
		}
		for _, via := range p.GoFiles {
			for _, from := range p.GoFiles {
				if reaches[from][via] {
					maps.Copy(reaches[from], reaches[via])
				}
			}
		}
		largest := 0
		for _, name := range p.GoFiles {
			circle := 0
			for other := range reaches[name] {
				if reaches[other][name] {
					circle++
				}
			}
			largest = max(largest, circle)
		}
		if 2*largest > len(p.GoFiles) {
			t.Errorf("%s: %d of %d files use each other", p.ImportPath, largest, len(p.GoFiles))
		}
	}
}
