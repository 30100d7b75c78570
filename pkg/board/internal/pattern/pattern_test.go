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
		t.Errorf("%p and %p, or not a+", first, again)
	}
	bad := pattern.Lazy(`(`)
	defer func() {
		if recover() == nil {
			t.Error("what is no expression was compiled")
		}
	}()
	bad()
}
