package checkout

import (
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"boardorder/pkg/address"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/shipments"
)

const maxNote = 5000 // characters

// An entry is what a shopper entered.
type entry struct {
	ship     shipments.ShipTo
	shipping string
	hours    int
	boards   int    // 0 = what was typed is no number
	typed    string // where the number was to be entered
	save     bool
	note     string
	seen     string // AcknowledgementHash that was ticked
	shown    int64  // total on the page that was sent; -1 = unknown
	version  int    // of the price on the page that was sent
	problems []contract.FieldProblem
	currency string // to pay in; "" is the quote's own
	browser  string // that pays
}

// readEntry takes a form apart. Values are kept as they were typed, cleaned of
// what cannot be seen, numbers and codes in plain characters; what is wrong with
// their form is noted.
func readEntry(form url.Values) entry {
	e := entry{
		shipping: untrusted.CleanLine(form.Get("shipping_id")), save: saves(form), seen: untrusted.CleanLine(form.Get("seen")), note: untrusted.Clean(form.Get("note")),
		shown: -1, version: -1,
	}
	e.hours, _ = strconv.Atoi(form.Get("build_hours"))
	if n, err := strconv.ParseInt(form.Get("total"), 10, 64); err == nil {
		e.shown = n
	}
	if n, err := strconv.Atoi(form.Get("version")); err == nil {
		e.version = n
	}
	for _, f := range shipFields() {
		*f.of(&e.ship) = untrusted.CleanLine(form.Get(f.name))
	}
	e.typed = address.Fold(untrusted.CleanLine(form.Get("quantity")))
	e.ship = address.FoldFields(e.ship)
	e.ship.Country = strings.ToUpper(e.ship.Country)
	e.check()
	return e
}

func saves(form url.Values) bool { return form.Get("save_details") == "yes" }

// check notes what is wrong with the form of the values: what is too long, and
// what can be no e-mail address or phone number.
func (e *entry) check() {
	for _, f := range shipFields() {
		if v := *f.of(&e.ship); f.maxLength > 0 && utf8.RuneCountInString(v) > f.maxLength {
			e.refuse(f.name, "too_long", "This has at most "+strconv.Itoa(f.maxLength)+" characters; please shorten it.")
		}
	}
	if v := e.ship.Email; v != "" && !address.IsEmail(v) {
		e.refuse("email", "malformed", address.NoEmail)
	}
	if v := e.ship.Phone; v != "" && !address.IsPhone(v) {
		e.refuse("phone", "malformed", address.NoPhone)
	}
	if n, ok := readQuantity(e.typed); ok {
		e.boards = n
	} else if e.typed != "" {
		e.problems = append(e.problems, contract.FieldProblem{Field: "quantity", Problem: "malformed", Message: noQuantity})
	}
	if utf8.RuneCountInString(e.note) > maxNote {
		e.problems = append(e.problems, contract.FieldProblem{
			Field: "note", Problem: "too_long", Message: "The note has at most " + strconv.Itoa(maxNote) + " characters; please shorten it.",
		})
	}
}

// noQuantity is what to say of a number of boards that is none.
const noQuantity = "Enter a whole number from 1 to 100,000."

func readQuantity(text string) (n int, ok bool) {
	n, err := strconv.Atoi(text)
	return n, err == nil && text[0] != '+' && n >= 1 && n <= quotes.MaxBoards
}

func (e *entry) refuse(name, problem, message string) {
	e.problems = append(e.problems, contract.FieldProblem{Field: "ship_to." + name, Problem: problem, Message: message})
}

// limitAddress is the address that was entered, less what is too long for an address.
func (e entry) limitAddress() shipments.ShipTo {
	to := e.ship
	for _, f := range shipFields() {
		if v := f.of(&to); f.maxLength > 0 && utf8.RuneCountInString(*v) > f.maxLength {
			*v = ""
		}
	}
	return to
}

// changes reports whether the entry chooses something else than the quote has.
func (e entry) changes(s record) bool {
	if s.hasTeamPrice() {
		return false
	}
	shipping, hours := s.selection()
	return s.quote.Delivery == nil || s.quote.Estimate != nil || e.changesNumber(s) || e.ship != s.quote.Delivery.ShipTo || e.shipping != shipping || e.hours != hours
}

// changesNumber reports whether the entry is of another number of boards.
func (e entry) changesNumber(s record) bool { return e.boards != 0 && e.boards != quantity(s.quote) }

// entryOf is the entry that shows what the quote has.
func entryOf(s record) entry {
	e := entry{ship: s.delivery(), shown: s.total(), version: s.quote.Version, boards: quantity(s.quote)}
	e.typed = strconv.Itoa(e.boards)
	e.shipping, e.hours = s.selection()
	if s.paying != nil {
		e.save = s.paying.SaveDetails
	}
	return e
}
