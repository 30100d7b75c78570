package sqlite_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"boardorder/pkg/projection"
	"boardorder/pkg/projection/sqlite"
)

// BenchmarkFind looks for documents among a million, or as many as DOCUMENTS
// says, each with the terms of a quote. It reports how long the slowest of a
// hundred looks takes.
func BenchmarkFind(b *testing.B) {
	n := 1_000_000
	if text := os.Getenv("DOCUMENTS"); text != "" {
		n, _ = strconv.Atoi(text)
	}
	store, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "docs.db"))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = store.Close() })
	began := time.Now()
	var batch []projection.Document
	for i := range n {
		batch = append(batch, quoteLike(i))
		if len(batch) == 1000 || i == n-1 {
			if err := store.Put(b.Context(), batch...); err != nil {
				b.Fatal(err)
			}
			batch = batch[:0]
		}
	}
	b.Logf("%d documents in %v", n, time.Since(began).Round(time.Second))
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		one := quoteLike(i * 7919 % n)
		term := one.Terms[i%len(one.Terms)]
		prefix := term[:max(len(term)*2/3, 3)] // ids by their beginning; some fit many
		at := time.Now()
		found, err := store.Find(b.Context(), "quote", prefix, 50)
		took = append(took, time.Since(at))
		if err != nil || len(found) == 0 {
			b.Fatalf("Find(%q) = %d documents, %v", prefix, len(found), err)
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "max-ms")
}

func quoteLike(i int) projection.Document {
	id := fmt.Sprintf("%016x%016x", uint64(i)*0x9e3779b97f4a7c15, uint64(i)*0xc2b2ae3d27d4eb4f)
	name, family := fmt.Sprintf("given%d", i%5000), fmt.Sprintf("family%d", i%30011)
	body, _ := json.Marshal(map[string]any{"ref": id, "note": "a board of two layers, green, with lead-free HASL", "n": i})
	return projection.Document{Kind: "quote", ID: id, Seq: 1, At: time.Unix(int64(1_700_000_000+i), 0), Body: body, Keys: map[string]string{"account": "acc_1"},
		Terms: []string{id, fmt.Sprintf("req_%026d", i*31), name + " " + family, name, family, fmt.Sprintf("%s.%s@example%d.com", name, family, i%1000), fmt.Sprintf("project %d", i%90000)}}
}
