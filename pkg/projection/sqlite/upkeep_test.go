package sqlite

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/projection"
)

func openStore(t *testing.T) *Store {
	t.Helper()
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "p.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func document(n int, body string) projection.Document {
	return projection.Document{
		Kind: "quote", ID: fmt.Sprint("q", n), Seq: 1, At: time.Unix(int64(n), 0).UTC(), Body: []byte(body),
		Keys: map[string]string{"account": "acc_1", "status": "new"},
	}
}

// rows counts what lies in a table, also what is not given out.
func rows(t *testing.T, s *Store, table string) (n int) {
	t.Helper()
	err := s.write.use(t.Context(), func(c *connection) error {
		return c.row(t.Context(), `SELECT count(*) FROM `+table, nil, &n)
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestExpire: what left long ago goes with everything that leads to it, more
// than one transaction's worth; what left just now stays for the retention.
func TestExpire(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	now := time.Now()
	docs := make([]projection.Document, 2*expireAtOnce+5)
	for i := range docs {
		docs[i] = document(i, `{}`)
		docs[i].Until = now.Add(-projection.Retention - time.Minute)
	}
	docs[0].Until, docs[1].Until, docs[2].Until = time.Time{}, now.Add(time.Hour), now.Add(-time.Minute)
	if err := s.Put(t.Context(), docs...); err != nil {
		t.Fatal(err)
	}
	if err := s.expire(t.Context(), now); err != nil {
		t.Fatal(err)
	}
	for table, want := range map[string]int{"document": 3, "place": 3, "list": 9} {
		if n := rows(t, s, table); n != want {
			t.Errorf("%d rows are left in %s, want %d", n, table, want)
		}
	}
	// A later version of one that is gone comes back, an older one does not.
	back := docs[3]
	back.Seq, back.Until = 2, time.Time{}
	older := docs[2]
	older.Until = time.Time{}
	if err := s.Put(t.Context(), back, older); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Get(t.Context(), "quote", "q3"); err != nil {
		t.Errorf("Get of a newer version = %v", err)
	}
	if n, err := s.Count(t.Context(), "quote", "", ""); n != 3 || err != nil {
		t.Errorf("Count = %d, %v; want 3", n, err)
	}
}

// TestCheckpoint: the log begins anew once it is long, so that it does not grow
// with what is written.
func TestCheckpoint(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	s.upkeep.end() // this test does it at times of its own
	random := rand.New(rand.NewPCG(1, 2))
	fill := func() int64 {
		docs := make([]projection.Document, 100)
		for n := 0; n < longLog*2/3; n += len(docs) {
			for i := range docs {
				docs[i] = document(random.IntN(1e9), `"`+noise(random, 6000)+`"`)
			}
			if err := s.Put(t.Context(), docs...); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.checkpoint(t.Context()); err != nil {
			t.Fatal(err)
		}
		log, err := os.Stat(s.path + "-wal")
		if err != nil {
			t.Fatal(err)
		}
		return log.Size()
	}
	first := fill()
	if first < longLog*4096 {
		t.Fatalf("the log has %d bytes, want %d at least to begin anew", first, longLog*4096)
	}
	if second := fill(); second >= 2*first {
		t.Errorf("the log has %d bytes, want less than twice the %d of the first time", second, first)
	}
}

// noise is text that cannot be compressed to less than three quarters.
func noise(random *rand.Rand, n int) string {
	raw := make([]byte, n*3/4)
	for i := range raw {
		raw[i] = byte(random.Uint32())
	}
	return base64.StdEncoding.EncodeToString(raw)
}

// TestStatesOfOneKindAreSmall: a state takes a fraction of its length beside
// others of its kind, is read by other processes, and survives a rebuild.
func TestStatesOfOneKindAreSmall(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	random := rand.New(rand.NewPCG(1, 2))
	fields := make([]string, 200)
	for i := range fields {
		fields[i] = hex.EncodeToString([]byte(noise(random, 12)))
	}
	docs := make([]projection.Document, 50)
	for i := range docs {
		members := make([]string, len(fields))
		for n, name := range fields {
			members[n] = fmt.Sprintf(`%q:%d`, name, i)
		}
		docs[i] = document(i, "{"+strings.Join(members, ",")+"}")
	}
	other, err := Open(t.Context(), s.path)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	// One after another from two processes: which of them makes the dictionary
	// does not matter.
	for i, d := range docs {
		if err := []*Store{s, other}[i%2].Put(t.Context(), d); err != nil {
			t.Fatal(err)
		}
	}
	fresh, err := s.Rebuild(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(fresh.Put(t.Context(), docs...), fresh.Swap(t.Context())); err != nil {
		t.Fatal(err)
	}
	for _, store := range []*Store{s, other} {
		got, _, err := store.List(t.Context(), "quote", "", "", projection.Page{Limit: 100})
		slices.Reverse(got)
		if diff := cmp.Diff(docs, got); diff != "" || err != nil {
			t.Errorf("List = %v, differs (-want +got):\n%s", err, diff)
		}
	}
	var bytes int
	err = s.write.use(t.Context(), func(c *connection) error {
		return c.row(t.Context(), `SELECT sum(length(body)) FROM document`, nil, &bytes)
	})
	if most := len(docs) * len(docs[0].Body) / 5; bytes > most || err != nil {
		t.Errorf("%d states take %d bytes, %v; want at most %d", len(docs), bytes, err, most)
	}
	if n := rows(t, s, "document"); n != len(docs) {
		t.Errorf("%d documents are stored after the rebuild, want %d", n, len(docs))
	}
}

func TestOutline(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"email":"ada@example.com","cents":-12.5e+3,"paid":true,"at":null}`:         `{"email":"","cents":0,"paid":true,"at":null}`,
		`{"lines":[{"line_1":"1 \"Main\" St","n":[1,2]},"\\"]}`:                      `{"lines":[{"line_1":"","n":[0,0]},""]}`,
		`{"ada@example.com":1,"Ada":2,"ada lovelace":3,"e\u0041":4,"street":" a:b"}`: `{"":0,"":0,"":0,"":0,"street":""}`,
		`"ada@example.com"`: `""`, `78701`: `0`, `"cut off`: `""`, `"cut off\`: `""`, ``: ``,
	} {
		if got := string(outline([]byte(body))); got != want {
			t.Errorf("outline of %s is %s, want %s", body, got, want)
		}
	}
}

// TestFailedPut: the dictionary of a transaction that fails is not used by the
// next one.
func TestFailedPut(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	long := document(1, `"`+noise(rand.New(rand.NewPCG(1, 2)), 3000)+`"`)
	failure := errors.New("made to fail")
	err := s.change(t.Context(), func(ctx context.Context, c *connection) error {
		w := writer{ctx: ctx, connection: c, packers: s.packers, gen: 1}
		return errors.Join(w.write(long), failure)
	})
	if !errors.Is(err, failure) {
		t.Fatal(err)
	}
	other := long
	other.ID, other.Body = "other", []byte(`"`+noise(rand.New(rand.NewPCG(3, 4)), 3000)+`"`)
	if err := s.Put(t.Context(), other, long); err != nil {
		t.Fatal(err)
	}
	for _, want := range []projection.Document{other, long} {
		got, err := s.Get(t.Context(), want.Kind, want.ID)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("Get = %v, differs (-want +got):\n%s", err, diff)
		}
	}
}

// TestErasedIsGoneFromTheFiles: neither the file nor its log holds a byte of what a
// document was before it was replaced or removed, once the log was emptied.
func TestErasedIsGoneFromTheFiles(t *testing.T) {
	t.Parallel()
	s := openStore(t)
	s.upkeep.end() // this test does it at times of its own
	const address = "ada.lovelace@analytical.example"
	var replaced, removed []projection.Document
	for i := range 300 {
		// Long enough to be compressed, where nobody would find the address in it but in
		// what it is compressed with.
		d := document(i, fmt.Sprintf(`{"email":"%s","n":%d,"note":"%s"}`, address, i, noise(rand.New(rand.NewPCG(1, uint64(i))), compressible)))
		d.Keys["email"] = address
		if err := s.Put(t.Context(), d); err != nil {
			t.Fatal(err)
		}
		d.Seq = 2
		if i%2 == 0 {
			d.Until = time.Now()
			removed = append(removed, d)
			continue
		}
		d.Body, d.Keys = []byte(`{}`), map[string]string{"account": "acc_1"}
		replaced = append(replaced, d)
	}
	holding := func() (files []string) {
		t.Helper()
		found, err := filepath.Glob(s.path + "*")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range found {
			if data, err := os.ReadFile(name); err != nil {
				t.Fatal(err)
			} else if bytes.Contains(data, []byte(address)) {
				files = append(files, filepath.Base(name))
			}
		}
		return files
	}
	if err := s.emptyLog(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(holding()) == 0 {
		t.Fatal("no file holds the address in the first place")
	}
	if err := s.Put(t.Context(), append(replaced, removed...)...); err != nil {
		t.Fatal(err)
	}
	if err := s.expire(t.Context(), time.Now().Add(2*projection.Retention)); err != nil {
		t.Fatal(err)
	}
	if err := s.emptyLog(t.Context()); err != nil {
		t.Fatal(err)
	}
	if files := holding(); len(files) > 0 {
		t.Errorf("%q is still in %v", address, files)
	}
}
