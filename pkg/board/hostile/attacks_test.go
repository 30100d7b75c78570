package hostile_test

import (
	"runtime/debug"
	"testing"

	"boardorder/pkg/board/hostile"
)

func TestAttacks(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	for _, a := range hostile.Attacks() {
		t.Run(a.Name, func(t *testing.T) {
			files := a.Files()
			debug.FreeOSMemory()
			watchHeap(t)
			out := work(t, files)
			t.Logf("%d boards, %q", out.boards, out.complex)
		})
	}
}
