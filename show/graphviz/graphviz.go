// Package graphviz lays out graphs with Graphviz, compiled to WebAssembly and run inside this process.
//
// The binary is the one that the module github.com/goccy/go-graphviz ships (see generate.go). That module itself is not
// linked: it compiles the binary before main begins, which would cost every start of the program 30 to 60 ms, and a
// second where nothing is cached. Here that is paid when a picture is drawn.
package graphviz

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
)

//go:embed graphviz.wasm
var binary []byte

// SVG lays out a graph in the dot language and returns it as SVG. Cancelling ctx interrupts the layout.
//
// It takes a second to compile Graphviz the first time, and some 50 ms afterwards, from a cache in the user's cache
// folder, if there is one. The layout itself takes a second or more for hundreds of edges.
func SVG(ctx context.Context, text string) (svg []byte, err error) {
	m, err := start(ctx)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		return nil, fmt.Errorf("starting Graphviz: %w", err)
	}
	defer func() { err = errors.Join(err, m.runtime.Close(context.WithoutCancel(ctx))) }()
	if svg, err = m.svg(text); ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return svg, err
}

// module is a running Graphviz. Its functions take and return numbers and addresses in its memory; results are written
// to an address that is given last.
type module struct {
	ctx     context.Context
	runtime wazero.Runtime
	api.Module
}

func start(ctx context.Context) (m *module, err error) {
	config := wazero.NewRuntimeConfig().WithCloseOnContextDone(true)
	if cache := compilationCache(); cache != nil {
		config = config.WithCompilationCache(cache)
	}
	m = &module{ctx: ctx, runtime: wazero.NewRuntimeWithConfig(ctx, config)}
	defer func() {
		if err != nil {
			err = errors.Join(err, m.runtime.Close(context.WithoutCancel(ctx)))
		}
	}()
	if _, err := wasi_snapshot_preview1.Instantiate(ctx, m.runtime); err != nil {
		return nil, err
	}
	compiled, err := m.runtime.CompileModule(ctx, binary)
	if err != nil {
		return nil, err
	}
	// The binary can call back into plugins written in Go. There are none.
	host := m.runtime.NewHostModuleBuilder("env")
	for _, f := range compiled.ImportedFunctions() {
		if module, name, _ := f.Import(); module == "env" {
			host.NewFunctionBuilder().WithGoFunction(api.GoFunc(func(context.Context, []uint64) {
				panic(fmt.Sprintf("Graphviz calls the plugin function %s", name))
			}), f.ParamTypes(), f.ResultTypes()).Export(name)
		}
	}
	if _, err := host.Instantiate(ctx); err != nil {
		return nil, err
	}
	m.Module, err = m.runtime.InstantiateModule(ctx, compiled, wazero.NewModuleConfig())
	return m, err
}

// compilationCache keeps the compiled binary for the next start, if the user has a folder for such things.
func compilationCache() wazero.CompilationCache {
	dir, err := os.UserCacheDir()
	if err != nil {
		return nil
	}
	// Who has no home gets none.
	if _, err := os.Stat(filepath.Dir(dir)); err != nil {
		return nil
	}
	cache, err := wazero.NewCompilationCacheWithDir(filepath.Join(dir, "tacheck", "graphviz"))
	if err != nil { // it cannot be written to: pictures take a second longer
		return nil
	}
	return cache
}

// svg parses, lays out and renders.
func (m *module) svg(text string) (svg []byte, err error) {
	s := steps{module: m}
	s.result("setError", s.number("wasm_bridge_get_AGMAX"))
	graph := s.result("memRead", s.text(text))
	if s.err == nil && graph == 0 {
		return nil, errors.New("the graph cannot be read")
	}
	graphviz := s.result("getContextWithPlugins", s.plugins(), 1)
	if failed := s.result("Context_layout", graphviz, graph, s.text("dot")); s.err == nil && failed != 0 {
		return nil, errors.New("the graph cannot be laid out")
	}
	data, size := s.alloc(4), s.alloc(4)
	if failed := s.result("Context_renderData", graphviz, graph, s.text("svg"), data, size); s.err == nil &&
		failed != 0 {
		return nil, errors.New("the graph cannot be drawn")
	}
	// What data points to is an address and a length.
	return s.bytes(s.word(s.word(data)), s.word(size)), s.err
}

// steps are calls, one after another, until one fails.
type steps struct {
	*module
	err error
}

// number calls a function without arguments that returns a number.
func (s *steps) number(name string, args ...uint64) uint64 {
	if s.err != nil {
		return 0
	}
	f := s.ExportedFunction(name)
	if f == nil {
		s.err = fmt.Errorf("there is no function %s in Graphviz", name)
		return 0
	}
	out, err := f.Call(s.ctx, args...)
	if s.err = err; err != nil || len(out) == 0 {
		return 0
	}
	return out[0]
}

// result calls a function that writes its result to an address.
func (s *steps) result(name string, args ...uint64) uint64 {
	at := s.alloc(4)
	s.number("wasm_bridge_"+name, append(args, at)...)
	return s.word(at)
}

// alloc returns the address of so many bytes. They are not freed: the whole memory is, at the end.
func (s *steps) alloc(size int) uint64 {
	at := s.number("malloc", uint64(size))
	if s.err == nil && at == 0 {
		s.err = errors.New("out of memory in Graphviz")
	}
	return at
}

func (s *steps) text(text string) uint64 {
	at := s.alloc(len(text) + 1)
	s.check(s.err != nil || s.Memory().WriteString(uint32(at), strings.ReplaceAll(text, "\x00", " ")+"\x00"))
	return at
}

func (s *steps) word(at uint64) uint64 {
	if s.err != nil {
		return 0
	}
	word, ok := s.Memory().ReadUint32Le(uint32(at))
	s.check(ok)
	return uint64(word)
}

func (s *steps) set(at, word uint64) {
	s.check(s.err != nil || s.Memory().WriteUint32Le(uint32(at), uint32(word)))
}

func (s *steps) bytes(at, size uint64) []byte {
	if s.err != nil {
		return nil
	}
	view, ok := s.Memory().Read(uint32(at), uint32(size))
	s.check(ok)
	return append([]byte(nil), view...)
}

func (s *steps) check(ok bool) {
	if !ok {
		s.err = errors.New("an address outside of Graphviz's memory")
	}
}

// plugins returns a list of Graphviz's own plugins, with the entry that ends
// it: a length, and the address of addresses, each in 8 bytes.
func (s *steps) plugins() uint64 {
	own := s.result("SymList_default")
	n, from := s.word(own), s.word(own+4)
	data := s.alloc(8 * int(n+1))
	for i := range n {
		s.set(data+8*i, s.word(from+8*i))
	}
	s.set(data+8*n, s.result("SymList_zero"))
	list := s.alloc(8)
	s.set(list, n+1)
	s.set(list+4, data)
	return list
}
