// Package record has what files that are read again are made of: integers in JSON that no reader rounds, and digests.
package record

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/big"
)

// Number is an integer in JSON: a number if every reader can hold it exactly, and a string of digits otherwise.
type Number struct{ big.Int }

// MarshalJSON implements json.Marshaler.
func (n *Number) MarshalJSON() ([]byte, error) {
	if n.BitLen() <= 53 {
		return []byte(n.String()), nil
	}
	return []byte(`"` + n.String() + `"`), nil
}

// UnmarshalJSON implements json.Unmarshaler.
func (n *Number) UnmarshalJSON(text []byte) error {
	digits := string(text)
	if len(digits) > 1 && digits[0] == '"' {
		digits = digits[1 : len(digits)-1]
	}
	if len(digits) > 1000 {
		return fmt.Errorf("number of %d digits", len(digits))
	}
	if _, ok := n.SetString(digits, 10); !ok {
		return fmt.Errorf("%s is not an integer", text)
	}
	return nil
}

// Digest returns the SHA-256 of a text, in hexadecimal digits.
func Digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
