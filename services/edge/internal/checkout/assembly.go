package checkout

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strings"

	"boardorder/pkg/blob"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/language"
	"boardorder/pkg/phrase"
	"boardorder/services/edge/internal/picture"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// assemblyView is what is fitted on the boards.
type assemblyView struct {
	Count    string
	Pictures []partsPicture
	Groups   []partGroup
	Lines    []assemblyLine
}

// partsPicture is one side of the board with the outlines of its parts over it.
type partsPicture struct{ Side, Alt, Board, Parts string }

type partGroup struct {
	Title, Text string
	Parts       []partLine
	Count       int
	Open        bool
}

// partLine is a line of the bill of materials: foreign words.
type partLine struct{ Refs, Part, Detail string }

type assemblyLine struct{ Label, Amount string }

// assemblyView is nil for bare boards.
func (p *Pages) assemblyView(s record) *assemblyView {
	q := s.quote
	if q.Assembly == nil || len(q.Reply.Parts) == 0 {
		return nil
	}
	v := &assemblyView{Count: s.lang.Text("%d boards assembled.", q.Assembly.Boards)}
	for _, l := range q.Assembly.Work {
		v.Lines = append(v.Lines, assemblyLine{l.Label, s.lang.Amount(l.Cents, "")})
	}
	if q.Assembly.PartCents > 0 {
		v.Lines = append(v.Lines, assemblyLine{"Parts", s.lang.Amount(q.Assembly.PartCents, "")})
	}
	v.Groups = partGroups(s.lang, q)
	v.Pictures = p.partsPictures(s)
	return v
}

// partGroups sorts the lines by what becomes of them.
func partGroups(l *language.Printer, q quotes.Quote) []partGroup {
	all := []partGroup{
		{Title: l.Text("Without a price yet"), Text: l.Text("Our team looks for these."), Open: true},
		{Title: l.Text("Replaced, as you approved"), Open: true},
		{Title: l.Text("Replaced by parts that are no worse"), Text: l.Text("Passive parts that cannot be bought, replaced by others that are at least as good in everything that was compared."), Open: true},
		{Title: l.Text("Chosen by our team or by value and footprint"), Text: l.Text("Your list names no part by number for these.")},
		{Title: l.Text("You send these"), Text: l.Text("The fabricator must have them before assembly begins."), Open: true},
		{Title: l.Text("Left off"), Open: true},
		{Title: l.Text("Bought as your list says")},
	}
	for _, part := range q.Reply.Parts {
		g := &all[groupOf(part)]
		g.Parts = append(g.Parts, lineOf(l, part))
		g.Count++
	}
	all = append(all, groupUnlisted(l, q.Reply.UnlistedRefs))
	var out []partGroup
	for _, g := range all {
		if len(g.Parts) > 0 {
			out = append(out, g)
		}
	}
	return out
}

// maxUnlisted is how many designators one line shows.
const maxUnlisted = 40

// groupUnlisted are places on the board that no line of the list is for.
func groupUnlisted(l *language.Printer, refs []string) partGroup {
	g := partGroup{Title: l.Text("On your board, but not on your list"), Text: l.Text("Nothing is bought or fitted at these places."), Open: true}
	for some := range slices.Chunk(refs, maxUnlisted) {
		g.Parts = append(g.Parts, partLine{Refs: l.List(some)})
	}
	g.Count = len(refs)
	return g
}

func groupOf(p assemblies.Part) int {
	switch {
	case p.Fitting == assemblies.LeftOff:
		return 5
	case p.Misfit && p.PickedBy == "":
		return 0
	case p.Fitting == assemblies.CustomerSupplied:
		return 4
	case p.Bought == 0 && p.PickedBy == "":
		return 0
	case p.Replaces != "" && p.Approved:
		return 1
	case p.Replaces != "":
		return 2
	case p.Picked, p.PickedBy != "":
		return 3
	}
	return 6
}

