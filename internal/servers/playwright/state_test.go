package playwright

// When storage is saved after a look.

import (
	"strings"
	"testing"
	"time"
)

// A look that shows something else than the one before has the storage saved; one
// that shows the same has not.
func TestLookArmsSaving(t *testing.T) {
	for _, settings := range [][]string{nil, {"PLAYGUARD_COMPACT=false"}, {"PLAYGUARD_DELTA=false"}} {
		s := newSession(t, settings...)
		other := strings.Replace(tree, "Welcome", "Goodbye", 1)
		renamed := strings.Replace(inline(other), "Page Title: Shop", "Page Title: (1) Shop", 1)
		for i, step := range []struct {
			answer string
			armed  bool
		}{
			{inline(tree), true}, {inline(tree), false}, {inline(other), true}, {inline(other), false},
			{renamed, true}, {renamed, false}, {strings.Replace(renamed, "shop.test/", "shop.test/cart", 1), true},
		} {
			s.clock = s.clock.Add(time.Minute)
			s.answers(result(step.answer)).call(snapshotTool, `{}`)
			v := s.row.recovery
			if armed := v.news.Swap(false); armed != step.armed || armed != (len(v.touched) > 0) {
				t.Errorf("with %q after look %d the saving is armed: %t", settings, i, armed)
			}
			select {
			case <-v.touched:
			default:
			}
		}
	}
}
