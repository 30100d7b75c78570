package checkout

import (
	"cmp"
	"html/template"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/language"
	"boardorder/pkg/passive"
	"boardorder/services/edge/internal/web"
)

// approvalPage asks a customer about alternative parts, or shows what was answered.
type approvalPage struct {
	Frame
	Asked, Priceable      bool
	Token, Shown          string
	Board                 string
	Boards                string
	AsOf, Expires         time.Time
	Lines                 []approvalLine
	Name, Position, Email inputView
	Confirmed             bool
	ConfirmError          template.HTML
	Errors                []fieldError
	By                    string // who answered, and when; "" nobody yet
	AnsweredAt            time.Time
	Price                 bool // one press prices what was approved
}

// approvalLine is a line of the quote: foreign words.
type approvalLine struct {
	ID, Refs, Part, Detail string
	Count, Cost, Why       string
	Options                []approvalOption
	None                   approvalOption
	Decided                string // what was answered; ""
	Approved               bool   // one of them
	Error                  template.HTML
}

func (l approvalLine) isChosen() bool {
	return l.None.Chosen || slices.ContainsFunc(l.Options, func(o approvalOption) bool { return o.Chosen })
}

// approvalOption is an alternative.
type approvalOption struct {
	ID, Name, Value string
	MPN, Maker      string
	Score           int
	Rank, Kind      string // what the score means, and the kind of its notice
	Supply          string
	Datasheet       string
	Differs         []approvalProperty
	Same            string // properties that are alike, in a line
	Chosen          bool
}

// approvalProperty is a property in which an alternative is not the same.
type approvalProperty struct {
	Name, Is, Kind string
	Named, Offered template.HTML
}

func (p *Pages) approvalView(c *web.Call, s approvalRecord, e approvalEntry) approvalPage {
	l := s.lang
	v := approvalPage{
		Frame: p.Frame(c, l.Text("Parts for your approval"), ""), Asked: s.isAsked(), Priceable: s.isPriceable(), Boards: l.Boards(cmp.Or(s.quote.Reply.Quantity, s.quote.Request.Quantity)),
		Board: text(s.quote.Reply.Board), AsOf: s.approval.AsOf, Expires: s.approval.ExpiresAt, Confirmed: e.confirmed, Token: p.approvalToken(s),
	}
	v.Self, v.Test, v.Paid = s.self, contract.IsTest(s.quote.Account), true // its foot is about quotes to pay
	v.Shown, _ = s.quote.DigestOf(s.approval)                               // cannot fail: it was decoded
	if v.Asked {
		v.Form, v.Posts = "order", true
	}
	field := func(name, label, hint, complete, value string, most int) inputView {
		return inputView{ID: fieldID(name), Name: name, Label: l.Text(label), Hint: hint, Kind: "text", Complete: complete, MaxLength: most, Value: value}
	}
	v.Name = field("name", language.Key("Your name"), l.Text("It is recorded with your answer, and whoever prepares your order sees it."), "name", e.name, quotes.MaxApprover)
	v.Name.Needed = true
	v.Position = field("position", language.Key("Your position"), "", "organization-title", e.position, quotes.MaxApprover)
	v.Email = field("email", language.Key("E-mail"), "", "email", e.email, maxApproverEmail)
	v.Email.Kind, v.Email.Mode = "email", "email"
	for i, line := range s.approval.Lines {
		chosen := ""
		if i < len(e.chosen) {
			chosen = e.chosen[i]
		}
		v.Lines = append(v.Lines, approvalLineView(l, i, line, chosen, s.approval.Answer))
	}
	if a := s.approval.Answer; a != nil {
		v.By, v.AnsweredAt = a.Name, a.At
		if a.Position != "" {
			v.By = l.Text("%s, %s", a.Name, a.Position)
		}
	}
	v.Notices = standingNotices(l, s)
	return v
}

// standingNotices say why nobody can answer any more.
func standingNotices(l *language.Printer, s approvalRecord) []Notice {
	switch {
	case s.ordered:
		return []Notice{{Kind: "info", Text: l.Text("These boards have been ordered, so their parts stay as they are.")}}
	case s.status == quotes.ApprovalVoid:
		return []Notice{{Kind: "warn", Text: l.Text("The design or a part has changed since you were asked, so nothing is approved by this page any more. Ask whoever gave it to you for a new one.")}}
	}
	return nil
}

