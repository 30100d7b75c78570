package contract

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// A Mark in the headers of an event or command says whose data its body holds,
// so that all of it can be found and removed without reading bodies.
type Mark string

// PersonMark marks what holds personal data of the customer with an e-mail
// address, as [PersonRef] names it.
func PersonMark(email string) Mark { return mark("person:", PersonRef(email)) }

// UploadMark marks what tells of the design in an upload, by its ref.
func UploadMark(ref string) Mark { return mark("upload:", ref) }

// BoardMark marks what tells of a set of files, by its digest, whatever was answered
// about them.
func BoardMark(digest string) Mark { return mark("board:", FilesDigest(digest)) }

// ControlledMark marks what only operators who are US persons may see: formal
// orders of ITAR-controlled designs.
const ControlledMark Mark = "controlled"

// IsControlled reports whether only US persons may see it.
func (m Marks) IsControlled() bool { return slices.Contains(m, ControlledMark) }

func mark(kind, of string) Mark {
	if of == "" {
		return ""
	}
	return Mark(kind + of)
}

// Marks is a set of marks.
type Marks []Mark

// MarksFrom makes a set, in order and less the empty ones.
func MarksFrom(marks ...Mark) Marks {
	out := slices.DeleteFunc(slices.Clone(marks), func(m Mark) bool { return m == "" })
	slices.Sort(out)
	return slices.Compact(out)
}

// Union is the union of two sets.
func (m Marks) Union(more Marks) Marks { return MarksFrom(slices.Concat(m, more)...) }

// HasAny reports whether the set holds one of others.
func (m Marks) HasAny(others Marks) bool {
	return slices.ContainsFunc(m, func(one Mark) bool { return slices.Contains(others, one) })
}

// String is the header: marks joined by commas.
func (m Marks) String() string {
	words := make([]string, len(m))
	for i, one := range m {
		words[i] = string(one)
	}
	return strings.Join(words, ",")
}

// ParseMarks reads what String wrote.
func ParseMarks(header string) Marks {
	if header == "" {
		return nil
	}
	var out Marks
	for word := range strings.SplitSeq(header, ",") {
		out = append(out, Mark(word))
	}
	return MarksFrom(out...)
}

// marked says, for each command whose data tells of a person or a design, which
// members of the data name them, and which says that it is controlled.
var marked = map[CommandName]struct{ person, upload, board, controlled string }{
	SubmitCentral:  {person: "email", controlled: "itar"},
	QuoteCentral:   {person: "email", controlled: "itar"},
	AcceptCentral:  {controlled: "itar"},
	MoveCentral:    {controlled: "itar"},
	ReviewCentral:  {controlled: "itar"},
	CloseCentral:   {controlled: "itar"},
	AskApproval:    {controlled: "itar"},
	DecideRequest:  {controlled: "itar"},
	TakeCase:       {controlled: "itar"},
	CreateUpload:   {upload: "ref"},
	AddFiles:       {upload: "ref"},
	PriceQuote:     {person: "request.ship_to.email", upload: "upload", board: "digest"},
	ChooseDelivery: {person: "ship_to.email"},
	RequestReview:  {person: "ship_to.email"},
	ReadBoard:      {upload: "upload", board: "digest"},
	CompleteBoard:  {upload: "upload", board: "digest"},
	AssembleBoard:  {upload: "upload", board: "digest"},
	CheckDesign:    {upload: "upload"},
	MeasureDesign:  {upload: "upload"},
	DrawLayers:     {board: "digest"},
	SendCode:       {person: "email"},
	CreateBuyLink:  {upload: "upload"},
	ForgetBoard:    {board: "digest"},
}

// MarksOf gives the marks of a command, from its data.
func MarksOf(c Command) Marks {
	in, ok := marked[c.Name]
	if !ok {
		return nil
	}
	text := func(path string) string {
		if path == "" {
			return ""
		}
		return gjson.GetBytes(c.Data, path).String()
	}
	marks := MarksFrom(PersonMark(text(in.person)), UploadMark(text(in.upload)), BoardMark(text(in.board)))
	if in.controlled != "" && gjson.GetBytes(c.Data, in.controlled).Bool() {
		marks = marks.Union(Marks{ControlledMark})
	}
	return marks
}

// Marks of an upload, as long as anything tells of its files.
func (u Upload) Marks() Marks {
	if u.Content == "" && len(u.Received) == 0 && len(u.Files) == 0 && len(u.LeftOut) == 0 {
		return nil
	}
	return MarksFrom(UploadMark(u.Ref))
}

// Marks of a quote: whom it is for, and what design it is about.
func (q Quote) Marks() Marks {
	marks := []Mark{UploadMark(q.Upload), BoardMark(q.Digest)}
	if q.Asked.ShipTo != nil {
		marks = append(marks, PersonMark(q.Asked.ShipTo.Email))
	}
	if q.Delivery != nil {
		marks = append(marks, PersonMark(q.Delivery.ShipTo.Email))
	}
	if q.Estimate != nil {
		marks = append(marks, PersonMark(q.Estimate.Delivery.ShipTo.Email))
	}
	return MarksFrom(marks...)
}

// Marks of a checkout: who pays, and for what.
func (c Checkout) Marks() Marks {
	marks := MarksFrom(PersonMark(c.ShipTo.Email), BoardMark(c.Digest)).Union(c.Sold.Marks())
	if c.Payment != nil {
		marks = marks.Union(Marks{PersonMark(c.Payment.Email)})
	}
	return marks
}

// Marks of an order: who paid, and what is built.
func (o Order) Marks() Marks {
	return MarksFrom(PersonMark(o.ShipTo.Email), PersonMark(o.Payment.Email), BoardMark(o.Digest)).Union(o.Sold.Marks())
}
