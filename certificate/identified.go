package certificate

import (
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tacheck/protocol"
	"tacheck/protocol/machine"
	"tacheck/smt/smtlib"
)

// identified is what certificates of protocols with identities say of these.
type identified struct {
	release, model, digest string
	constants              map[string]int64
	invariant              string
	implicit               bool
	confirmed              []string
	given                  func(protocol.Constant) bool // the constants of which values are said
}

// begin reads the index of a certificate, and checks that there are its files and no others.
func (in *sealed) begin(index any, files map[string]bool) error {
	if _, err := in.folder.read(sumsFile); err != nil {
		return rejected("%v", err)
	}
	if err := in.index(index); err != nil {
		return err
	}
	return in.seal(files)
}

// open reads the protocol, and checks that it is the one that was certified.
func (x identified) open(in *sealed, d Demand) (*protocol.Model, *protocol.Prop, error) {
	for i, name := range x.confirmed {
		if smtlib.Known[name] == nil || slices.Contains(x.confirmed[:i], name) {
			return nil, nil, rejected("unknown solver %q", name)
		}
	}
	switch {
	case textFor(x.release) != x.release || textFor(x.model) != x.model:
		return nil, nil, rejected("%s has a text that is none for people", indexFile)
	case len(x.confirmed) == 0:
		return nil, nil, rejected("no solver has confirmed the proof")
	}
	source, err := in.read(protocolFile)
	if err != nil {
		return nil, nil, err
	}
	// A text is kept without what follows its last word.
	bare := func(text string) string { return strings.TrimRight(text, " \t\r\n") }
	switch {
	case digest(source) != x.digest:
		return nil, nil, rejected("%s is not the protocol that was certified", protocolFile)
	case d.Model != nil && bare(*d.Model) != bare(string(source)):
		return nil, nil, rejected("the certificate is about another version of the protocol")
	}
	m, err := protocol.Read(protocolFile, string(source), x.constants)
	if err != nil {
		return nil, nil, rejected("%v", err)
	}
	all := map[string]int64{}
	for _, k := range m.Constants {
		if x.given(k) {
			all[k.Name] = k.Value
		}
	}
	p := m.Lookup(x.invariant)
	switch {
	case !maps.Equal(all, x.constants):
		return nil, nil, rejected("the certificate does not say what the constants are")
	case p == nil || p.Invariant == nil:
		return nil, nil, rejected("the protocol has no invariant %q", x.invariant)
	case x.implicit && !machine.Implicit(m, p):
		return nil, nil, rejected("crashes must not be left out of this protocol")
	}
	return m, p, nil
}

// writeFolder writes a certificate, with its index and its sums, whole or not at all.
func writeFolder(dir string, index any, files map[string][]byte) error {
	tmp, err := os.MkdirTemp(filepath.Dir(filepath.Clean(dir)), ".tacheck-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	root, err := os.OpenRoot(tmp)
	if err != nil {
		return err
	}
	defer root.Close()
	out := folder{root}
	text, err := json.MarshalIndent(index, "", "  ")
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		err = errors.Join(err, out.write(name, files[name]))
	}
	if err := errors.Join(err, out.write(indexFile, append(text, '\n'))); err != nil {
		return err
	}
	sums, err := out.sums()
	if err != nil {
		return err
	}
	if err := errors.Join(out.write(sumsFile, []byte(sums)), os.Chmod(tmp, 0o755)); err != nil {
		return err
	}
	return os.Rename(tmp, dir)
}
