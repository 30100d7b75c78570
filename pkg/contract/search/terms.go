package search

import (
	"path"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"

	"github.com/tidwall/gjson"
)

// Bounds of what a state is found by.
const (
	maxTerm      = 120 // bytes
	maxFileTerms = 40
)

// Terms are what people find an aggregate by, in lower case, each by its
// beginning: its ids and numbers, the customer's e-mail address and name, the
// project, names of files, the number of a parcel. They are computed from the state alone, so that what
// leaves the state with an erasure is not found any more. A controlled design is
// found by its id only.
func Terms(a contract.Aggregate, id string, state []byte) []string {
	s := contract.Parse(state)
	t := termSet{}
	t.add(id)
	switch a {
	case contract.QuoteAggregate:
		t.addPaths(s, "request_id", "request.project_name")
		t.add(quotes.CustomerRef(id))
		t.person(s.Get("delivery.ship_to"))
		t.person(s.Get("request.ship_to"))
	case contract.OrderAggregate:
		t.addPaths(s, "id", "ref", "request", "tracking.number", "fabricator.number", "payment.intent", "payment.email", "sold.request.project_name")
		t.person(s.Get("ship_to"))
	case contract.CustomerAggregate:
		t.addPaths(s, "email")
		t.person(s.Get("saved.ship_to"))
	case contract.UploadAggregate:
		if s.Get("status").Str == string(uploads.ITARDeclared) {
			break
		}
		for i, f := range s.Get("files").Array() {
			if i == maxFileTerms {
				break
			}
			t.add(path.Base(strings.ReplaceAll(f.Get("name").Str, "\\", "/")))
		}
	case contract.FormalAggregate:
		t.addPaths(s, "id", "ref", "request_id")
		if s.Get("itar").Bool() {
			break
		}
		t.addPaths(s, "name", "customer_po", "email", "tracking.number")
		t.words(s.Get("name").Str)
		for _, f := range s.Get("files").Array() {
			t.add(path.Base(strings.ReplaceAll(f.Get("name").Str, "\\", "/")))
		}
	case contract.AccountAggregate:
		t.addPaths(s, "name")
		t.words(s.Get("name").Str)
		for _, k := range s.Get("keys").Array() {
			t.add(k.Get("id").Str)
			t.add(k.Get("prefix").Str)
		}
	case contract.OperationAggregate, contract.DesignCheckAggregate:
	default:
		return nil
	}
	return t
}

// termSet holds each term once, in the order of their importance.
type termSet []string

func (t *termSet) add(text string) {
	term := Term(text)
	for _, one := range *t {
		if one == term {
			return
		}
	}
	if term != "" {
		*t = append(*t, term)
	}
}

func (t *termSet) addPaths(s gjson.Result, paths ...string) {
	for _, p := range paths {
		t.add(s.Get(p).Str)
	}
}

// person adds a customer: by the address, the name and each part of it.
func (t *termSet) person(to gjson.Result) {
	t.addPaths(to, "email", "name", "company")
	t.words(to.Get("name").Str)
	t.words(to.Get("company").Str)
}

func (t *termSet) words(name string) {
	for _, word := range strings.Fields(name) {
		if utf8.RuneCountInString(word) > 1 {
			t.add(word)
		}
	}
}

// Term is a text as terms are kept and looked for: in lower case, with
// single spaces, without what is no text, and not too long.
func Term(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			return ' '
		}
		return r
	}, text)
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	if len(text) > maxTerm {
		end := maxTerm
		for !utf8.RuneStart(text[end]) {
			end--
		}
		text = strings.TrimSpace(text[:end])
	}
	return text
}
