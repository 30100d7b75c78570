package registry_test

import (
	"reflect"
	"strings"
	"testing"

	"boardorder/pkg/contract/registry"
)

// What a row says about a command's data is there in the data.
func TestRowsNameMembersOfTheirData(t *testing.T) {
	t.Parallel()
	for _, c := range registry.Commands() {
		if (c.Of == "") != (c.By == "") {
			t.Errorf("%s: of %q by %q, want both or neither", c.Name, c.Of, c.By)
		}
		for path, kind := range map[string]reflect.Kind{c.By: reflect.String, c.Person: reflect.String, c.Upload: reflect.String, c.Board: reflect.String, c.Controlled: reflect.Bool} {
			if path == "" {
				continue
			}
			if got := kindAt(reflect.TypeOf(c.Data), path); got != kind {
				t.Errorf("%s: %s of %T is %s, want %s", c.Name, path, c.Data, got, kind)
			}
		}
	}
}

// kindAt is the kind of a member of JSON data; Invalid if there is none.
func kindAt(t reflect.Type, path string) reflect.Kind {
	first, rest, nested := strings.Cut(path, ".")
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return reflect.Invalid
	}
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != first {
			continue
		}
		if nested {
			return kindAt(f.Type, rest)
		}
		return f.Type.Kind()
	}
	return reflect.Invalid
}