func approvalLineView(l *language.Printer, i int, line quotes.ApprovalLine, chosen string, answer *quotes.ApprovalAnswer) approvalLine {
	id := "line-" + strconv.Itoa(i)
	v := approvalLine{
		ID: id, Refs: untrusted.Shorten(l.List(strings.Split(line.Reference, ",")), 200), Part: untrusted.Shorten(line.Part, 200), Why: line.Why,
		Count: l.Text("%d on each board", line.QuantityPerBoard), Cost: l.Text("cannot be bought for these boards"),
		None: approvalOption{ID: id + "-none", Name: id, Value: noAlternative, Chosen: chosen == noAlternative},
	}
	if line.Bought > 0 {
		v.Cost = l.Text("%s for all boards", l.Amount(line.CostCents, ""))
	}
	var detail []string
	for _, word := range []string{line.MPN, line.Manufacturer, line.Footprint} {
		if word != "" && word != line.Part {
			detail = append(detail, untrusted.Shorten(word, 120))
		}
	}
	v.Detail = strings.Join(detail, " · ")
	for k, a := range line.Alternatives {
		o := approvalOptionView(l, a)
		o.ID, o.Name, o.Value, o.Chosen = id+"-"+strconv.Itoa(k), id, strconv.Itoa(k), chosen == strconv.Itoa(k)
		v.Options = append(v.Options, o)
	}
	if answer == nil {
		return v
	}
	v.Decided = l.Text("None of the alternatives was approved.")
	if at := slices.Index(line.Numbers(), answer.Chosen[i]); at >= 0 {
		v.Options, v.Approved = v.Options[at:at+1], true
		v.Decided = l.Text("%s was approved in place of %s.", v.Options[0].MPN, v.Part)
	}
	return v
}

func approvalOptionView(l *language.Printer, a partchecks.Alternative) approvalOption {
	o := approvalOption{MPN: untrusted.Shorten(a.MPN, 120), Maker: untrusted.Shorten(a.Manufacturer, 120), Score: a.Score, Datasheet: safeURL(a.Datasheet)}
	supplier := a.Supplier
	if a.Source == "fab" {
		supplier = l.Text("the fabricator")
	}
	cost := partchecks.Found{CostUSD: a.CostUSD}.Cents()
	o.Supply = l.Text("%[1]s for all boards, %[2]d in stock (%[3]s)", l.Amount(cost, ""), a.Stock, untrusted.Shorten(supplier, 120))
	var same []string
	worse := false
	for _, r := range a.Reasons {
		p := propertyView(l, r)
		worse = worse || r.Is == "worse" && r.Property != "stock" && r.Property != "price" && r.Property != "lifecycle"
		if r.Is == "same" {
			same = append(same, strings.TrimSpace(p.Name+" "+propertyWord(l, r.Property, r.Offered)))
			continue
		}
		o.Differs = append(o.Differs, p)
	}
	o.Same = l.List(same)
	switch {
	case a.NoWorse:
		o.Kind, o.Rank = "good", l.Text("At least as good in everything that decides.")
	case worse:
		o.Kind, o.Rank = "bad", l.Text("Not as good in something; the comparison says in what.")
	default:
		o.Kind, o.Rank = "warn", l.Text("Not everything is known: the comparison says what is not.")
	}
	return o
}

// comparedWords are what a page calls how a property stands.
var comparedWords = map[string]string{
	"better": language.Key("better"), "same": language.Key("the same"), "worse": language.Key("worse"), "unknown": language.Key("not known"),
}

// lifecycleWords are what a page calls a lifecycle.
var lifecycleWords = map[string]string{
	"active": language.Key("in production"), "nrnd": language.Key("not for new designs"), "last_time_buy": language.Key("last orders are taken"), "eol": language.Key("production ends"),
	"obsolete": language.Key("no longer made"), "unknown": language.Key("not known"),
}

// propertyView puts a property of an alternative into a reader's words.
func propertyView(l *language.Printer, r partchecks.AlternativeReason) approvalProperty {
	v := approvalProperty{Name: strings.ReplaceAll(r.Property, "_", " "), Is: l.Text(comparedWords[r.Is]), Kind: r.Is}
	if name := propertyNames[r.Property]; name != "" {
		v.Name = l.Text(name)
	}
	word := func(text string) template.HTML { return say(l, propertyWord(l, r.Property, text)) }
	v.Named, v.Offered = word(r.Named), word(r.Offered)
	return v
}

// propertyWord puts one side of a property into a reader's words, as far as they are ours.
func propertyWord(l *language.Printer, property, text string) string {
	switch n, err := strconv.ParseFloat(text, 64); {
	case property == "lifecycle" && lifecycleWords[text] != "":
		return l.Text(lifecycleWords[text])
	case text == passive.Unknown:
		return l.Text("not known")
	case property == "price" && err == nil:
		return l.Amount(partchecks.Found{CostUSD: text}.Cents(), "")
	case property == "stock" && err == nil:
		return l.Number(n)
	}
	return untrusted.Shorten(text, 200)
}
