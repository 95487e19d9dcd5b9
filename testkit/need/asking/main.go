// Asking prints the tests in the folders named whose extent TACHECK_CASES says, a line each: those that ask package need
// for a number, themselves or by functions of their package. Others do the same with every number, so that `make more`
// has no need to run them again. Exit code 1 if a folder cannot be read.
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	var all []string
	for _, folder := range os.Args[1:] {
		names, err := asking(folder)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		all = append(all, names...)
	}
	slices.Sort(all)
	for _, name := range slices.Compact(all) {
		fmt.Println(name)
	}
}

// numbers are the functions, of package need and of others that ask it, whose answers depend on TACHECK_CASES.
var numbers = []string{"need.Cases", "need.Every", "need.Rarely", "need.Usual", "need.More", "need.Peers", "need.TLC", "browse.Open"}

// asking returns the tests of a folder that ask for a number.
func asking(folder string) (tests []string, err error) {
	files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%s has no tests", folder)
	}
	uses, asks := map[string][]string{}, map[string]bool{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
		if err != nil {
			return nil, err
		}
		for _, d := range parsed.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				names, direct := used(f)
				uses[f.Name.Name] = append(uses[f.Name.Name], names...)
				asks[f.Name.Name] = asks[f.Name.Name] || direct
			}
		}
	}
	for more := true; more; {
		more = false
		for name, names := range uses {
			if !asks[name] && slices.ContainsFunc(names, func(n string) bool { return asks[n] }) {
				asks[name], more = true, true
			}
		}
	}
	for name := range uses {
		if asks[name] && strings.HasPrefix(name, "Test") && name != "TestMain" {
			tests = append(tests, name)
		}
	}
	return tests, nil
}

// used returns the names in a function, those of methods and packages' functions among them (too many do no harm), and
// whether it asks for a number.
func used(f *ast.FuncDecl) (names []string, direct bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && (x.Name == "need" || x.Name == "browse") {
				direct = direct || slices.Contains(numbers, x.Name+"."+n.Sel.Name)
				return false
			}
		case *ast.Ident:
			if n != f.Name {
				names = append(names, n.Name)
			}
		}
		return true
	})
	return names, direct
}
