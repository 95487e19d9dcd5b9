package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestAsking: tests ask themselves, by functions in other files and by methods, or not at all.
func TestAsking(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a_test.go": `package a
func TestDirect(t *testing.T) { t.Run("", func(t *testing.T) { need.Usual(t, "this") }) }
func TestFar(t *testing.T) { one(t) }
func TestMethod(t *testing.T) { var s subject; s.cases() }
func TestPeer(t *testing.T) { need.Peers(t, "spin") }
func TestPage(t *testing.T) { browse.Open(t, "", 1) }
func TestOther(t *testing.T) { need.All(t, "z3"); two() }
func TestMain(m *testing.M) { one(nil) }`,
		"b_test.go": `package a
func one(t *testing.T) { three(t) }
func two() {}
func three(t *testing.T) { _ = need.Every(t, 3) }
func (s *subject) cases() int { return need.Cases(s.t, 3) }`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	got, err := asking(dir)
	slices.Sort(got)
	if want := []string{"TestDirect", "TestFar", "TestMethod", "TestPage", "TestPeer"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
	if _, err := asking(t.TempDir()); err == nil {
		t.Error("a folder without tests is good")
	}
}
