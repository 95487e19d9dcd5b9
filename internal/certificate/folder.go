package certificate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// maxFile bounds the files that are read.
const maxFile = 1 << 30

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
		return nil, fmt.Errorf("%s is no regular file", name)
	case info.Size() > maxFile:
		return nil, fmt.Errorf("%s is larger than %d bytes", name, maxFile)
	}
	return f.root.ReadFile(name)
}

// list returns the names of all files but the sums, sorted.
func (f folder) list() ([]string, error) {
	var names []string
	err := fs.WalkDir(f.root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() || name == sumsFile:
			return nil
		case !d.Type().IsRegular():
			return fmt.Errorf("%s is no regular file", name)
		}
		names = append(names, name)
		return nil
	})
	sort.Strings(names)
	return names, err
}

// sums returns the text of SHA256SUMS, in the format of the command sha256sum.
func (f folder) sums() (string, error) {
	names, err := f.list()
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
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
