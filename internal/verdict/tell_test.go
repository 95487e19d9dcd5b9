package verdict_test

import (
	"strings"
	"testing"

	"github.com/tacheck/tacheck/internal/verdict"
)

func TestTell(t *testing.T) {
	if out, err := verdict.Tell(func() (string, error) { panic("no reasons") }); out != "" || err == nil || !strings.Contains(err.Error(), "no reasons") {
		t.Errorf("%v, %v", out, err)
	}
	if out, err := verdict.Tell(func() (string, error) { return "a reason", nil }); out != "a reason" || err != nil {
		t.Errorf("%v, %v", out, err)
	}
}
