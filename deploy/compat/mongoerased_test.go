package compat_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/deploy/compat/peers"
	"boardorder/pkg/projection"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// TestMongoForgetsByRebuild holds what the handbook says of MongoDB's files: what a
// document no longer holds stays in its collection's free pages and in the log that the
// servers of a set replicate by. A rebuild makes the collections anew and has the files
// of those before removed, so that the log alone is left.
func TestMongoForgetsByRebuild(t *testing.T) {
	t.Parallel()
	// Compressed, a page does not show what it holds.
	set := peers.StartReplicaSet(t, "--wiredTigerCollectionBlockCompressor", "none", "--wiredTigerJournalCompressor", "none",
		"--setParameter", "minSnapshotHistoryWindowInSeconds=1") // five minutes otherwise
	root := set.Root(t)
	primary, err := set.Primary(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	const text = "ada.lovelace@analytical.example"
	rest := strings.Repeat("x", 30_000) // pages of its own
	docs := func(seq uint64, email string) (out []projection.Document) {
		for i := range 20 {
			out = append(out, projection.Document{Kind: "order", ID: fmt.Sprint(i), Seq: seq, At: time.Unix(1, 0).UTC(), Body: fmt.Appendf(nil, `{"email":%q,"rest":%q}`, email, rest)})
		}
		return out
	}
	checkpoint := func() {
		t.Helper()
		if err := root.Database("admin").RunCommand(t.Context(), bson.D{{Key: "fsync", Value: 1}}).Err(); err != nil {
			t.Fatal(err)
		}
	}
	store := openStore(t, set.URL("root", set.RootPassword, "admin", "forgetting"))
	for seq, email := range []string{text, "erased"} {
		if err := store.Put(t.Context(), docs(uint64(seq+1), email)...); err != nil {
			t.Fatal(err)
		}
		checkpoint()
	}
	replication := fileOf(t, root.Database("local").RunCommand(t.Context(), bson.D{{Key: "collStats", Value: "oplog.rs"}}))
	live := fileOf(t, root.Database("forgetting").RunCommand(t.Context(), bson.D{{Key: "collStats", Value: "g1.order"}}))
	if holding := filesHolding(t, primary.Data(), text); !slices.Contains(holding, replication) || !slices.Contains(holding, live) {
		t.Errorf("%v hold what was erased, want %s and %s among them: the handbook says less than is true", holding, replication, live)
	}
	fresh, err := store.Rebuild(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := fresh.Put(t.Context(), docs(2, "erased")...); err != nil {
		t.Fatal(err)
	}
	if err := fresh.Swap(t.Context()); err != nil {
		t.Fatal(err)
	}
	lasting := []string{replication, "WiredTigerHS.wt"} // and, until some checkpoints later, the journal
	var left []string
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); {
		checkpoint() // which the server makes once a minute
		left = slices.DeleteFunc(filesHolding(t, primary.Data(), text), func(name string) bool {
			return slices.Contains(lasting, name) || strings.HasPrefix(name, "journal/")
		})
		if len(left) == 0 {
			return
		}
		<-time.After(100 * time.Millisecond)
	}
	t.Errorf("after a rebuild %v still hold what was erased", left)
}

// fileOf is the file of a collection, by its statistics.
func fileOf(t *testing.T, stats interface{ Decode(any) error }) string {
	t.Helper()
	var s struct {
		WiredTiger struct{ URI string } `bson:"wiredTiger"`
	}
	if err := stats.Decode(&s); err != nil {
		t.Fatal(err)
	}
	return s.WiredTiger.URI[strings.LastIndexByte(s.WiredTiger.URI, ':')+1:] + ".wt"
}

// filesHolding names the files below a folder that hold a text.
func filesHolding(t *testing.T, dir, text string) (names []string) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // the server removes files while it runs
		}
		if data, err := os.ReadFile(path); err == nil && bytes.Contains(data, []byte(text)) {
			names = append(names, filepath.ToSlash(strings.TrimPrefix(path, dir+string(filepath.Separator))))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}
