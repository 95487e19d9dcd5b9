package verify

import (
	"testing"

	"go.uber.org/goleak"
)

// TestMain fails if tests leave a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }
