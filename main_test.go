package pare_test

import (
	"os"
	"testing"

	"github.com/parequet/pare/internal/membuf"
)

// TestMain overwrites memory that is given back: a batch, a plan or an estimate
// that still looks at it shows wrong values.
func TestMain(m *testing.M) {
	membuf.Poison = true
	os.Exit(m.Run())
}
