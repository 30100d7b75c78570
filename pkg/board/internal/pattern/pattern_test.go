package pattern_test

import (
	"testing"

	"boardorder/pkg/board/internal/pattern"
)

func TestLazy(t *testing.T) {
	t.Parallel()
	re := pattern.Lazy(`^a+$`)
	first := re()
	if again := re(); again != first || !first.MatchString("aa") || first.MatchString("ab") {
		t.Errorf("compiled %p, then %p, aa matches %v, ab %v; want it compiled once, true, false", first, again, first.MatchString("aa"), first.MatchString("ab"))
	}
	bad := pattern.Lazy(`(`)
	defer func() {
		if recover() == nil {
			t.Error("what is no expression was compiled")
		}
	}()
	bad()
}
