package folder

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"boardorder/pkg/blob"
)

func openStore(t *testing.T) (*Store, string) {
	t.Helper()
	dir := t.TempDir()
	s, err := Open(dir, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s, dir
}

// TestFooter: the end of a file holds a content type of as many printable ASCII characters as
// there is room for, and is told from any other end.
func TestFooter(t *testing.T) {
	t.Parallel()
	for kind, ok := range map[string]bool{
		"": true, "text/plain": true, "a/b; charset=utf-8": true, strings.Repeat("x", typeSize): true, strings.Repeat("x", typeSize+1): false, "ü": false, "a\nb": false, "a\x00b": false, "a\x7fb": false,
	} {
		foot, err := footer(kind)
		if (err == nil) != ok || ok && len(foot) != footerSize {
			t.Errorf("the footer of %q has %d bytes, %v; want %d, an error %t", kind, len(foot), err, footerSize, !ok)
		}
		if !ok {
			continue
		}
		path := filepath.Join(t.TempDir(), "f")
		for rule, tt := range map[string]struct {
			content []byte
			size    int64
			err     error
		}{
			"nothing before it":  {foot, 0, nil},
			"ten bytes":          {append(bytes.Repeat([]byte("x"), 10), foot...), 10, nil},
			"a footer before it": {append(append([]byte(nil), foot...), foot...), footerSize, nil},
			"cut":                {foot[:footerSize-1], 0, errFooter},
			"another end":        {append(append([]byte(nil), foot...), 'x'), 0, errFooter},
			"no end":             {bytes.Repeat([]byte("x"), footerSize), 0, errFooter},
			"nothing":            {nil, 0, errFooter},
		} {
			if err := os.WriteFile(path, tt.content, 0o600); err != nil {
				t.Fatal(err)
			}
			f, err := os.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			got, size, err := readFooter(f)
			f.Close()
			if !errors.Is(err, tt.err) || size != tt.size && err == nil || err == nil && got != kind {
				t.Errorf("%s, of %q: %q before %d bytes, %v; want %d, %v", rule, kind, got, size, err, tt.size, tt.err)
			}
		}
	}
}

// TestOrder: blobs are listed in the order of their keys, which is not that of folders and files.
func TestOrder(t *testing.T) {
	t.Parallel()
	s, dir := openStore(t)
	ctx := t.Context()
	for _, key := range []string{"b", "a/b", "a-b", "a0", "a/a/c", "a.b", "a"} {
		if _, err := s.Put(ctx, key, strings.NewReader(key), -1, ""); err != nil {
			t.Fatal(err)
		}
	}
	for _, foreign := range []string{"README", "not one~~", "a/x.tmp"} {
		if err := os.WriteFile(filepath.Join(dir, foreign), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for prefix, want := range map[string]string{
		"": "a a-b a.b a/a/c a/b a0 b", "a": "a a-b a.b a/a/c a/b a0", "a/": "a/a/c a/b", "a/a": "a/a/c", "a/a/": "a/a/c", "a/b/": "", "b": "b", "c": "", "~": "",
	} {
		var keys []string
		for info, err := range s.List(ctx, prefix) {
			if err != nil {
				if !errors.Is(err, blob.ErrKey) {
					t.Errorf("List(%q): %v", prefix, err)
				}
				continue
			}
			if info.Size != int64(len(info.Key)) {
				t.Errorf("%s has %d bytes in the list, want %d", info.Key, info.Size, len(info.Key))
			}
			keys = append(keys, info.Key)
		}
		if got := strings.Join(keys, " "); got != want {
			t.Errorf("List(%q) gives %q, want %q", prefix, got, want)
		}
	}
	n := 0
	for range s.List(ctx, "") {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("a list that was left after two went on to %d", n)
	}
}

// TestPutIsWhole: what is not written whole is not there, and what was there before stays.
func TestPutIsWhole(t *testing.T) {
	t.Parallel()
	left, leave := context.WithCancel(t.Context())
	leave()
	for rule, tt := range map[string]struct {
		ctx  context.Context
		key  string
		r    io.Reader
		size int64
		kind string
		err  error // nil: any
	}{
		"less than was announced": {t.Context(), "a", strings.NewReader("new"), 4, "", blob.ErrSize},
		"more":                    {t.Context(), "a", strings.NewReader("new"), 2, "", blob.ErrSize},
		"what fails":              {t.Context(), "a", io.MultiReader(strings.NewReader("new"), iotest.ErrReader(io.ErrUnexpectedEOF)), -1, "", io.ErrUnexpectedEOF},
		"whose sender has left":   {left, "a", strings.NewReader("new"), 3, "", context.Canceled},
		"of no kind":              {t.Context(), "a", strings.NewReader("new"), 3, "ü", nil},
		"of no key":               {t.Context(), "a/", strings.NewReader("new"), 3, "", blob.ErrKey},
	} {
		s, _ := openStore(t)
		if _, err := s.Put(t.Context(), "a", strings.NewReader("old"), 3, "text/plain"); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Put(tt.ctx, tt.key, tt.r, tt.size, tt.kind); err == nil || tt.err != nil && !errors.Is(err, tt.err) {
			t.Errorf("%s: Put = %v, want %v", rule, err, tt.err)
		}
		r, info, err := s.Get(t.Context(), "a")
		if err != nil {
			t.Errorf("%s: Get: %v", rule, err)
			continue
		}
		if got, err := io.ReadAll(r); string(got) != "old" || err != nil || info.ContentType != "text/plain" || info.Size != 3 {
			t.Errorf("%s: there is %q, %+v, %v; want old", rule, got, info, err)
		}
		r.Close()
		if files, err := s.entries(temporary); len(files) > 0 || err != nil {
			t.Errorf("%s: %d half files stay, %v; want none", rule, len(files), err)
		}
	}
}
