package mongo

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/projection"
	"boardorder/pkg/projection/internal/cursor"

	"go.mongodb.org/mongo-driver/v2/bson"
)

// fields of a key or filter, in order.
func fields(d bson.D) (names []string) {
	for _, e := range d {
		names = append(names, e.Key)
	}
	return names
}

func keysOf(t *testing.T, field string) []string {
	t.Helper()
	keys, ok := index(field).Keys.(bson.D)
	if !ok {
		t.Fatalf("index of %s: %T, want bson.D", field, index(field).Keys)
	}
	return fields(keys)
}

// TestSearchIsAnsweredFromAnIndex: whatever is looked for, the filter is an anchored,
// literal expression on the one field of an index, which a server turns into a range
// of that index; all else only sifts what is in it.
func TestSearchIsAnsweredFromAnIndex(t *testing.T) {
	t.Parallel()
	keys := keysOf(t, "terms")
	for _, term := range []string{"co-7q2m", "ord_01k", "grace@example.com", "grace hopper", "a.b*c^$(x)|[y]\\z", "müller", "jd0123"} {
		filter := begins(term)
		if got := fields(filter); got[0] != keys[0] || len(keys) != 1 {
			t.Fatalf("filter on %v, index on %v; want the same, one field", got, keys)
		}
		pattern := filter[0].Value.(bson.Regex)
		literal, whole := regexp.MustCompile(strings.TrimPrefix(pattern.Pattern, "^")).LiteralPrefix()
		if !strings.HasPrefix(pattern.Pattern, "^") || pattern.Options != "" || !whole || literal != term {
			t.Errorf("%q is looked for by /%s/%s, of which %q is literal; want all, from the beginning, without options", term, pattern.Pattern, pattern.Options, literal)
		}
	}
}

// TestListsAreAnsweredFromAnIndex: a list's filter, its order and what it leaves out are
// all fields of one index, the filter's first.
func TestListsAreAnsweredFromAnIndex(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"", "account", "status", "order_ref", "customer", "waiting"} {
		field := "at"
		if key != "" {
			field = "keys." + key
		}
		keys := keysOf(t, field)
		for _, page := range []projection.Page{{}, {Cursor: "x"}, {Before: time.Unix(1, 0)}} {
			for _, name := range fields(selection(key, "v", page, cursor.Cursor{At: 1, ID: "i"})) {
				if name != "$or" && !slices.Contains(keys, name) {
					t.Errorf("a list by %q asks for %s, index on %v", key, name, keys)
				}
			}
		}
		if keys[0] != field {
			t.Errorf("index of %s begins with %s", field, keys[0])
		}
		rest := keys
		if key != "" {
			rest = keys[1:]
		}
		if !slices.Equal(rest[:2], fields(newestFirst)) {
			t.Errorf("a list by %q is in the order of %v, index on %v", key, fields(newestFirst), keys)
		}
	}
}
