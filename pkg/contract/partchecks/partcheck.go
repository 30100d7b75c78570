package partchecks

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/contract"
)

// Check has the part-sourcing service look a list of parts up. It answers
// no request: whoever waits looks at the check.
var Check = contract.CommandName{Service: "part-sourcing", Verb: "check"}

// Events of the part-check aggregate.
const (
	EventStarted    contract.EventName = "started"
	EventProgressed contract.EventName = "progressed" // the fabricator's stock is known
	EventRefused    contract.EventName = "refused"
	EventChecked    contract.EventName = "checked"
)

// Events are all of the aggregate.
var Events = []contract.EventName{EventStarted, EventProgressed, EventRefused, EventChecked}

// Status is how far a part check is.
type Status string

// The statuses of a part check.
const (
	Running Status = "running"
	Ended   Status = "ended"
	Refused Status = "refused" // Refusal says why
)

// How long part checks are used and kept.
const (
	Fresh     = 10 * time.Minute // a list is not checked again
	Retention = 2 * contract.Day
	// GivenUp is longer than a check takes: one that runs longer is begun anew.
	GivenUp = 3 * time.Minute
)

// Line is one line of a list, as a client wrote it.
type Line struct {
	Reference    string `json:"reference,omitempty"`
	Quantity     int    `json:"quantity,omitempty"` // per board; 0 = not stated
	MPN          string `json:"mpn,omitempty"`
	Manufacturer string `json:"manufacturer,omitempty"`
	FabPartCode  string `json:"fab_part_code,omitempty"`
	Value        string `json:"value,omitempty"`
	Footprint    string `json:"footprint,omitempty"`
	// Codes are distributors' numbers, by the distributors' public names.
	Codes       map[string]string `json:"codes,omitempty"`
	Description string            `json:"description,omitempty"`
}

// CheckData is a list of parts: Parts, or the text of a file.
type CheckData struct {
	Check  string `json:"check"` // [ID]
	Boards int    `json:"boards"`
	// Asked: a client asked for it, who is told when it has ended.
	Asked bool   `json:"asked,omitempty"`
	Parts []Line `json:"parts,omitempty"`
	BOM   string `json:"bom,omitempty"`
	// Since is until when an answer of a supplier, or a check, is too old; zero takes
	// those that are kept.
	Since time.Time `json:"since,omitzero"`
	// Sparing: a supplier is called only while little of the day's calls is used, and one
	// that bills what it finds not at all.
	Sparing bool `json:"sparing,omitempty"`
}

// ID is the aggregate id of a check: the same list for as many boards
// is the same check for an account.
func ID(account string, d CheckData) (string, error) {
	d.Check, d.Since, d.Asked = "", time.Time{}, false
	text, err := json.Marshal(d)
	return contract.DeriveID("part-check", account, string(text)), err
}

// PartCheck is a list of parts held against what suppliers have. Aggregate id =
// [ID].
type PartCheck struct {
	ID        string            `json:"id"`
	Account   string            `json:"account"`
	Asked     bool              `json:"asked,omitempty"` // by a client
	Status    Status            `json:"status"`
	Attempt   int               `json:"attempt"`
	Command   string            `json:"command"` // that makes this attempt
	StartedAt time.Time         `json:"started_at"`
	EndedAt   time.Time         `json:"ended_at,omitzero"`
	Report    *Report           `json:"report,omitempty"` // of this attempt, as far as it is; else of the one before
	Refusal   *contract.Refusal `json:"refusal,omitempty"`
}

// Running tells whether somebody is at work on the check.
func (c PartCheck) Running(now time.Time) bool {
	return c.Status == Running && now.Sub(c.StartedAt) < GivenUp
}

// Usable tells whether the check need not be made again.
func (c PartCheck) Usable(now time.Time) bool {
	if now.Sub(c.EndedAt) >= Fresh {
		return false
	}
	return c.Status == Refused || c.Status == Ended && c.Report.Holds(now.Sub(c.EndedAt))
}

// Phase is how far a report on parts goes.
type Phase string

// The phases.
const (
	AtFab    Phase = "fab"      // the fabricator's stock only
	Complete Phase = "complete" // distributors too
)

// Report is what was found about a list.
type Report struct {
	Phase       Phase    `json:"phase"`
	Boards      int      `json:"boards"`
	Parts       []Found  `json:"parts"`
	Summary     Summary  `json:"summary"`
	RetryAfterS int      `json:"retry_after_s,omitempty"` // while parts are still looked up, or a supplier could not be reached
	Unreached   []string `json:"unreached,omitempty"`     // suppliers that could not be reached about a part that nobody else sells; all others have answered
	Notes       []string `json:"notes,omitempty"`         // on the list as it was read
}

// IsComplete reports whether every supplier has answered that could be reached.
func (r *Report) IsComplete() bool { return r.RetryAfterS == 0 || len(r.Unreached) > 0 }

// Holds reports whether a finished report of that age need not be made again: one of
// suppliers that could not be reached, until asking again makes sense.
func (r *Report) Holds(age time.Duration) bool {
	return r != nil && r.IsComplete() && (r.RetryAfterS == 0 || age < time.Duration(r.RetryAfterS)*time.Second)
}

