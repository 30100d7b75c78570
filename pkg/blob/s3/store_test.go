package s3

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"boardorder/pkg/blob"
)

// A bucket plays S3 in memory. code, where it is not "", is what everything is refused by.
type bucket struct {
	mu      sync.Mutex
	there   bool
	objects map[string]string
	kinds   map[string]string
	made    int
	code    string
	status  int
}

func (b *bucket) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	refuse := func(status int, code string) {
		w.WriteHeader(status)
		fmt.Fprintf(w, "<Error><Code>%s</Code><Message>%s</Message></Error>", code, code)
	}
	key, object := strings.CutPrefix(r.URL.Path, "/bucket/")
	object = object && key != ""
	content, stored := b.objects[key]
	switch {
	case b.code != "":
		refuse(b.status, b.code)
	case !object && r.Method == http.MethodPut:
		b.made++
		b.there = true
	case !b.there:
		refuse(http.StatusNotFound, "NoSuchBucket")
	case !object && r.Method == http.MethodPost:
		var list struct {
			Object []struct{ Key string }
		}
		if err := xml.NewDecoder(r.Body).Decode(&list); err != nil {
			refuse(http.StatusBadRequest, "MalformedXML")
			return
		}
		fmt.Fprint(w, "<DeleteResult>")
		for _, o := range list.Object {
			if strings.HasPrefix(o.Key, "locked") {
				fmt.Fprintf(w, "<Error><Key>%s</Key><Code>AccessDenied</Code><Message>no</Message></Error>", o.Key)
			}
			delete(b.objects, o.Key)
		}
		fmt.Fprint(w, "</DeleteResult>")
	case !object:
		fmt.Fprint(w, "<ListBucketResult><Name>bucket</Name>")
		for _, k := range slices.Sorted(maps.Keys(b.objects)) {
			if strings.HasPrefix(k, r.URL.Query().Get("prefix")) {
				fmt.Fprintf(w, "<Contents><Key>%s</Key><Size>%d</Size><LastModified>2026-03-01T12:00:00.000Z</LastModified></Contents>", k, len(b.objects[k]))
			}
		}
		fmt.Fprint(w, "</ListBucketResult>")
	case r.Method == http.MethodPut:
		data, _ := io.ReadAll(r.Body)
		b.objects[key], b.kinds[key] = joinChunks(string(data)), r.Header.Get("Content-Type")
		w.Header().Set("ETag", `"1"`)
	case !stored:
		refuse(http.StatusNotFound, "NoSuchKey")
	default:
		w.Header().Set("Content-Type", b.kinds[key])
		w.Header().Set("Last-Modified", "Sun, 01 Mar 2026 12:00:00 GMT")
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
		if r.Method == http.MethodGet {
			fmt.Fprint(w, content)
		}
	}
}

// joinChunks gives what is sent in chunks, each after its length and signature.
func joinChunks(body string) (content string) {
	for {
		head, rest, chunked := strings.Cut(body, "\r\n")
		length, _, signed := strings.Cut(head, ";chunk-signature=")
		n, err := strconv.ParseInt(length, 16, 64)
		if !chunked || !signed || err != nil || n > int64(len(rest)) {
			return content + body
		}
		content, body = content+rest[:n], strings.TrimPrefix(rest[n:], "\r\n")
	}
}

func serve(t *testing.T, b *bucket) (*Store, error) {
	t.Helper()
	b.objects, b.kinds = map[string]string{}, map[string]string{}
	server := httptest.NewServer(b)
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	return Open(t.Context(), Config{Host: u.Host, Bucket: "bucket", Key: "k", Secret: "s", Region: "r", Lookup: "path"}, func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 999, time.FixedZone("", 3600)) })
}

// TestBucket: a bucket is made where there is none, and one that is there is left alone.
func TestBucket(t *testing.T) {
	t.Parallel()
	for rule, tt := range map[string]struct {
		bucket *bucket
		made   int
		err    bool
	}{
		"none":                 {&bucket{}, 1, false},
		"one":                  {&bucket{there: true}, 0, false},
		"one of somebody else": {&bucket{code: "AccessDenied", status: 403}, 0, true},
	} {
		b := tt.bucket
		s, err := serve(t, b)
		if b.made != tt.made || (err != nil) != tt.err {
			t.Errorf("%s: %v, %d made; want an error %t, %d made", rule, err, b.made, tt.err, tt.made)
		}
		if err != nil {
			continue
		}
		b.there = false
		if err := s.Ping(t.Context()); err == nil || !strings.Contains(err.Error(), "bucket is gone") {
			t.Errorf("%s: when the bucket is gone: %v, want that it is said", rule, err)
		}
	}
}

