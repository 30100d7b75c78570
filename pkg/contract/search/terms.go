package search

import (
	"path"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/invoices"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"

	"github.com/tidwall/gjson"
)

// Bounds of what a state is found by.
const (
	maxTerm       = 120 // bytes
	maxTerms      = 64  // as many as a projected document may have
	maxFileTerms  = 40
	maxPaperTerms = 20 // of archives that were sent, of invoices
)

// Terms are what people find an aggregate by, in lower case, each by its
// beginning: its ids and numbers, the customer's e-mail address, name and telephone
// number, the project, names of files, the number of a parcel, of an invoice, of a formal
// quote; what operators noted about it by the words. They are computed from the state alone,
// so that what leaves the state with an erasure is not found any more. A controlled design is
// found by its id only.
func Terms(a contract.Aggregate, id string, state []byte) []string {
	s := contract.Parse(state)
	t := termSet{}
	if a != contract.CaseAggregate { // it has the id of what it is about
		t.add(id)
	}
	switch a {
	case contract.QuoteAggregate:
		t.addPaths(s, "request_id", "request.project_name")
		t.add(quotes.CustomerRef(id))
		t.person(s.Get("delivery.ship_to"))
		t.person(s.Get("request.ship_to"))
	case contract.OrderAggregate:
		t.addPaths(s, "id", "ref", "request", "tracking.number", "fabricator.number", "payment.intent", "payment.session", "payment.email", "sold.request.project_name", "dispute.id", "screened.reference")
		t.invoices(s.Get("invoices"))
		for i, refund := range s.Get("refunds").Array() {
			if i == maxPaperTerms {
				break
			}
			t.addPaths(refund, "id", "processor")
		}
		t.person(s.Get("ship_to"))
	case contract.CustomerAggregate:
		t.addPaths(s, "email")
		t.person(s.Get("saved.ship_to"))
	case contract.UploadAggregate:
		if s.Get("status").Str == string(uploads.ITARDeclared) {
			break
		}
		t.fileNames(s.Get("received"), maxPaperTerms)
		t.fileNames(s.Get("files"), maxFileTerms)
	case contract.BoardAggregate: // outlives the upload for as long as a quote needs it
		if s.Get("gone").Bool() {
			return nil
		}
		t.fileNames(s.Get("files"), maxFileTerms)
	case contract.BuyLinkAggregate:
		t.addPaths(s, "request.project_name")
	case contract.FormalAggregate:
		t.addPaths(s, "id", "ref", "request_id", "quote.quote_number", "accepted.quote_number")
		if s.Get("itar").Bool() {
			break
		}
		t.addPaths(s, "name", "customer_po", "email", "tracking.number")
		t.words(s.Get("name").Str)
		t.fileNames(s.Get("files"), maxFileTerms)
	case contract.AccountAggregate:
		t.addPaths(s, "name", "email")
		t.words(s.Get("name").Str)
		for _, m := range s.Get("members").Array() {
			t.add(m.Get("email").Str)
		}
		for _, k := range s.Get("keys").Array() {
			t.add(k.Get("id").Str)
			t.add(k.Get("prefix").Str)
		}
	case contract.CaseAggregate:
		if !s.Get("itar").Bool() {
			t.notes(s.Get("notes").Array())
		}
	case contract.OperationAggregate, contract.DesignCheckAggregate:
	default:
		return nil
	}
	return t[:min(len(t), maxTerms)]
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

// fileNames adds the names of the first files, without their folders.
func (t *termSet) fileNames(files gjson.Result, most int) {
	for i, f := range files.Array() {
		if i == most {
			return
		}
		t.add(path.Base(strings.ReplaceAll(f.Get("name").Str, "\\", "/")))
	}
}

// invoices adds the numbers of an order's papers, as they stand on them.
func (t *termSet) invoices(papers gjson.Result) {
	for i, p := range papers.Array() {
		if i == maxPaperTerms {
			return
		}
		t.add(invoices.Invoice{Number: p.Get("number").Int(), Test: p.Get("test").Bool()}.Name())
	}
}

// person adds a customer: by the address, the telephone, the name and each part of it.
func (t *termSet) person(to gjson.Result) {
	t.addPaths(to, "email", "name", "company")
	if phone := Phone(to.Get("phone").Str); phone != "" {
		t.add(PhonePrefix + phone)
	}
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

// Words is a text to compare: in lower case, with single spaces, without what is no text.
func Words(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			return ' '
		}
		return r
	}, text)
	return strings.ToLower(strings.Join(strings.Fields(text), " "))
}

// Term is a text as terms are kept and looked for: its Words, if they are not too long.
func Term(text string) string {
	text = Words(text)
	if len(text) > maxTerm {
		end := maxTerm
		for !utf8.RuneStart(text[end]) {
			end--
		}
		text = strings.TrimSpace(text[:end])
	}
	return text
}
