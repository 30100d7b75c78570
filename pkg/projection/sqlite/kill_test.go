package sqlite_test

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/projection"
	"boardorder/pkg/projection/sqlite"
)

// victim names the file that this process writes to until it is killed.
const victim = "PROJECTION_KILLED"

func TestMain(m *testing.M) {
	if path := os.Getenv(victim); path != "" {
		fmt.Fprintln(os.Stderr, writeUntilKilled(path))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// state is a document that is compressed and changes its keys.
func state(n int) projection.Document {
	return projection.Document{
		Kind: "quote", ID: fmt.Sprint("q", n/2), Seq: uint64(n%2 + 1), At: time.Unix(int64(n/2), 0).UTC(),
		Keys: map[string]string{"status": fmt.Sprint("s", n%2)},
		Body: json.RawMessage(fmt.Sprintf(`{"n":%d,"text":%q}`, n, strings.Repeat("like the others ", 100))),
	}
}

// writeUntilKilled puts states, in the middle of a rebuild, and prints the
// number of each that is put.
func writeUntilKilled(path string) error {
	ctx := context.Background()
	store, err := sqlite.Open(ctx, path)
	if err != nil {
		return err
	}
	var fresh projection.Fresh
	for n := 0; ; n++ {
		if n == 100 {
			if fresh, err = store.Rebuild(ctx); err != nil {
				return err
			}
		}
		if err := store.Put(ctx, state(n)); err != nil {
			return err
		}
		if fresh != nil {
			if err := fresh.Put(ctx, state(n-100)); err != nil {
				return err
			}
		}
		fmt.Println(n)
	}
}

// TestKilled: after kill -9 in the middle of writes and of a rebuild the file
// is whole, has what was put, and can be rebuilt at once.
func TestKilled(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "p.db")
	last := kill(t, path, 400)
	intact(t, path)

	store := open(t, path)
	defer store.Close()
	for n := range (last + 1) / 2 {
		want := state(2*n + 1)
		got, err := store.Get(t.Context(), want.Kind, want.ID)
		if err != nil || got.Seq != want.Seq || string(got.Body) != string(want.Body) {
			t.Fatalf("Get(%s) = %d, %v; want %d", want.ID, got.Seq, err, want.Seq)
		}
	}
	fresh, err := store.Rebuild(t.Context())
	if err != nil {
		t.Fatalf("Rebuild after a crash = %v", err)
	}
	if n, err := fresh.Count(t.Context(), "quote", "", ""); n != 0 || err != nil {
		t.Errorf("a new rebuild has %d documents, %v; want none of the one before", n, err)
	}
	if err := fresh.Put(t.Context(), state(1)); err != nil {
		t.Fatal(err)
	}
	if err := fresh.Swap(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, err := store.Count(t.Context(), "quote", "status", "s1"); n != 1 || err != nil {
		t.Errorf("Count = %d, %v; want 1", n, err)
	}
	intact(t, path)
}

// kill starts the victim, kills it after some puts, and returns the last one
// that it reported.
func kill(t *testing.T, path string, after int) (last int) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), victim+"="+path)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if last, err = strconv.Atoi(lines.Text()); err != nil {
			break // the last line may be cut off
		}
		if last == after {
			_ = cmd.Process.Kill()
		}
	}
	_ = cmd.Wait() // it was killed
	if last < after {
		t.Fatalf("the victim ended after %d puts, want %d at least", last, after)
	}
	return last
}

// intact has SQLite check the whole file.
func intact(t *testing.T, path string) {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var result string
	if err := db.QueryRowContext(t.Context(), "PRAGMA integrity_check").Scan(&result); err != nil || result != "ok" {
		t.Errorf("integrity_check = %q, %v", result, err)
	}
}