func lineOf(l *language.Printer, p assemblies.Part) partLine {
	line := partLine{Refs: untrusted.Shorten(l.List(strings.Split(p.Reference, ",")), 200), Part: untrusted.Shorten(cmp.Or(p.MPN, p.Part), 120)}
	var detail []string
	add := func(value string) {
		if value != "" {
			detail = append(detail, untrusted.Shorten(value, 200))
		}
	}
	add(p.Manufacturer)
	if p.Approval != nil {
		add(l.Text("approved by %s on %s", p.Approval.By, l.Day(p.Approval.At)))
	}
	if p.Replaces != "" {
		add(l.Text("in place of %s", p.Replaces))
		add(compareProperties(l, p.Compared))
	}
	if p.Fitting == assemblies.Fitted && p.Bought > 0 {
		if from := supplierWords(l, p); from != "" {
			add(l.Text("from %[1]s", from))
		}
	}
	if p.Fitting == assemblies.LeftOff {
		add(phrase.Translate(l, p.Why))
	}
	if p.Misfit || p.Fitting == assemblies.Fitted && (p.Verdict == "check" || p.Bought == 0) {
		if p.Bought == 0 { // its number alone tells the customer little
			add(p.Description)
			add(p.Footprint)
		}
		add(phrase.Translate(l, p.Why))
	}
	line.Detail = strings.Join(detail, " · ")
	return line
}

// supplierWords is whom a part is bought of.
func supplierWords(l *language.Printer, p assemblies.Part) string {
	if p.Source == "fab" {
		return l.Text("the fabricator")
	}
	return p.Supplier
}

// compareProperties says how a replacement stands against the part that the list names.
func compareProperties(l *language.Printer, list []partchecks.Property) string {
	var words []string
	for _, c := range list {
		property := strings.ReplaceAll(c.Property, "_", " ")
		if name := propertyNames[c.Property]; name != "" {
			property = l.Text(name)
		}
		if c.Named == c.Replacement {
			words = append(words, property+" "+c.Named)
		} else {
			words = append(words, l.Text("%s %s instead of %s", property, c.Replacement, c.Named))
		}
	}
	return l.List(words)
}

// propertyNames are what a page calls the properties in which parts are compared.
var propertyNames = map[string]string{
	"value": language.Key("value"), "size": language.Key("size"), "tolerance": language.Key("tolerance"), "voltage": language.Key("voltage"), "dielectric": language.Key("dielectric"),
	"power": language.Key("power"), "current": language.Key("current"), "temperature": language.Key("temperature"), "temperature_coefficient": language.Key("temperature coefficient"),
	"height": language.Key("height"), "film": language.Key("film"), "qualities": language.Key("qualities"), "grade": language.Key("grade"),
	"package": language.Key("package"), "stock": language.Key("in stock"), "price": language.Key("price"), "lifecycle": language.Key("lifecycle"), "named_by": language.Key("named by a supplier"),
	"part": language.Key("the part itself"), "assumed": language.Key("assumed of the part"),
}

func (p *Pages) partsPictures(s record) []partsPicture {
	at := p.self(s.id, "")
	var out []partsPicture
	if s.quote.Picture != "" && s.quote.Assembly.TopSVG != "" {
		out = append(out, partsPicture{s.lang.Text("Top"), s.lang.Text("The top side with the outlines of its parts"), at + "/board.png?small=1", at + "/parts.svg"})
	}
	if s.bottom != "" && s.quote.Assembly.BottomSVG != "" {
		out = append(out, partsPicture{s.lang.Text("Bottom"), s.lang.Text("The bottom side with the outlines of its parts"), at + "/board.png?side=bottom&small=1", at + "/parts.svg?side=bottom"})
	}
	return out
}

// outlines answers GET /checkout/{quote_id}/parts.svg: the outlines of the parts,
// for lying over the picture of the board.
func (p *Pages) outlines(c *web.Call) error {
	s, err := p.read(c)
	if err != nil {
		return err
	}
	key := ""
	if a := s.quote.Assembly; a != nil {
		key = a.TopSVG
		if side, _ := c.Query("side"); side == "bottom" {
			key = a.BottomSVG
		}
	}
	if key == "" {
		return picture.Unknown()
	}
	if c.AnswerNotModified(`"` + contract.DeriveID(key) + `"`) {
		return nil
	}
	r, info, err := p.Blobs.Get(c.Context(), key)
	if errors.Is(err, blob.ErrNotFound) {
		return picture.Unknown()
	}
	if err != nil {
		return problem.Unavailable(err)
	}
	c.Set("Cache-Control", "private, max-age=3600")
	c.Set("Content-Type", "image/svg+xml")
	c.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	c.Fiber.Status(http.StatusOK)
	return c.Fiber.SendStream(r, int(info.Size)) // closes r when it is sent
}
