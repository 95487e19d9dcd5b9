package cluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nkeys"
)

// TestCredentials: a server that wants credentials is reached with a file of them,
// and not without.
func TestCredentials(t *testing.T) {
	t.Parallel()
	pair := func(create func() (nkeys.KeyPair, error)) (nkeys.KeyPair, string) {
		k, err := create()
		if err != nil {
			t.Fatal(err)
		}
		public, err := k.PublicKey()
		if err != nil {
			t.Fatal(err)
		}
		return k, public
	}
	encoded := func(text string, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	operator, operatorID := pair(nkeys.CreateOperator)
	_, systemID := pair(nkeys.CreateAccount)
	account, accountID := pair(nkeys.CreateAccount)
	user, userID := pair(nkeys.CreateUser)
	claims := jwt.NewOperatorClaims(operatorID)
	claims.SystemAccount = systemID
	of := func(id string, storage int64) string {
		c := jwt.NewAccountClaims(id)
		c.Limits.DiskStorage, c.Limits.MemoryStorage, c.Limits.Streams, c.Limits.Consumer = storage, storage, storage, storage
		return encoded(c.Encode(operator))
	}
	address := configured(t, fmt.Sprintf("operator: %q\nresolver: MEMORY\nresolver_preload: { %s: %q, %s: %q }\n",
		encoded(claims.Encode(operator)), systemID, of(systemID, 0), accountID, of(accountID, -1)))
	seed, err := user.Seed()
	if err != nil {
		t.Fatal(err)
	}
	creds, err := jwt.FormatUserConfig(encoded(jwt.NewUserClaims(userID).Encode(account)), seed)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "worker.creds")
	if err := os.WriteFile(file, creds, 0o600); err != nil {
		t.Fatal(err)
	}
	o := Options{URL: "nats://" + address, Build: "test"}
	if _, err := Connect(context.Background(), o); err == nil {
		t.Error("nobody is let in without credentials")
	}
	o.Creds = file
	c, err := Connect(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.store(context.Background(), []byte("model")); err != nil {
		t.Error(err)
	}
}
