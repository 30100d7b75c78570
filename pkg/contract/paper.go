package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Paper is what each paper about a quote says of it beside board and price: pages,
// letters, and the sheet for whoever builds it.
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
		Stackup: JSONWords(q.Asked.FileStackup), Separate: JSONWords(q.Asked.SeparateBoards), Without: q.Reply.NotIncluded, Team: q.TeamNote,
	}
	if q.Asked.SpecialNotes != nil {
		p.Notes = strings.TrimSpace(*q.Asked.SpecialNotes)
	}
	if !q.Asked.Assembly {
		return p
	}
	if p.Assembled = q.Asked.Quantity; q.Assembly != nil {
		p.Assembled = q.Assembly.Boards
	}
	for _, part := range q.Reply.Parts {
		switch refs := strings.ReplaceAll(part.Reference, ",", ", "); {
		case part.Fitting == LeftOff:
			p.LeftOff = append(p.LeftOff, refs)
		case part.Fitting == CustomerSupplied:
			p.Supplied = append(p.Supplied, refs)
		case part.Replaces != "":
			p.Replaced = append(p.Replaced, refs+": "+part.MPN+" in place of "+part.Replaces)
		}
	}
	p.LeftOff = append(p.LeftOff, q.Reply.UnlistedRefs...)
	return p
}

// JSONWords writes what stands in JSON for people: yes and no, lists with commas,
// objects as name: value. Nothing is "".
func JSONWords(raw json.RawMessage) string {
	var v any
	if len(raw) == 0 || json.Unmarshal(raw, &v) != nil || v == nil || v == false {
		return ""
	}
	return ValueWords(v)
}

// ValueWords is JSONWords of a value that was read.
func ValueWords(v any) string {
	switch v := v.(type) {
	case nil:
		return "–"
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		parts, between := make([]string, len(v)), ", "
		for i, one := range v {
			if parts[i] = ValueWords(one); strings.Contains(parts[i], between) {
				between = "; "
			}
		}
		return strings.Join(parts, between)
	case map[string]any:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, strings.ReplaceAll(name, "_", " ")+": "+ValueWords(v[name]))
		}
		return strings.Join(parts, ", ")
	}
	return fmt.Sprint(v)
}
