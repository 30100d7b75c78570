package assemblies

import (
	"encoding/json"
	"strconv"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/uploads"
)

// Commands on assemblies. Neither answers a request: whoever waits looks at the
// assembly.
var (
	Assemble = contract.CommandName{Service: "part-sourcing", Verb: "assemble"} // find out what a board is assembled from, and for how much
	Erase    = contract.CommandName{Service: "part-sourcing", Verb: "erase"}    // a design was declared ITAR-controlled
)

// Events of the assembly aggregate.
const (
	EventStarted    contract.EventName = "started"
	EventPlanned    contract.EventName = "planned"    // parts lists and placements were read and matched
	EventProgressed contract.EventName = "progressed" // the fabricator's stock is known
	EventRefused    contract.EventName = "refused"
	EventSourced    contract.EventName = "sourced"
)

// Events are all of the aggregate.
var Events = []contract.EventName{EventStarted, EventPlanned, EventProgressed, EventRefused, EventSourced}

// Retention is how long assemblies are kept: quotes hold what they were priced with.
const Retention = 2 * contract.Day

// GivenUp is longer than one attempt takes: one that runs longer is begun anew.
const GivenUp = 5 * time.Minute

// PlacesMissing begins what is said where no file says where the parts go.
const PlacesMissing = "Nothing says where the parts go"

// Choices are what a customer says about the parts of a board.
type Choices struct {
	DoNotFitRefs         []string       `json:"do_not_fit_refs,omitempty"`
	CustomerSuppliedRefs []string       `json:"customer_supplied_refs,omitempty"`
	Substitutions        []Substitution `json:"substitutions,omitempty"`
}

// AssembleData names a board of an upload, how many are assembled, and the
// customer's choices.
type AssembleData struct {
	Assembly string  `json:"assembly"` // [ID]
	Upload   string  `json:"upload"`   // ref
	Digest   string  `json:"digest"`   // of the upload's files
	Board    string  `json:"board"`
	Boards   int     `json:"boards"`
	Choices  Choices `json:"choices"`
	// Since is until when an answer of a supplier is too old; zero takes those that
	// are kept.
	Since time.Time `json:"since,omitzero"`
}

// ID is the aggregate id of an owner's assembly: the same files, board, number
// and choices are the same assembly for all live keys, and another one for test keys,
// whose parts are asked of nobody.
func ID(owner string, d AssembleData) (string, error) {
	choices, err := json.Marshal(d.Choices)
	if contract.IsTest(owner) {
		return contract.DeriveID("assembly", d.Digest, d.Board, strconv.Itoa(d.Boards), string(choices), contract.TestMode), err
	}
	return contract.DeriveID("assembly", d.Digest, d.Board, strconv.Itoa(d.Boards), string(choices)), err
}

// Assembly is a board with its parts: what each line of its bill of materials
// means, where it goes, who sells it, and what assembling costs. Aggregate id =
// [ID].
type Assembly struct {
	ID        string             `json:"id"`
	Account   string             `json:"account"`
	Upload    string             `json:"upload"`
	Digest    string             `json:"digest"`
	Board     string             `json:"board"`
	Boards    int                `json:"boards"`
	Choices   Choices            `json:"choices"`
	Status    partchecks.Status  `json:"status"`
	Attempt   int                `json:"attempt"`
	Command   string             `json:"command"` // that makes this attempt
	StartedAt time.Time          `json:"started_at"`
	EndedAt   time.Time          `json:"ended_at,omitzero"`
	Plan      *Plan              `json:"plan,omitempty"`   // once the files are read
	Report    *partchecks.Report `json:"report,omitempty"` // on the parts that are bought, as far as it is
	Price     *Price             `json:"price,omitempty"`  // once every supplier was asked
	Refusal   *contract.Refusal  `json:"refusal,omitempty"`
}

// Running tells whether somebody is at work on the assembly.
func (a Assembly) Running(now time.Time) bool {
	return a.Status == partchecks.Running && now.Sub(a.StartedAt) < GivenUp
}

// Usable tells whether the assembly need not be made again: it ended a moment
// ago, with an answer of every supplier that could be reached, and not before since.
func (a Assembly) Usable(now, since time.Time) bool {
	if now.Sub(a.EndedAt) >= partchecks.Fresh || a.StartedAt.Before(since) {
		return false
	}
	return a.Status == partchecks.Refused || a.Status == partchecks.Ended && a.Report.Holds(now.Sub(a.EndedAt))
}

// Labels of an assembly: what design it is of.
func (a Assembly) Labels() contract.Labels {
	return contract.NewLabels(uploads.Label(a.Upload), boards.Label(a.Digest))
}