// Found is the answer to a line.
type Found struct {
	Reference        string   `json:"reference"`
	Part             string   `json:"part"`
	QuantityPerBoard int64    `json:"quantity_per_board"`
	Verdict          string   `json:"verdict,omitempty"` // ok, check, problem, checking
	Source           string   `json:"source,omitempty"`
	MPN              string   `json:"mpn,omitempty"`
	Manufacturer     string   `json:"manufacturer,omitempty"`
	FabCode          string   `json:"fab_code,omitempty"`
	FabLibrary       string   `json:"fab_library,omitempty"`
	Supplier         string   `json:"supplier,omitempty"`
	SKU              string   `json:"sku,omitempty"`
	CostUSD          string   `json:"cost_usd,omitempty"` // for the whole build
	Bought           int64    `json:"bought,omitempty"`
	Stock            *int64   `json:"stock,omitempty"`
	LeadTimeDays     *int     `json:"lead_time_days,omitempty"`
	Lifecycle        string   `json:"lifecycle,omitempty"`
	Datasheet        string   `json:"datasheet,omitempty"` // address, where a supplier states it
	Why              string   `json:"why,omitempty"`
	Searched         []string `json:"searched,omitempty"`
	SimilarPart      *InStock `json:"similar_part,omitempty"`
	// Replaces is the part that the list names, where another one is fitted: a passive
	// part of which everything that Compared has is at least as good, or one that the
	// customer approved.
	Replaces string     `json:"replaces,omitempty"`
	Compared []Property `json:"compared,omitempty"`
	// Alternatives are other parts that can be bought, the best first, of a line that cannot be
	// bought, or whose part ends or is scarce. None is taken without the customer's word.
	Alternatives []Alternative `json:"alternatives,omitempty"`
	LeftOff      bool          `json:"left_off,omitempty"` // nothing is bought or fitted for it; Why says why
	Risks        []Risk        `json:"risks,omitempty"`
	Supply       *Supply       `json:"supply,omitempty"` // where somebody sells the part
	Line         int           `json:"line,omitempty"`   // of the list as it was sent in parts, from 1
}

// Supply is how much there is of the part that a line takes.
type Supply struct {
	Stock  int64     `json:"stock"`  // at all suppliers that were asked
	Needed int64     `json:"needed"` // for the build, what is lost in feeding included
	Source string    `json:"source"` // the supplier with the most, as Found.Source
	At     time.Time `json:"at"`     // when it said so
}

// Enough is for how many such builds the stock of a part has to be enough: others buy, too.
const Enough = 3

// Risk is why a part may be hard to buy once this build is ordered, or for the next.
type Risk struct {
	Kind   string    `json:"kind"`   // one_source, not_for_new_designs, end_of_life, lead_time, low_stock
	Source string    `json:"source"` // the supplier whose word it is, as Found.Source
	Says   string    `json:"says"`
	At     time.Time `json:"at"` // when it was said
}

// Property holds one property of a part that takes another's place against the
// other's.
type Property struct {
	Property    string `json:"property"` // value, size, tolerance, voltage, dielectric, power, current, temperature, temperature_coefficient, height, film, qualities, grade
	Named       string `json:"named"`
	Replacement string `json:"replacement"`
	Worse       bool   `json:"worse,omitempty"` // or not known; only of parts that are offered
}

// Cents is CostUSD in whole cents: what costs less than half a cent is none.
func (p Found) Cents() int64 {
	whole, part, _ := strings.Cut(p.CostUSD, ".")
	dollars, _ := strconv.ParseInt(whole, 10, 64)
	cents, _ := strconv.ParseInt((part + "00")[:2], 10, 64)
	return 100*dollars + cents
}

// InStock is offered in place of a part that cannot be bought, and never
// fitted without the customer's word.
type InStock struct {
	MPN          string `json:"mpn"`
	Manufacturer string `json:"manufacturer,omitempty"`
	Source       string `json:"source"`
	Supplier     string `json:"supplier"`
	SKU          string `json:"sku"`
	Stock        int64  `json:"stock"`
	CostUSD      string `json:"cost_usd"`
	Why          string `json:"why"`
	// Compared is empty where nothing is known of the part that the list names.
	Compared []Property `json:"compared,omitempty"`
}

// Alternative is another part that can be bought for the build.
type Alternative struct {
	MPN          string              `json:"mpn"`
	Manufacturer string              `json:"manufacturer,omitempty"`
	Source       string              `json:"source"`
	Supplier     string              `json:"supplier"`
	SKU          string              `json:"sku"`
	Stock        int64               `json:"stock"`
	CostUSD      string              `json:"cost_usd"` // for the whole build
	LeadTimeDays *int                `json:"lead_time_days,omitempty"`
	Lifecycle    string              `json:"lifecycle,omitempty"`
	Datasheet    string              `json:"datasheet,omitempty"`
	Score        int                 `json:"score"`    // 0 to 100
	NoWorse      bool                `json:"no_worse"` // all that decides is known, and is no worse
	Reasons      []AlternativeReason `json:"reasons"`
}

// AlternativeReason is one property of an alternative against that of the part on the list.
type AlternativeReason struct {
	Property string `json:"property"` // of Property, or part, assumed, package, named_by, stock, price, lifecycle
	Is       string `json:"is"`       // same, better, worse, unknown
	Named    string `json:"named"`
	Offered  string `json:"offered"`
}

// Summary totals a report.
type Summary struct {
	Lines         map[string]int `json:"lines"`             // by verdict
	PartsCents    int64          `json:"parts_cents"`       // of the lines that can be bought, for the build
	PerBoardCents int64          `json:"per_board_cents"`   // of the same
	Complete      bool           `json:"complete"`          // every line can be bought
	AtRisk        int            `json:"at_risk,omitempty"` // lines that have risks
}
