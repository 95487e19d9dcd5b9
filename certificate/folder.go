package certificate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sort"
	"strings"
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
