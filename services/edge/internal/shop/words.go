package shop

import (
	"slices"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/language"
	"boardorder/services/edge/internal/problem"
)

// plainFor puts what refusals and questions say to programs into the words of a page, whose
// boxes are labelled in its language.
func plainFor(p *language.Printer) *strings.Replacer {
	team, asDesigned, pick := p.Text("Something special: our team prices it"), p.Text("Build it exactly as designed"), p.Text("Let our team choose the parts")
	return strings.NewReplacer(
		"send special_requirements: true with the order in special_notes for a quote by our team", "tick “"+team+"” below and write the order there",
		"fab_options.gold_fingers was priced as plain", "their edge is priced without a bevel",
		"send the same request with special_requirements: true, and what is special in special_notes", "tick “"+team+"” below and write there what is special",
		"Send the same request with the answers that fields names corrected.", "Please correct your answers.",
		"send it without them and with special_requirements: true, and what is special in special_notes", "take them out, tick “"+team+"” below and write there what is special",
		"answer in the request what questions asks", "answer below what is asked",
		"send special_requirements: true with width and height in special_notes for a quote by our team", "tick “"+team+"” below and write width and height there",
		"Send the answer in file_answers.placements with the same request", "Answer below",
		"send file_answers.placements: by_pads to put them where their pads are, as_listed to place them as the file says, or their references in do_not_fit_refs if the customer says to leave them off", "say below how they are meant, or tick to leave them off",
		"send special_requirements: true for a quote by our team", "tick “"+team+"” below",
		"send special_requirements: true, which our team quotes", "tick “"+team+"” below",
		"send special_requirements: true and say it in special_notes", "tick “"+team+"” below and write it there",
		"with special_requirements: true our team looks at it and quotes it", "if you tick “"+team+"” our team looks at it and quotes it",
		"With skip_board_checks: true the board is built as designed, if that is what the customer wants", "If you tick “"+asDesigned+"” it is built as it is",
		"send special_requirements: true", "tick “"+team+"” below",
		"special_requirements: true", "“"+team+"”",
		"send skip_board_checks: true", "tick “"+asDesigned+"” below",
		"skip_board_checks: true", "“"+asDesigned+"”",
		"send staff_picks_parts: true", "tick “"+pick+"” below",
		"staff_picks_parts: true", "“"+pick+"”",
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
		" with file_answers.no_holes", " below", " in file_answers.no_holes", " below",
		" with file_answers.outline", " below", " in file_answers.outline", " below",
		" with file_answers.layer_order", " below", " in file_answers.layer_order", " below",
		" with file_answers.tool_sizes", " below", " in file_answers.tool_sizes", " below",
		" with file_answers.leave_out", " below", " in file_answers.leave_out", " below",
		" with file_answers.placements", " below", " in file_answers.placements", " below",
	)
}

// refusalView is why there is no price, and what to do.
type refusalView struct {
	Heading, Text string
	Detail        string // what the service says, in English
	Findings      []findingView
	Parts         []partView
	PlacesMissing bool // no file says where the parts go
	ReportURL     string
	Again         bool // trying again may help
	AsDesigned    bool // the checks can be left out
	Picks         bool // our team can choose the parts
}

// partView is a line of the parts list that something is wrong with.
type partView struct {
	Refs, Part string
	Why        said
}

// heading is what a refusal is about, and what to do. Where text is "", English pages have
// the service's own sentence, and others what they advise, with that sentence below it.
type heading struct{ heading, text, advice string }

var headings = map[contract.Code]heading{
	contract.NeedsDetails:     {heading: language.Key("We need your word on this"), text: language.Key("Your files leave this open. Please answer below; the price follows.")},
	contract.NeedsPartNumbers: {heading: language.Key("Some parts are not named exactly"), text: language.Key("Add the maker's part numbers to your list and upload it again, or tick “Let our team choose the parts” below.")},
	contract.OffBoardParts:    {heading: language.Key("Some parts have no usable position"), text: language.Key("Upload a corrected file of positions, or tick below to leave these parts off.")},
	contract.DesignFiles: {
		heading: language.Key("Something in the files must be settled first"),
		advice:  language.Key("What must be settled is listed below. Answer what is asked, or upload corrected files; if you tick “Something special: our team prices it”, our team looks at it."),
	},
	contract.PriceUnavailable: {heading: language.Key("No price just now"), text: language.Key("We cannot get a live price at the moment. Nothing is lost: please try again in a minute or two.")},
	contract.Unavailable:      {heading: language.Key("No price just now"), text: language.Key("This takes longer than usual. Nothing is lost: please try again in a moment.")},
	contract.RateLimited:      {heading: language.Key("Please wait a little")},
	contract.InvalidRequest:   {heading: language.Key("One of your choices does not work")},
}

// otherHeading is that of a refusal of any other kind.
var otherHeading = heading{
	heading: language.Key("We cannot price this"), advice: language.Key("Please change your choices, or tick “Something special: our team prices it” below."),
}

// isPlaceless reports whether parts have no position because no file has any.
func isPlaceless(r contract.Refusal) bool {
	return r.Code == contract.OffBoardParts && strings.HasPrefix(r.Message, assemblies.PlacesMissing)
}

func (p voice) refusal(r contract.Refusal, now time.Time) *refusalView {
	h, known := headings[r.Code]
	if !known {
		h = otherHeading
	}
	v := &refusalView{Heading: p.Text(h.heading), ReportURL: r.ReportURL, Again: problem.Passing(r.Code) || r.Code == contract.RateLimited}
	v.PlacesMissing = isPlaceless(r)
	switch {
	case v.PlacesMissing:
		v.Heading, v.Text = p.Text("The file of positions is missing"), p.Text("Please add the pick-and-place file, also called centroid file: it says where each part sits, on which side and how it is turned.")
	case r.Code == contract.InvalidRequest:
		v.Text, v.Detail = p.fieldWords(r.Fields)
	case r.Code == contract.RateLimited:
		v.Text = p.rateWords(r, now)
	case h.text != "":
		v.Text = p.Text(h.text)
	default:
		v.Text, v.Detail = p.message(r.Message, h.advice)
	}
	v.Findings = findingViews(p, r.Findings)
	listed := slices.Clone(r.Parts)
	if !v.PlacesMissing { // else each has the same reason
		listed = append(listed, r.OffBoard...)
	}
	for _, one := range listed {
		v.Parts = append(v.Parts, partView{shorten(p.List(strings.Split(one.Reference, ",")), 200), shorten(one.Part, 120), p.say(one.Why)})
	}
	v.AsDesigned, v.Picks = r.Code == contract.DesignFiles, r.Code == contract.NeedsPartNumbers
	return v
}

// message is a sentence of a service; where the page's language has none for it, advice with
// that sentence, in English, as its detail.
func (p voice) message(english, advice string) (text, detail string) {
	own := p.say(english)
	if !own.English {
		return own.Text, ""
	}
	return p.Text(advice), own.Text
}

// rateWords says until when nothing more is taken.
func (p voice) rateWords(r contract.Refusal, now time.Time) string {
	if p.isEnglish() {
		return r.Message
	}
	again := now.Add(time.Duration(r.RetryAfterS) * time.Second).Truncate(time.Minute).Add(time.Minute)
	return p.Text("That was a lot in a short time. Please come back after %s.", p.Moment(again))
}
