package blob

import (
	"fmt"
	"strings"
)

// ValidKey reports as ErrKey what is wrong with a key: it must be one or more
// segments of [A-Za-z0-9._-], none of them "." or "..", joined by "/".
func ValidKey(key string) error {
	if len(key) > MaxKey {
		return fmt.Errorf("%w: longer than %d bytes", ErrKey, MaxKey)
	}
	for segment := range strings.SplitSeq(key, "/") {
		if err := validSegment(segment); err != nil {
			return fmt.Errorf("%w: %s in %q", ErrKey, err, key)
		}
	}
	return nil
}

// ValidPrefix is ValidKey for what List takes: the last segment may be
// unfinished or empty.
func ValidPrefix(prefix string) error {
	if prefix == "" {
		return nil
	}
	if folder, last, ok := splitKey(prefix); ok && (last == "" || last == "." || last == "..") {
		return ValidKey(folder)
	}
	if prefix == "." || prefix == ".." {
		return nil
	}
	return ValidKey(prefix)
}

func splitKey(key string) (folder, last string, ok bool) {
	i := strings.LastIndexByte(key, '/')
	if i < 0 {
		return "", key, false
	}
	return key[:i], key[i+1:], true
}

type reason string

func (r reason) Error() string { return string(r) }

func validSegment(s string) error {
	switch {
	case s == "":
		return reason("empty segment")
	case s == "." || s == "..":
		return reason("segment " + s)
	case len(s) > MaxSegment:
		return reason(fmt.Sprintf("segment longer than %d bytes", MaxSegment))
	}
	for i := range len(s) {
		if !isAllowed(s[i]) {
			return reason(fmt.Sprintf("byte %#02x", s[i]))
		}
	}
	return nil
}

func isAllowed(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		c == '.' || c == '_' || c == '-'
}
