package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"boardorder/pkg/projection"
	"boardorder/pkg/projection/sqlite"
)

// TestLocked: while another process holds the file, a Put ends with its context
// and says why; afterwards the same store works.
func TestLocked(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "p.db")
	store := open(t, path)
	defer store.Close()
	other, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	other.SetMaxOpenConns(1)
	if _, err := other.ExecContext(t.Context(), "BEGIN IMMEDIATE"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	err = store.Put(ctx, state(0))
	if !errors.Is(err, projection.ErrUnavailable) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Put while the file is locked = %v, want that it is unavailable and late", err)
	}
	if _, err := store.Get(t.Context(), "quote", "q0"); !errors.Is(err, projection.ErrNotFound) {
		t.Errorf("Get while the file is locked = %v, want not found", err)
	}
	if _, err := other.ExecContext(t.Context(), "ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if err := store.Put(t.Context(), state(0)); err != nil {
		t.Errorf("Put afterwards = %v", err)
	}
}

// TestFull: without space a Put is refused as a whole and says so; with space
// again the same store works.
func TestFull(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "p.db")
	store := open(t, path)
	defer store.Close()
	if err := store.Put(t.Context(), state(1)); err != nil {
		t.Fatal(err)
	}
	sqlite.LimitPages(t, store, 1)
	err := store.Put(t.Context(), big("a"), big("b"))
	if !errors.Is(err, projection.ErrUnavailable) {
		t.Errorf("Put without space = %v, want that it is unavailable", err)
	}
	if n, err := store.Count(t.Context(), "quote", "", ""); n != 1 || err != nil {
		t.Errorf("Count = %d, %v; want 1", n, err)
	}
	sqlite.LimitPages(t, store, 1<<30)
	if err := store.Put(t.Context(), big("a"), big("b")); err != nil {
		t.Errorf("Put with space again = %v", err)
	}
	intact(t, path)
}

// big is a document that compression does not make small.
func big(id string) projection.Document {
	d := state(1)
	random := rand.New(rand.NewPCG(1, 2))
	d.ID, d.Body = id, []byte(`"`)
	for range 1 << 20 {
		d.Body = append(d.Body, 'a'+byte(random.IntN(26)))
	}
	d.Body = append(d.Body, '"')
	return d
}

// TestNoFolder: what cannot be opened now may be opened later.
func TestNoFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "p.db"), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := sqlite.Open(t.Context(), filepath.Join(dir, "p.db")); !errors.Is(err, projection.ErrUnavailable) {
		t.Errorf("Open of a folder = %v, want that it is unavailable", err)
	}
}

// TestPutAtItsDeadline: where the context of a Put ends in the moment in which its
// transaction begins, none stays begun, and the same store goes on.
func TestPutAtItsDeadline(t *testing.T) {
	t.Parallel()
	store := open(t, filepath.Join(t.TempDir(), "p.db"))
	defer store.Close()
	for i := range 5000 {
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%250)*time.Microsecond)
		err := store.Put(ctx, state(0))
		cancel()
		if err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Fatalf("round %d: Put = %v", i, err)
		}
	}
	if err := store.Put(t.Context(), state(0)); err != nil {
		t.Errorf("Put afterwards = %v", err)
	}
}
