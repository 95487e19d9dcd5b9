package ftdp

import (
	"crypto/sha256"
	"encoding/hex"
)

// Digest names the text.
func (f *File) Digest() string {
	sum := sha256.Sum256([]byte(f.Text()))
	return hex.EncodeToString(sum[:8])
}
