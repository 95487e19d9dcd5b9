package graphviz

// The binary, Graphviz 12.1.2 (Eclipse Public License 1.0) for WebAssembly,
// comes from a module that need not be a dependency.
//
//go:generate sh -c "cp \"$(go mod download -json github.com/goccy/go-graphviz@v0.2.9 | sed -n 's/.*\"Dir\": \"\\(.*\\)\",*/\\1/p')/internal/wasm/graphviz.wasm\" graphviz.wasm && chmod 644 graphviz.wasm"