// Plan is what was read of a board's parts, with the customer's choices.
type Plan struct {
	Files     []string                `json:"files,omitempty"` // that say which parts there are and where they go
	OffBoard  []contract.PartQuestion `json:"off_board,omitempty"`
	Unnamed   []contract.PartQuestion `json:"unnamed,omitempty"`    // lines that name no exact part
	Unrated   []contract.PartQuestion `json:"unrated,omitempty"`    // capacitors whose voltage nothing tells
	Doubtful  []contract.PartQuestion `json:"doubtful,omitempty"`   // parts whose placement makes no sense: no side, no rotation, several positions
	OffPads   []contract.PartQuestion `json:"off_pads,omitempty"`   // parts that do not lie on their pads while the others of their file do
	Misread   []Misread               `json:"misread,omitempty"`    // files of placements that lie on no pads as they are listed
	Unread    []UnreadFile            `json:"unread,omitempty"`     // files that look like a list or placements and could not be used
	Unknown   []string                `json:"unknown,omitempty"`    // references of the choices that no line has
	Split     []string                `json:"split,omitempty"`      // references to leave off whose lines have others that stay
	Both      []string                `json:"both,omitempty"`       // references of the choices that are to be left off and supplied
	Unlisted  []string                `json:"unlisted,omitempty"`   // placed, and on no line
	NoPlaces  bool                    `json:"no_places,omitempty"`  // nothing says where any part goes
	Empty     bool                    `json:"empty,omitempty"`      // no line is fitted
	NoUnit    bool                    `json:"no_unit,omitempty"`    // nothing says which unit the places are in, and the board does not tell
	Substs    []RequestedSub          `json:"substs,omitempty"`     //
	Top       int                     `json:"top,omitempty"`        // parts placed on each side
	Bottom    int                     `json:"bottom,omitempty"`     //
	TopSVG    string                  `json:"top_svg,omitempty"`    // blob keys: outlines of the parts, over the picture of that side
	BottomSVG string                  `json:"bottom_svg,omitempty"` //
	Package   string                  `json:"package,omitempty"`    // blob key of a zip: list, placements and choices, for the fabricator
	Notes     []string                `json:"notes,omitempty"`
}

// A Misread is a file of placements whose positions lie on no pads as they are listed.
type Misread struct {
	File   string `json:"file"`
	Known  int    `json:"known"`            // parts whose pads are known
	Listed int    `json:"listed"`           // those of them that lie on pads as listed
	Fit    int    `json:"fit,omitempty"`    // and in another reading, where one fits
	Words  string `json:"words,omitempty"`  // what that reading is
	Copies int    `json:"copies,omitempty"` // how many equal boards there are, where the file places the parts of one
}

// An UnreadFile is a file that was left aside when the parts were read, and why.
type UnreadFile struct {
	File string `json:"file"`
	Why  string `json:"why"`
}

// RequestedSub is a substitution as the customer asked for it, and what became of it.
type RequestedSub struct {
	Substitution
	Applied bool   `json:"applied"`
	Why     string `json:"why"`
}

// How a line is fitted.
const (
	Fitted           = "fitted"
	LeftOff          = "left_off"
	CustomerSupplied = "customer_supplied"
)

// Part is a line as it is built: bought, sent by the customer, or left off.
type Part struct {
	partchecks.Found
	Fitting     string        `json:"fitting"`                // fitted, left_off, customer_supplied
	Footprint   string        `json:"footprint,omitempty"`    //
	Approved    bool          `json:"approved,omitempty"`     // with Replaces: by the customer; else it is a passive part that is no worse in anything that was compared
	Approval    *PartApprover `json:"approval,omitempty"`     // with Approved: on a page for customers; nil where it is the word of whoever asked
	Picked      bool          `json:"picked,omitempty"`       // chosen by value and footprint, or by our team: the list names no number
	PickedBy    string        `json:"picked_by,omitempty"`    // an operator
	Misfit      bool          `json:"misfit,omitempty"`       // its package is not the footprint's
	Description string        `json:"description,omitempty"`  //
	Side        string        `json:"side,omitempty"`         // top, bottom, both
	CostCents   int64         `json:"cost_cents,omitempty"`   // for the whole build
	ThroughHole bool          `json:"through_hole,omitempty"` // soldered by hand
}

// PartApprover is who approved a part that takes another's place, and when.
type PartApprover struct {
	ID string    `json:"approval_id"`
	By string    `json:"approved_by"` // as typed
	At time.Time `json:"approved_at"`
}

// Price is what parts and work cost. Lines of Work add up to WorkCents.
type Price struct {
	Service    string        `json:"service"` // economic, standard
	Work       []prices.Line `json:"work"`
	WorkCents  int64         `json:"work_cents"`
	PartsCents int64         `json:"parts_cents"`
	Days       int           `json:"days"` // working days that assembling takes, after boards and parts are there
	PartsDays  int           `json:"parts_days"`
	Parts      []Part        `json:"parts"`
	Checks     []Fit         `json:"checks,omitempty"`
	At         time.Time     `json:"at"` // when the suppliers were asked
}

// Fit holds a part against its footprint.
type Fit struct {
	Reference string   `json:"reference"`
	MPN       string   `json:"mpn,omitempty"`
	Package   string   `json:"package,omitempty"`   // of the part, in the supplier's words
	Footprint string   `json:"footprint,omitempty"` // of the board, in the design's words
	Pads      int      `json:"pads,omitempty"`      // of the footprint, by number
	Pins      int      `json:"pins,omitempty"`      // of the package
	PitchMM   float64  `json:"pitch_mm,omitempty"`  // of the footprint's pads
	Lifecycle string   `json:"lifecycle,omitempty"`
	Datasheet string   `json:"datasheet,omitempty"` // address, where a supplier states it
	Verdict   string   `json:"verdict"`             // ok, check, unknown
	Level     string   `json:"level"`               // must_fix, warning, note
	What      []string `json:"what"`
}

// PriceBlockers are the parts that keep an assembly from having a price: those that
// cannot be bought, and those that do not fit, whoever supplies them.
func (p Price) PriceBlockers() []Part {
	var out []Part
	for _, l := range p.Parts {
		if l.Fitting == Fitted && l.Bought == 0 || l.Fitting != LeftOff && l.Misfit {
			out = append(out, l)
		}
	}
	return out
}

// Substitution is a component change that the customer approved.
type Substitution struct {
	Reference               string `json:"reference"`
	OriginalMPN             string `json:"original_mpn"`
	ReplacementMPN          string `json:"replacement_mpn"`
	Reason                  string `json:"reason,omitempty"`
	ReplacementManufacturer string `json:"replacement_manufacturer,omitempty"`
}
