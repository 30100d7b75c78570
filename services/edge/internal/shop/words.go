package shop

import (
	"strings"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/problem"
)

// plain puts what refusals and questions say to programs into the words of the page.
var plain = strings.NewReplacer(
	"send special_requirements: true with the order in special_notes for a quote by our team", "tick “"+teamLabel+"” below and write the order there",
	"send the same request with special_requirements: true, and what is special in special_notes", "tick “"+teamLabel+"” below and write there what is special",
	"Send the same request with the answers that fields names corrected.", "Please correct your answers.",
	"send it without them and with special_requirements: true, and what is special in special_notes", "take them out, tick “"+teamLabel+"” below and write there what is special",
	"answer in the request what questions asks", "answer below what is asked",
	"send special_requirements: true with width and height in special_notes for a quote by our team", "tick “"+teamLabel+"” below and write width and height there",
	"Send the answer in file_answers.placements with the same request", "Answer below",
	"send file_answers.placements: by_pads to put them where their pads are, as_listed to place them as the file says, or their references in do_not_fit_refs if the customer says to leave them off", "say below how they are meant, or tick to leave them off",
	"send special_requirements: true for a quote by our team", "tick “"+teamLabel+"” below",
	"send special_requirements: true, which our team quotes", "tick “"+teamLabel+"” below",
	"send special_requirements: true and say it in special_notes", "tick “"+teamLabel+"” below and write it there",
	"with special_requirements: true our team looks at it and quotes it", "if you tick “"+teamLabel+"” our team looks at it and quotes it",
	"With skip_board_checks: true the board is built as designed, if that is what the customer wants", "If you tick “"+asDesignedLabel+"” it is built as it is",
	"send special_requirements: true", "tick “"+teamLabel+"” below",
	"special_requirements: true", "“"+teamLabel+"”",
	"send skip_board_checks: true", "tick “"+asDesignedLabel+"” below",
	"skip_board_checks: true", "“"+asDesignedLabel+"”",
	"send staff_picks_parts: true", "tick “"+pickLabel+"” below",
	"staff_picks_parts: true", "“"+pickLabel+"”",
	"send their references in do_not_fit_refs if the customer says to leave them off", "tick to leave them off",
	"say the order with file_answers.layer_order", "say the order below",
	"Send ship_to.country for another", "Choose yours to see its price", "if anything there is to be built, say it in the request", "if anything there is to be built, write it into the notes",
	": findings lists what is missing.", "; what is missing is listed below.", "; fields names it, its member and why.", ".",
	": findings lists each.", "; each is listed below.", ": findings lists both.", "; both are listed below.",
	"Ask the customer and send the answers with the same request.", "",
	"Send them to its upload_url, then ask again.", "",
	"please send the same request again", "please try again",
	"declare it with itar: true, and its files are deleted", "please do not order it, and its files are deleted six hours after they arrived",
	"We do not know this country; send its ISO 3166-1 code of two letters, such as US or DE.", "We do not know this country: please choose one of the list.",
	"special_notes go with the order", "Your notes go with the order",
)

// Labels of the boxes that sentences name.
const (
	teamLabel       = "Something special: our team prices it"
	asDesignedLabel = "Build it exactly as designed"
	pickLabel       = "Let our team choose the parts"
)

// refusalView is why there is no price, and what to do.
type refusalView struct {
	Heading, Text string
	Findings      []findingView
	Parts         []partView
	ReportURL     string
	Again         bool // trying again may help
	AsDesigned    bool // the checks can be left out
	Picks         bool // our team can choose the parts
}

// partView is a line of the parts list that something is wrong with.
type partView struct{ Refs, Part, Why string }

// headings say what a refusal is about.
var headings = map[contract.Code][2]string{
	contract.NeedsDetails:     {"We need your word on this", "Your files leave this open. Please answer below; the price follows."},
	contract.NeedsPartNumbers: {"Some parts are not named exactly", "Add the maker's part numbers to your list and upload it again, or tick “" + pickLabel + "” below."},
	contract.OffBoardParts:    {"Some parts have no usable position", "Upload a corrected file of positions, or tick below to leave these parts off."},
	contract.DesignFiles:      {"Something in the files must be settled first", ""},
	contract.PriceUnavailable: {"No price just now", "We cannot get a live price at the moment. Nothing is lost: please try again in a minute or two."},
	contract.Unavailable:      {"No price just now", "This takes longer than usual. Nothing is lost: please try again in a moment."},
	contract.RateLimited:      {"Please wait a little", ""},
	contract.InvalidRequest:   {"One of your choices does not work", ""},
}

func (s *Shop) refusalView(r contract.Refusal) *refusalView {
	h, known := headings[r.Code]
	if !known {
		h[0] = "We cannot price this"
	}
	v := &refusalView{Heading: h[0], Text: h[1], ReportURL: r.ReportURL, Again: problem.Passing(r.Code) || r.Code == contract.RateLimited}
	if v.Text == "" {
		v.Text = plain.Replace(r.Message)
	}
	if r.Code == contract.InvalidRequest {
		v.Text = fieldWords(r.Fields)
	}
	v.Findings = findingViews(r.Findings)
	for _, p := range append(r.Parts, r.OffBoard...) {
		v.Parts = append(v.Parts, partView{shorten(strings.ReplaceAll(p.Reference, ",", ", "), 200), shorten(p.Part, 120), plain.Replace(p.Why)})
	}
	v.AsDesigned, v.Picks = r.Code == contract.DesignFiles, r.Code == contract.NeedsPartNumbers
	return v
}

// fieldNames are what the page calls the fields of a request.
var fieldNames = map[string]string{
	"solder_mask": "solder mask", "surface_finish": "surface finish", "via_process": "the kind of vias", "thickness_mm": "the thickness",
	"copper_oz": "the outer copper", "inner_copper_oz": "the inner copper", "ship_to.country": "the country", "ship_to.postal_code": "the postal code", "special_notes": "the notes",
}

// fieldWords says what is wrong with what was chosen.
func fieldWords(problems []contract.FieldProblem) string {
	var out []string
	for _, p := range problems {
		words := plain.Replace(p.Message)
		if name := fieldNames[p.Field]; name != "" {
			words = strings.ReplaceAll(words, p.Field, name)
		}
		if p.Field == "quantity" {
			words = "The number of boards is a whole number from 1 to 100,000."
		}
		out = append(out, contract.Sentence(words))
	}
	return strings.Join(out, " ")
}

// uploadWords says why files were not taken, and what to do.
func uploadWords(failure *problem.Problem) string {
	const again = " Please choose your files again and send them."
	switch failure.Refusal.Code {
	case contract.NoFiles:
		return "Please choose the files of your board first: a zip, or the files themselves."
	case contract.UploadTooLarge:
		return failure.Refusal.Message + " Please leave out what the board is not built from, such as 3D models, and send the rest."
	case contract.TooManyFiles:
		return "More than 20 files arrived at once. Please pack them into one zip and send that."
	case contract.Internal, contract.Unavailable:
		return "Your files could not be taken just now. Nothing was kept. Please send them again in a moment."
	case contract.RateLimited, contract.Forbidden:
		return failure.Refusal.Message
	}
	if len(failure.Refusal.Fields) > 0 {
		return plain.Replace(failure.Refusal.Message) + " " + fieldWords(failure.Refusal.Fields)
	}
	return plain.Replace(failure.Refusal.Message) + again
}

// sentence is a question or a clause as a whole sentence of the page.
func sentence(clause string) string {
	if words := plain.Replace(clause); !strings.HasSuffix(words, "?") {
		return contract.Sentence(words)
	}
	return plain.Replace(clause)
}
