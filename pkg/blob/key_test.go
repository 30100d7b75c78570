package blob

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"
)

func TestValidKey(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", MaxSegment)
	for key, want := range map[string]bool{
		"a":                               true,
		"sha256/0a1B/c-d_e.f":             true,
		"a/...":                           true,
		long:                              true,
		"":                                false,
		"/a":                              false,
		"a/":                              false,
		"a//b":                            false,
		".":                               false,
		"a/../b":                          false,
		"a/./b":                           false,
		"a b":                             false,
		`a\b`:                             false,
		"c:":                              false,
		"a\x00":                           false,
		"ü":                               false,
		long + "x":                        false,
		strings.Repeat("a/", 256):         false,
		strings.Repeat("a/", 255) + "bcd": false,
	} {
		err := ValidKey(key)
		if (err == nil) != want || err != nil && !errors.Is(err, ErrKey) {
			t.Errorf("ValidKey(%q) = %v, want valid %v", key, err, want)
		}
	}
}

func TestValidPrefix(t *testing.T) {
	t.Parallel()
	for prefix, want := range map[string]bool{
		"": true, "a": true, "a/": true, "a/b": true, "a/.": true, "..": true, "a/b/..": true,
		"/": false, "/a": false, "a//": false, "../a": false, "a/../": false, "a b": false,
	} {
		err := ValidPrefix(prefix)
		if (err == nil) != want || err != nil && !errors.Is(err, ErrKey) {
			t.Errorf("ValidPrefix(%q) = %v, want valid %v", prefix, err, want)
		}
	}
}

func FuzzValidKey(f *testing.F) {
	f.Add("a/b")
	f.Add("../b")
	f.Fuzz(func(t *testing.T, key string) {
		if ValidKey(key) == nil && (!filepath.IsLocal(key) || filepath.ToSlash(filepath.Clean(key)) != key) {
			t.Errorf("ValidKey(%q) = nil for a name that is not its own path", key)
		}
		for i := range len(key) {
			if ValidKey(key) == nil && ValidPrefix(key[:i]) != nil {
				t.Errorf("ValidPrefix(%q) refuses a prefix of the valid key %q", key[:i], key)
			}
		}
	})
}