// TestObjects: what is put is given back with its kind and length; what is not there is not found,
// and what cannot be a key is refused before anything is sent.
func TestObjects(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	b := &bucket{there: true}
	s, err := serve(t, b)
	if err != nil {
		t.Fatal(err)
	}
	for key, content := range map[string]string{"a/b": "hello", "a/empty": "", "z": "last"} {
		info, err := s.Put(ctx, key, strings.NewReader(content), int64(len(content)), "text/plain")
		if want := (blob.Info{Key: key, Size: int64(len(content)), ContentType: "text/plain", ModTime: time.Date(2026, 3, 1, 11, 0, 0, 0, time.UTC)}); info != want || err != nil {
			t.Errorf("Put(%q) = %+v, %v; want %+v", key, info, err, want)
		}
		r, info, err := s.Get(ctx, key)
		if err != nil {
			t.Errorf("Get(%q): %v", key, err)
			continue
		}
		got, err := io.ReadAll(r)
		r.Close()
		stat, failed := s.Stat(ctx, key)
		if string(got) != content || err != nil || info.Size != int64(len(content)) || info.ContentType != "text/plain" || info.Key != key || stat != info || failed != nil {
			t.Errorf("Get(%q) = %q, %+v, %v; Stat = %+v, %v; want %q", key, got, info, err, stat, failed, content)
		}
	}
	b.objects["not one of ours/.."] = "x"
	for prefix, want := range map[string]string{"": "a/b a/empty z", "a/": "a/b a/empty", "a/b": "a/b", "none": ""} {
		var keys []string
		for info, err := range s.List(ctx, prefix) {
			if err != nil {
				t.Errorf("List(%q): %v", prefix, err)
			}
			keys = append(keys, info.Key)
		}
		if got := strings.Join(keys, " "); got != want {
			t.Errorf("List(%q) gives %q, want %q", prefix, got, want)
		}
	}
	for _, key := range []string{"", "/a", "a//b", "../a", "a b"} {
		_, put := s.Put(ctx, key, strings.NewReader("x"), 1, "")
		_, _, get := s.Get(ctx, key)
		_, stat := s.Stat(ctx, key)
		for name, err := range map[string]error{"Put": put, "Get": get, "Stat": stat, "Delete": s.Delete(ctx, "a/b", key)} {
			if !errors.Is(err, blob.ErrKey) {
				t.Errorf("%s(%q) = %v, want %v", name, key, err, blob.ErrKey)
			}
		}
	}
	if _, stored := b.objects["a/b"]; !stored {
		t.Error("a/b was deleted together with a key that is none, want neither")
	}
	if err := s.Delete(ctx, "a/b", "never/there"); err != nil {
		t.Errorf("Delete of one that is there and one that is not: %v, want none", err)
	}
	if _, err := s.Stat(ctx, "a/b"); !errors.Is(err, blob.ErrNotFound) {
		t.Errorf("Stat of what was deleted: %v, want %v", err, blob.ErrNotFound)
	}
	if err := s.Delete(ctx, "z", "locked/1", "locked/2"); err == nil || !strings.Contains(err.Error(), "locked/1") || !strings.Contains(err.Error(), "locked/2") || strings.Contains(err.Error(), "delete z") {
		t.Errorf("Delete of one that may be and two that may not: %v, want that both are named", err)
	}
	left, leave := context.WithCancel(ctx)
	leave()
	for _, err := range s.List(left, "") {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("a list that nobody waits for: %v, want %v", err, context.Canceled)
		}
	}
	for _, err := range s.List(ctx, "/") {
		if !errors.Is(err, blob.ErrKey) {
			t.Errorf("a list by what begins no key: %v, want %v", err, blob.ErrKey)
		}
	}
}
