package certificate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"

	"github.com/tacheck/tacheck/internal/record"
)

// maxFile bounds the files that are read.
const maxFile = 1 << 30

// maxEntries bounds how many files and folders are looked at, maxDepth how deep they stand: those of a certificate do
// three deep.
const (
	maxEntries = 100_000
	maxDepth   = 10
)

// folder is a certificate on disk. All access goes through os.Root, which does
// not leave the folder whatever names and links there are.
type folder struct{ root *os.Root }

func (f folder) write(name string, text []byte) error {
	if err := f.root.MkdirAll(filepath.ToSlash(filepath.Dir(name)), 0o777); err != nil {
		return err
	}
	return f.root.WriteFile(name, text, 0o666)
}

func (f folder) read(name string) ([]byte, error) {
	info, err := f.root.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%q is no regular file", name)
	case info.Size() > maxFile:
		return nil, tooLarge(name)
	}
	file, err := f.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxFile+1))
	if err == nil && len(text) > maxFile {
		err = tooLarge(name)
	}
	return text, err
}

// size is how large a file says that it is.
func size(d fs.DirEntry) int64 {
	info, err := d.Info()
	if err != nil {
		return 0
	}
	return info.Size()
}

func tooLarge(name string) error { return fmt.Errorf("%q is larger than %d bytes", name, maxFile) }

// list returns the names of all files but the sums, sorted, and the folders.
func (f folder) list() (names, folders []string, err error) {
	err = fs.WalkDir(f.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case len(names)+len(folders) > maxEntries:
			return fmt.Errorf("there are more than %d files", maxEntries)
		case strings.Count(name, "/") >= maxDepth:
			return fmt.Errorf("folders stand more than %d deep", maxDepth)
		case d.IsDir() && name == ".":
		case d.IsDir():
			folders = append(folders, name)
		case !d.Type().IsRegular():
			return fmt.Errorf("%q is no regular file", name)
		case size(d) > maxFile:
			return tooLarge(name)
		case name != sumsFile:
			names = append(names, name)
		}
		return nil
	})
	sort.Strings(names)
	return names, folders, err
}

// only checks that there are these files, and nothing else.
func (f folder) only(known map[string]bool) error {
	names, folders, err := f.list()
	if err != nil {
		return err
	}
	needed := map[string]bool{}
	for name := range known {
		for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
			needed[dir] = true
		}
		if !slices.Contains(names, name) {
			return fmt.Errorf("%q is missing", name)
		}
	}
	for _, name := range names {
		if !known[name] {
			return fmt.Errorf("%q does not belong to the certificate", name)
		}
	}
	for _, name := range folders {
		if !needed[name] {
			return fmt.Errorf("the folder %q does not belong to the certificate", name)
		}
	}
	return nil
}

// sums returns the text of SHA256SUMS, in the format of the command sha256sum.
func (f folder) sums() (string, error) {
	names, _, err := f.list()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, name := range names {
		sum, err := f.sum(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%s  %s\n", sum, name)
	}
	return b.String(), nil
}

func (f folder) sum(name string) (string, error) {
	file, err := f.root.Open(name)
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	if n, err := io.Copy(h, io.LimitReader(file, maxFile+1)); err != nil || n > maxFile {
		return "", errors.Join(err, tooLarge(name))
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// sealed is a folder whose files have to be as SHA256SUMS says whenever they are read.
type sealed struct {
	folder
	sums map[string]string
}

// null is a list that is not there. Of sizes it is how none are written, and proofs without fixpoints may have it.
var null = regexp.MustCompile(`(?m)^\s*("(states|at|shown|many|lemmas|confirmed|properties|constants|questions|specs)": )?null,?$`)

// index reads the index strictly, to the byte.
func (in *sealed) index(into any) error {
	text, err := in.folder.read(indexFile)
	if err != nil {
		return rejected("%v", err)
	}
	if err := record.Read(text, into); err != nil {
		return rejected("%s: %v", indexFile, err)
	}
	again, err := json.MarshalIndent(into, "", "  ")
	if err != nil {
		return err
	}
	if !bytes.Equal(text, append(again, '\n')) || null.Match(text) {
		return rejected("%s is not written as it should be", indexFile)
	}
	return nil
}

// seal checks that there are these files and no others, as the sums say.
func (in *sealed) seal(known map[string]bool) error {
	recorded, err := in.folder.read(sumsFile)
	if err != nil {
		return rejected("%v", err)
	}
	if err := in.only(known); err != nil {
		return rejected("%v", err)
	}
	sums, err := in.folder.sums()
	if err != nil {
		return rejected("%v", err)
	}
	if sums != string(recorded) {
		return rejected("%s", difference(sums, string(recorded)))
	}
	in.sums = map[string]string{}
	for line := range strings.Lines(sums) {
		sum, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "  ")
		in.sums[name] = sum
	}
	return nil
}

// read reads a file that is sealed.
func (in *sealed) read(name string) ([]byte, error) {
	text, err := in.folder.read(name)
	if err == nil && digest(text) != in.sums[name] {
		err = fmt.Errorf("%q changes while it is checked", name)
	}
	if err != nil {
		return nil, rejected("%v", err)
	}
	return text, nil
}

// difference says which file does not have its recorded sum.
func difference(sums, recorded string) string {
	now := map[string]bool{}
	for line := range strings.Lines(sums) {
		now[line] = true
	}
	for line := range strings.Lines(recorded) {
		if !now[line] {
			_, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
			return fmt.Sprintf("%q is not as it was when the certificate was made", name)
		}
	}
	return sumsFile + " does not list the files that there are"
}

// begin reads the index of a certificate, and checks that there are its files and no others.
func (in *sealed) begin(index any, files ...string) error {
	if _, err := in.folder.read(sumsFile); err != nil {
		return rejected("%v", err)
	}
	if err := in.index(index); err != nil {
		return err
	}
	known := map[string]bool{indexFile: true}
	for _, name := range files {
		known[name] = true
	}
	return in.seal(known)
}

// writeFolder writes a certificate, with its index and its sums, whole or not at all.
func writeFolder(dir string, index any, files map[string][]byte) error {
	return wholly(dir, func(out folder) error {
		for _, name := range slices.Sorted(maps.Keys(files)) {
			if err := out.write(name, files[name]); err != nil {
				return err
			}
		}
		return out.finish(index)
	})
}

// finish writes the index, and the sums of all.
func (f folder) finish(index any) error {
	text, err := json.MarshalIndent(index, "", "  ")
	if err != nil {
		return err
	}
	if err := f.write(indexFile, append(text, '\n')); err != nil {
		return err
	}
	sums, err := f.sums()
	if err != nil {
		return err
	}
	return f.write(sumsFile, []byte(sums))
}

// wholly has a folder filled beside the place where it is to be, and moves it there: it is there with all, or not at
// all.
func wholly(dir string, fill func(folder) error) error {
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
	if err := fill(folder{root}); err != nil {
		return err
	}
	if err := os.Chmod(tmp, 0o755); err != nil {
		return err
	}
	return os.Rename(tmp, dir)
}
