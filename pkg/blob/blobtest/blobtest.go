// Package blobtest is the suite that every blob store passes.
package blobtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/blob"
)

// A Backend makes an empty place for blobs and returns what opens a store on
// it: each call another store, as another process would.
type Backend func(t *testing.T) (open func() blob.Store)

// Features say what a backend cannot do that others can.
type Features struct {
	// Tree is set where keys are paths in a tree of files: no key can be a
	// folder of another, and a folder that empties may vanish under a Put.
	Tree bool
}

// Run tests the stores of a backend.
func Run(t *testing.T, backend Backend, features Features) {
	t.Helper()
	s := suite{backend: backend, features: features, keys: nestedKeys}
	if features.Tree {
		s.keys = slices.DeleteFunc(slices.Clone(nestedKeys), func(key string) bool { return key == "a" || key == "a/b" || key == "b" })
	}
	for _, test := range []struct {
		name string
		run  func(t *testing.T)
	}{
		{"round trip", s.roundTrip},
		{"info", s.info},
		{"replace", s.replace},
		{"not found", s.absentKeys},
		{"failing reader", s.failingReader},
		{"wrong size", s.wrongSize},
		{"refused keys", s.invalidKeys},
		{"delete", s.remove},
		{"list", s.list},
		{"list stops", s.listStops},
		{"nested keys", s.prefixKeys},
		{"concurrent replacement", s.concurrent},
		{"concurrent neighbours", s.neighbours},
		{"ended context", s.contextEnd},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t)
		})
	}
}

type suite struct {
	backend  Backend
	features Features
	keys     []string
}

// onlyReader hides what else a reader can do.
type onlyReader struct{ io.Reader }

// noise is content that does not compress or repeat.
func noise(size int) []byte {
	data := make([]byte, size)
	_, _ = rand.NewChaCha8([32]byte{byte(size)}).Read(data) // never fails
	return data
}

func put(t *testing.T, s blob.Store, key string, data []byte) {
	t.Helper()
	if _, err := s.Put(t.Context(), key, onlyReader{bytes.NewReader(data)}, int64(len(data)), ""); err != nil {
		t.Fatalf("Put(%q) = %v", key, err)
	}
}

func read(t *testing.T, s blob.Store, key string) (data []byte, info blob.Info, err error) {
	t.Helper()
	r, info, err := s.Get(t.Context(), key)
	if err != nil {
		return nil, info, err
	}
	data, err = io.ReadAll(r)
	return data, info, errors.Join(err, r.Close())
}

func wantContent(t *testing.T, s blob.Store, key string, want []byte) {
	t.Helper()
	got, info, err := read(t, s, key)
	if err != nil || !bytes.Equal(got, want) || info.Size != int64(len(want)) || info.Key != key {
		t.Errorf("Get(%q) = %d bytes, %+v, %v; want the %d that were put", key, len(got), info, err, len(want))
	}
}

func wantMissing(t *testing.T, s blob.Store, key string) {
	t.Helper()
	if _, _, err := s.Get(t.Context(), key); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("Get(%q) = %v, want ErrNotFound", key, err)
	}
	if _, err := s.Stat(t.Context(), key); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("Stat(%q) = %v, want ErrNotFound", key, err)
	}
}

func wantKeys(t *testing.T, s blob.Store, prefix string, want ...string) {
	t.Helper()
	got := []string{}
	for info, err := range s.List(t.Context(), prefix) {
		if err != nil {
			t.Fatalf("List(%q) = %v", prefix, err)
		}
		got = append(got, info.Key)
	}
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
		t.Errorf("List(%q) differs (-want +got):\n%s", prefix, diff)
	}
}

