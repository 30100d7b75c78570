package ledger_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"boardorder/deploy/simulator/ledger"

	"github.com/google/go-cmp/cmp"
)

type entry struct {
	N    int    `json:"n"`
	Text string `json:"text,omitempty"`
}

func open(t *testing.T, path string) (*ledger.Ledger[entry], []entry) {
	t.Helper()
	var got []entry
	b, err := ledger.Open(path, func(e entry) error { got = append(got, e); return nil })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b, got
}

func TestBookIsReadBack(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "deep", "ledger.jsonl")
	b, got := open(t, path)
	if len(got) != 0 {
		t.Fatalf("a new ledger holds %v, want nothing", got)
	}
	want := []entry{{1, "one\nline"}, {2, ""}, {3, "é"}}
	for _, e := range want {
		if err := b.Append(e); err != nil {
			t.Fatal(err)
		}
	}
	_, got = open(t, path)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("read back (-want +got):\n%s", diff)
	}
}

func TestTornTailIsCutOff(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.jsonl")
	if err := os.WriteFile(path, []byte("{\"n\":1}\n{\"n\":2,\"te"), 0o600); err != nil {
		t.Fatal(err)
	}
	b, got := open(t, path)
	if diff := cmp.Diff([]entry{{N: 1}}, got); diff != "" {
		t.Fatalf("torn ledger (-want +got):\n%s", diff)
	}
	if err := b.Append(entry{N: 3}); err != nil {
		t.Fatal(err)
	}
	_, got = open(t, path)
	if diff := cmp.Diff([]entry{{N: 1}, {N: 3}}, got); diff != "" {
		t.Errorf("mended ledger (-want +got):\n%s", diff)
	}
}

func TestBrokenMiddleIsAnError(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.jsonl")
	if err := os.WriteFile(path, []byte("{\"n\":1}\n{broken\n{\"n\":2}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := ledger.Open(path, func(entry) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("open a broken ledger: %v, want an error that names line 2", err)
	}
}

func TestConcurrentAppendsAreWholeLines(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger.jsonl")
	b, _ := open(t, path)
	var wg sync.WaitGroup
	for n := range 20 {
		wg.Go(func() {
			if err := b.Append(entry{N: n, Text: strings.Repeat("x", 500)}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	_, got := open(t, path)
	seen := map[int]bool{}
	for _, e := range got {
		seen[e.N] = true
	}
	if len(got) != 20 || len(seen) != 20 {
		t.Errorf("read %d entries, %d different; want 20", len(got), len(seen))
	}
}

func TestClosedBookRefuses(t *testing.T) {
	t.Parallel()
	b, _ := open(t, filepath.Join(t.TempDir(), "ledger.jsonl"))
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
	if err := b.Append(entry{N: 1}); err == nil {
		t.Error("a closed ledger took an entry")
	}
}
