package quotes

import (
	"strings"

	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/wording"
)

// A Paper is what each paper about a quote says of it beside board and price: pages,
// e-mails, and the sheet for whoever builds it.
type Paper struct {
	Assembled int      // boards that are assembled; 0 for bare ones
	LeftOff   []string // references that are not fitted
	Supplied  []string // that the customer sends
	Replaced  []string // "R1: A in place of B"
	Stackup   string   // of the layers, as the request describes them
	Separate  string   // how boards of one file are separated, in the request's words
	Notes     string   // the customer's words
	Extras    []string // options beside the usual ones, "Gold fingers: yes", by whoever has the catalogue
	Without   []string // what a team's price leaves out
	Team      string   // what the team wrote with its price
}

// Paper gives what the papers about a quote say.
func (q Quote) Paper() Paper {
	p := Paper{
		Stackup: wording.JSON(q.Request.FileStackup), Separate: wording.JSON(q.Request.SeparateBoards), Without: q.Reply.NotIncluded, Team: q.TeamNote,
	}
	if q.Request.SpecialNotes != nil {
		p.Notes = strings.TrimSpace(*q.Request.SpecialNotes)
	}
	if !q.Request.Assembly {
		return p
	}
	if p.Assembled = q.Request.Quantity; q.Assembly != nil {
		p.Assembled = q.Assembly.Boards
	}
	for _, part := range q.Reply.Parts {
		switch refs := strings.ReplaceAll(part.Reference, ",", ", "); {
		case part.Fitting == assemblies.LeftOff:
			p.LeftOff = append(p.LeftOff, refs)
		case part.Fitting == assemblies.CustomerSupplied:
			p.Supplied = append(p.Supplied, refs)
		case part.Replaces != "":
			p.Replaced = append(p.Replaced, refs+": "+part.MPN+" in place of "+part.Replaces)
		}
	}
	p.LeftOff = append(p.LeftOff, q.Reply.UnlistedRefs...)
	return p
}
