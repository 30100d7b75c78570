package asyncapi

import (
	"reflect"
	"strings"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/feed"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/registry"
	"boardorder/pkg/contract/webhooks"
)

// Each schema is of one type, and each name that is not its type's is needed.
func TestSchemasHaveNamesOfTheirOwn(t *testing.T) {
	t.Parallel()
	named := map[string]reflect.Type{}
	seen := map[reflect.Type]bool{}
	var visit, members func(reflect.Type)
	members = func(typ reflect.Type) {
		for f := range typ.Fields() {
			switch {
			case f.Anonymous && f.Type.Kind() == reflect.Struct: // its fields stand in the other's schema
				members(f.Type)
			case f.IsExported():
				visit(f.Type)
			}
		}
	}
	visit = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			visit(typ.Elem())
			return
		case reflect.Struct:
		default:
			return
		}
		if seen[typ] || typ == timeType {
			return
		}
		seen[typ] = true
		if typ.Name() != "" {
			name := nameOf(typ)
			if other := named[name]; other != nil {
				t.Errorf("%s and %s have one schema, %s: give one of them another name in schemaNames", other, typ, name)
			}
			named[name] = typ
		}
		members(typ)
	}
	visit(reflect.TypeFor[contract.Refusal]())
	visit(reflect.TypeFor[feed.Entry]())
	visit(reflect.TypeFor[webhooks.Delivery]())
	for _, a := range registry.Aggregates() {
		visit(reflect.TypeOf(a.State))
	}
	for _, c := range registry.Commands() {
		visit(reflect.TypeOf(c.Data))
	}
	for typ, name := range schemaNames {
		if named[name] == nil || named[name].String() != typ || strings.HasSuffix(typ, "."+name) {
			t.Errorf("schemaNames: %s is called %s, and the schema of that name is of %v", typ, name, named[name])
		}
	}
}

// TestSchemaNames: a schema is called like its type unless the table says otherwise.
func TestSchemaNames(t *testing.T) {
	t.Parallel()
	for typ, want := range map[reflect.Type]string{
		reflect.TypeFor[quotes.Request]():   "QuoteRequest",
		reflect.TypeFor[quotes.Quote]():     "Quote",
		reflect.TypeFor[contract.Refusal](): "Refusal",
		reflect.TypeFor[struct{ A int }]():  "",
	} {
		if got := nameOf(typ); got != want {
			t.Errorf("nameOf(%s) = %q, want %q", typ, got, want)
		}
	}
}