func (s suite) roundTrip(t *testing.T) {
	store := s.backend(t)()
	for i, size := range []int{0, 1, 1000, 64<<10 - 1, 64 << 10, 64<<10 + 1, 6<<20 + 7} {
		data := noise(size)
		for name, open := range map[string]func() (io.Reader, int64){
			"sized":      func() (io.Reader, int64) { return onlyReader{bytes.NewReader(data)}, int64(size) },
			"unsized":    func() (io.Reader, int64) { return onlyReader{bytes.NewReader(data)}, -1 },
			"seekable":   func() (io.Reader, int64) { return bytes.NewReader(data), -1 },
			"data-error": func() (io.Reader, int64) { return iotest.DataErrReader(bytes.NewReader(data)), int64(size) },
		} {
			key := fmt.Sprintf("sizes/%d/%s", i, name)
			r, announced := open()
			info, err := store.Put(t.Context(), key, r, announced, "application/zip")
			if err != nil || info.Size != int64(size) || info.Key != key || info.ContentType != "application/zip" {
				t.Errorf("Put(%q) = %+v, %v; want size %d", key, info, err, size)
			}
			wantContent(t, store, key, data)
		}
	}
	moved := bytes.NewReader([]byte("skipped content"))
	if _, err := moved.Seek(8, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Put(t.Context(), "moved", moved, -1, ""); err != nil {
		t.Errorf("Put of a reader that is not at its start = %v", err)
	}
	wantContent(t, store, "moved", []byte("content"))
}

func (s suite) info(t *testing.T) {
	open := s.backend(t)
	store, neighbour := open(), open()
	began := time.Now().Add(-2 * time.Second)
	for given, want := range map[string]string{"": blob.DefaultContentType, "image/png": "image/png", "text/plain; charset=utf-8": "text/plain; charset=utf-8"} {
		if _, err := store.Put(t.Context(), "a", strings.NewReader("12345"), 5, given); err != nil {
			t.Fatalf("Put = %v", err)
		}
		stat, err := neighbour.Stat(t.Context(), "a")
		_, get, errGet := read(t, neighbour, "a")
		if err != nil || errGet != nil || stat != get {
			t.Errorf("Stat = %+v, %v and Get = %+v, %v; want the same", stat, err, get, errGet)
		}
		if stat.ContentType != want || stat.Size != 5 || stat.Key != "a" || stat.ModTime.Location() != time.UTC ||
			stat.ModTime.Before(began) || stat.ModTime.After(time.Now().Add(2*time.Second)) {
			t.Errorf("Stat = %+v; want content type %q, 5 bytes, now", stat, want)
		}
		for listed, err := range store.List(t.Context(), "") {
			if err != nil || listed.Size != 5 || !listed.ModTime.Truncate(time.Second).Equal(stat.ModTime.Truncate(time.Second)) {
				t.Errorf("List yields %+v, %v; want size and time of %+v", listed, err, stat)
			}
		}
	}
	if err := store.Ping(t.Context()); err != nil {
		t.Errorf("Ping() = %v", err)
	}
}

func (s suite) replace(t *testing.T) {
	store := s.backend(t)()
	long, short := noise(200_000), []byte("short")
	put(t, store, "a", long)
	r, _, err := store.Get(t.Context(), "a")
	if err != nil {
		t.Fatalf("Get = %v", err)
	}
	defer r.Close()
	put(t, store, "a", short)
	wantContent(t, store, "a", short)
	if got, err := io.ReadAll(r); err == nil && !bytes.Equal(got, long) {
		t.Errorf("a reader opened before the replacement yields %d other bytes and no error", len(got))
	}
}

func (s suite) absentKeys(t *testing.T) {
	store := s.backend(t)()
	wantMissing(t, store, "a")
	put(t, store, "a/b/c", []byte("x"))
	for _, key := range []string{"a", "a/b", "a/b/c/d", "a/b/d", "A/B/C"} {
		wantMissing(t, store, key)
	}
	wantKeys(t, store, "b")
	wantKeys(t, store, "a/b/c/")
}

func (s suite) failingReader(t *testing.T) {
	store := s.backend(t)()
	old := []byte("old content")
	put(t, store, "kept", old)
	broken := errors.New("connection is gone")
	for _, size := range []int{0, 10, 64 << 10, 300_000} {
		for _, cause := range []error{broken, io.ErrUnexpectedEOF} {
			for _, announced := range []int64{-1, int64(size), int64(size) + 1} {
				for _, key := range []string{"kept", "never"} {
					r := io.MultiReader(bytes.NewReader(noise(size)), iotest.ErrReader(cause))
					if _, err := store.Put(t.Context(), key, r, announced, ""); !errors.Is(err, cause) {
						t.Errorf("Put(%q) of %d bytes, then %v, announced as %d = %v; want that error", key, size, cause, announced, err)
					}
				}
			}
		}
	}
	wantContent(t, store, "kept", old)
	wantMissing(t, store, "never")
	wantKeys(t, store, "", "kept")
}

func (s suite) wrongSize(t *testing.T) {
	store := s.backend(t)()
	data := noise(100_000)
	for _, announced := range []int64{0, 1, 99_999, 100_001, 1 << 40} {
		for name, r := range map[string]io.Reader{"stream": onlyReader{bytes.NewReader(data)}, "seekable": bytes.NewReader(data)} {
			if _, err := store.Put(t.Context(), "a", r, announced, ""); !errors.Is(err, blob.ErrSize) {
				t.Errorf("Put of a %s of 100000 bytes as %d = %v; want ErrSize", name, announced, err)
			}
		}
	}
	wantMissing(t, store, "a")
}

func (s suite) invalidKeys(t *testing.T) {
	store := s.backend(t)()
	for _, key := range []string{"", "/", "/etc/passwd", "../a", "a/../../b", "a/./b", "a//b", "a/", `a\b`, "a b", "ü", "a\x00b", "~tmp", "a~", strings.Repeat("x", blob.MaxSegment+1)} {
		_, errPut := store.Put(t.Context(), key, strings.NewReader("x"), 1, "")
		_, _, errGet := store.Get(t.Context(), key)
		_, errStat := store.Stat(t.Context(), key)
		errDelete := store.Delete(t.Context(), "fine", key)
		for call, err := range map[string]error{"Put": errPut, "Get": errGet, "Stat": errStat, "Delete": errDelete} {
			if !errors.Is(err, blob.ErrKey) {
				t.Errorf("%s(%q) = %v, want ErrKey", call, key, err)
			}
		}
	}
	for _, prefix := range []string{"/", "../", "a//", "a b"} {
		count := 0
		for _, err := range store.List(t.Context(), prefix) {
			if count++; !errors.Is(err, blob.ErrKey) {
				t.Errorf("List(%q) yields %v, want ErrKey", prefix, err)
			}
		}
		if count != 1 {
			t.Errorf("List(%q) yields %d times, want once", prefix, count)
		}
	}
	wantKeys(t, store, "")
}

func (s suite) remove(t *testing.T) {
	store := s.backend(t)()
	var keys []string
	for i := range 25 {
		keys = append(keys, fmt.Sprintf("many/%d/%02d", i%3, i))
		put(t, store, keys[i], noise(i))
	}
	put(t, store, "many/0/keep", []byte("x"))
	put(t, store, "more", []byte("y"))
	if err := store.Delete(t.Context()); err != nil {
		t.Errorf("Delete() of nothing = %v", err)
	}
	if err := store.Delete(t.Context(), slices.Concat(keys[:20], []string{"missing", "many/0", "no/such/thing"})...); err != nil {
		t.Errorf("Delete = %v", err)
	}
	wantMissing(t, store, keys[0])
	wantContent(t, store, keys[24], noise(24))
	if err := store.Delete(t.Context(), keys...); err != nil {
		t.Errorf("Delete of what is partly gone = %v", err)
	}
	wantKeys(t, store, "", "many/0/keep", "more")
	put(t, store, keys[0], []byte("again"))
	wantContent(t, store, keys[0], []byte("again"))
}

var nestedKeys = []string{"B", "a", "a-b", "a.b/c", "a/b", "a/b-c", "a/b.d", "a/b/c", "a/b/d", "a/c", "a0", "a_b", "ab/c", "b", "b/0"}

func (s suite) list(t *testing.T) {
	store := s.backend(t)()
	wantKeys(t, store, "")
	shuffled := slices.Clone(s.keys)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
	for _, key := range shuffled {
		put(t, store, key, []byte(key))
	}
	for _, prefix := range []string{"", "a", "a/", "a/b", "a/b/", "a/b/c", "a/b/c/", "a.", "a.b", "b", "B", "c", "a/x", "a/b/..", "."} {
		var want []string
		for _, key := range s.keys {
			if strings.HasPrefix(key, prefix) {
				want = append(want, key)
			}
		}
		wantKeys(t, store, prefix, want...)
	}
}

func (s suite) listStops(t *testing.T) {
	store := s.backend(t)()
	for _, key := range s.keys {
		put(t, store, key, []byte(key))
	}
	seen := 0
	for _, err := range store.List(t.Context(), "") {
		if err != nil {
			t.Fatalf("List = %v", err)
		}
		if seen++; seen == 3 {
			break
		}
	}
	for info, err := range store.List(t.Context(), "a/") {
		if err != nil {
			t.Fatalf("List = %v", err)
		}
		if err := store.Delete(t.Context(), info.Key); err != nil {
			t.Errorf("Delete(%q) while listing = %v", info.Key, err)
		}
	}
	wantKeys(t, store, "a/")
}

func (s suite) prefixKeys(t *testing.T) {
	store := s.backend(t)()
	for _, key := range s.keys {
		put(t, store, key, []byte(key))
	}
	for i, key := range s.keys {
		if i%2 == 0 {
			if err := store.Delete(t.Context(), key); err != nil {
				t.Errorf("Delete(%q) = %v", key, err)
			}
		}
	}
	for i, key := range s.keys {
		if i%2 == 0 {
			wantMissing(t, store, key)
		} else {
			wantContent(t, store, key, []byte(key))
		}
	}
}

func (s suite) contextEnd(t *testing.T) {
	store := s.backend(t)()
	put(t, store, "a", []byte("old"))
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	want := func(call string, err error) {
		t.Helper()
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s with an ended context = %v", call, err)
		}
	}
	_, err := store.Put(ended, "a", strings.NewReader("new"), 3, "")
	want("Put", err)
	_, _, err = store.Get(ended, "a")
	want("Get", err)
	_, err = store.Stat(ended, "a")
	want("Stat", err)
	want("Delete", store.Delete(ended, "a"))
	want("Ping", store.Ping(ended))
	for _, err := range store.List(ended, "") {
		want("List", err)
	}
	wantContent(t, store, "a", []byte("old"))
}
