package cluster

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/tacheck/tacheck/cluster/hub"
)

// authority makes certificates, as files.
type authority struct {
	t    *testing.T
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T) *authority {
	a := &authority{t: t, dir: t.TempDir()}
	a.issue("ca")
	return a
}

// issue makes a certificate and its key: the files NAME.pem and NAME.key.
func (a *authority) issue(name string) (cert, key string) {
	a.t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		a.t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		IsCA: name == "ca", BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign}
	if a.cert == nil {
		a.cert, a.key = template, private
	}
	text, err := x509.CreateCertificate(rand.Reader, template, a.cert, &private.PublicKey, a.key)
	if err != nil {
		a.t.Fatal(err)
	}
	secret, err := x509.MarshalECPrivateKey(private)
	if err != nil {
		a.t.Fatal(err)
	}
	write := func(ending, kind string, data []byte) string {
		file := filepath.Join(a.dir, name+ending)
		if err := os.WriteFile(file, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}), 0o600); err != nil {
			a.t.Fatal(err)
		}
		return file
	}
	return write(".pem", "CERTIFICATE", text), write(".key", "EC PRIVATE KEY", secret)
}

// configured starts a server with more of a configuration, for a test, and returns
// its address.
func configured(t *testing.T, more string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "hub.conf")
	text := fmt.Sprintf("listen: \"127.0.0.1:-1\"\njetstream { store_dir: %q }\n%s", t.TempDir(), more)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := hub.Start(hub.Options{Config: file})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	return s.Addr().String()
}

// TestTLS: a server with TLS is reached by those who know its authority and show a
// certificate, and by no others.
func TestTLS(t *testing.T) {
	t.Parallel()
	a := newAuthority(t)
	cert, key := a.issue("server")
	address := configured(t, fmt.Sprintf("tls { cert_file: %q, key_file: %q, ca_file: %q, verify: true }\nauthorization { token: \"secret\" }\n",
		cert, key, filepath.Join(a.dir, "ca.pem")))
	mine, mineKey := a.issue("client")
	other := newAuthority(t)
	foreign, foreignKey := other.issue("client")
	ca := filepath.Join(a.dir, "ca.pem")
	for _, c := range []struct {
		name string
		o    Options
		ok   bool
	}{
		{"all is well", Options{URL: "tls://secret@" + address, CA: ca, Cert: mine, Key: mineKey}, true},
		{"no certificate", Options{URL: "tls://secret@" + address, CA: ca}, false},
		{"a certificate of somebody else", Options{URL: "tls://secret@" + address, CA: ca, Cert: foreign, Key: foreignKey}, false},
		{"an authority that is not the server's", Options{URL: "tls://secret@" + address, CA: filepath.Join(other.dir, "ca.pem"), Cert: mine, Key: mineKey}, false},
		{"no authority", Options{URL: "tls://secret@" + address, Cert: mine, Key: mineKey}, false},
		{"another token", Options{URL: "tls://guess@" + address, CA: ca, Cert: mine, Key: mineKey}, false},
		{"no such file", Options{URL: "tls://secret@" + address, CA: "missing.pem"}, false},
		{"no such credentials", Options{URL: "tls://secret@" + address, CA: ca, Cert: mine, Key: mineKey, Creds: "missing.creds"}, false},
	} {
		c.o.Build = "test"
		client, err := Connect(context.Background(), c.o)
		if (err == nil) != c.ok {
			t.Errorf("%s: %v", c.name, err)
		}
		if err == nil {
			if _, err := client.store(context.Background(), []byte("model")); err != nil {
				t.Error(err)
			}
			client.Close()
		}
	}
}
