package memory_test

import (
	"testing"

	"github.com/plait-dev/plait/pkg/journal"
	"github.com/plait-dev/plait/pkg/journal/memory"
	"github.com/plait-dev/plait/pkg/journal/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(t *testing.T) journal.Store { return memory.New() })
}
