package contract

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// CheckParts has the part-sourcing service look a list of parts up. It answers
// no request: whoever waits looks at the check.
var CheckParts = CommandName{"part-sourcing", "check"}

// Events of the part-check aggregate.
const (
	PartCheckStarted    EventName = "started"
	PartCheckProgressed EventName = "progressed" // the fabricator's stock is known
	PartCheckRefused    EventName = "refused"
	PartCheckMade       EventName = "checked"
)

// PartCheckStatus is how far a part check is.
type PartCheckStatus string

// The statuses of a part check.
const (
	PartCheckRunning PartCheckStatus = "running"
	PartCheckEnded   PartCheckStatus = "ended"
	PartCheckNo      PartCheckStatus = "refused" // Refusal says why
)

// How long part checks are used and kept.
const (
	PartCheckFresh = 10 * time.Minute // a list is not checked again
	PartCheckKept  = 2 * day
	// PartCheckGivenUp is longer than a check takes: one that runs longer is begun anew.
	PartCheckGivenUp = 3 * time.Minute
)

// PartLine is one line of a list, as a client wrote it.
type PartLine struct {
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

// CheckPartsData is a list of parts: Parts, or the text of a file.
type CheckPartsData struct {
	Check  string     `json:"check"` // [PartCheckID]
	Boards int        `json:"boards"`
	Parts  []PartLine `json:"parts,omitempty"`
	BOM    string     `json:"bom,omitempty"`
	// Since is until when an answer of a supplier, or a check, is too old; zero takes
	// those that are kept.
	Since time.Time `json:"since,omitzero"`
}

// PartCheckID is the aggregate id of a check: the same list for as many boards
// is the same check for an account.
func PartCheckID(account string, d CheckPartsData) (string, error) {
	d.Check, d.Since = "", time.Time{}
	text, err := json.Marshal(d)
	return DeriveID("part-check", account, string(text)), err
}

// PartCheck is a list of parts held against what suppliers have. Aggregate id =
// [PartCheckID].
type PartCheck struct {
	ID        string          `json:"id"`
	Account   string          `json:"account"`
	Status    PartCheckStatus `json:"status"`
	Attempt   int             `json:"attempt"`
	Command   string          `json:"command"` // that makes this attempt
	StartedAt time.Time       `json:"started_at"`
	EndedAt   time.Time       `json:"ended_at,omitzero"`
	Report    *PartReport     `json:"report,omitempty"` // of this attempt, as far as it is; else of the one before
	Refusal   *Refusal        `json:"refusal,omitempty"`
}

// Running tells whether somebody is at work on the check.
func (c PartCheck) Running(now time.Time) bool {
	return c.Status == PartCheckRunning && now.Sub(c.StartedAt) < PartCheckGivenUp
}

// Usable tells whether the check need not be made again.
func (c PartCheck) Usable(now time.Time) bool {
	if now.Sub(c.EndedAt) >= PartCheckFresh {
		return false
	}
	return c.Status == PartCheckNo || c.Status == PartCheckEnded && c.Report.holds(now.Sub(c.EndedAt))
}

// PartPhase is how far a report on parts goes.
type PartPhase string

// The phases.
const (
	PartsAtFab    PartPhase = "fab"      // the fabricator's stock only
	PartsComplete PartPhase = "complete" // distributors too
)

// PartReport is what was found about a list.
type PartReport struct {
	Phase       PartPhase   `json:"phase"`
	Boards      int         `json:"boards"`
	Parts       []PartFound `json:"parts"`
	Summary     PartSummary `json:"summary"`
	RetryAfterS int         `json:"retry_after_s,omitempty"` // while parts are still looked up, or a supplier could not be reached
	Unreached   []string    `json:"unreached,omitempty"`     // suppliers that could not be reached about a part that nobody else sells; all others have answered
	Notes       []string    `json:"notes,omitempty"`         // on the list as it was read
}

// IsComplete reports whether every supplier has answered that could be reached.
func (r *PartReport) IsComplete() bool { return r.RetryAfterS == 0 || len(r.Unreached) > 0 }

// holds reports whether a finished report of that age need not be made again: one of
// suppliers that could not be reached, until asking again makes sense.
func (r *PartReport) holds(age time.Duration) bool {
	return r != nil && r.IsComplete() && (r.RetryAfterS == 0 || age < time.Duration(r.RetryAfterS)*time.Second)
}

// PartFound is the answer to a line.
type PartFound struct {
	Reference        string       `json:"reference"`
	Part             string       `json:"part"`
	QuantityPerBoard int64        `json:"quantity_per_board"`
	Verdict          string       `json:"verdict,omitempty"` // ok, check, problem, checking
	Source           string       `json:"source,omitempty"`
	MPN              string       `json:"mpn,omitempty"`
	Manufacturer     string       `json:"manufacturer,omitempty"`
	FabCode          string       `json:"fab_code,omitempty"`
	FabLibrary       string       `json:"fab_library,omitempty"`
	Supplier         string       `json:"supplier,omitempty"`
	SKU              string       `json:"sku,omitempty"`
	CostUSD          string       `json:"cost_usd,omitempty"` // for the whole build
	Bought           int64        `json:"bought,omitempty"`
	Stock            *int64       `json:"stock,omitempty"`
	LeadTimeDays     *int         `json:"lead_time_days,omitempty"`
	Lifecycle        string       `json:"lifecycle,omitempty"`
	Datasheet        string       `json:"datasheet,omitempty"` // address, where a supplier states it
	Why              string       `json:"why,omitempty"`
	Searched         []string     `json:"searched,omitempty"`
	SimilarPart      *PartInStock `json:"similar_part,omitempty"`
	// Replaces is the part that the list names, where another one is fitted: a passive
	// part of which everything that Compared has is at least as good, or one that the
	// customer approved.
	Replaces string         `json:"replaces,omitempty"`
	Compared []PartProperty `json:"compared,omitempty"`
	LeftOff  bool           `json:"left_off,omitempty"` // nothing is bought or fitted for it; Why says why
	Line     int            `json:"line,omitempty"`     // of the list as it was sent in parts, from 1
}

// PartProperty holds one property of a part that takes another's place against the
// other's.
type PartProperty struct {
	Property    string `json:"property"` // value, size, tolerance, voltage, dielectric, power, current, temperature, temperature_coefficient, height, film, qualities, grade
	Named       string `json:"named"`
	Replacement string `json:"replacement"`
	Worse       bool   `json:"worse,omitempty"` // or not known; only of parts that are offered
}

// Cents is CostUSD in whole cents: what costs less than half a cent is none.
func (p PartFound) Cents() int64 {
	whole, part, _ := strings.Cut(p.CostUSD, ".")
	dollars, _ := strconv.ParseInt(whole, 10, 64)
	cents, _ := strconv.ParseInt((part + "00")[:2], 10, 64)
	return 100*dollars + cents
}

// PartInStock is offered in place of a part that cannot be bought, and never
// fitted without the customer's word.
type PartInStock struct {
	MPN          string `json:"mpn"`
	Manufacturer string `json:"manufacturer,omitempty"`
	Source       string `json:"source"`
	Supplier     string `json:"supplier"`
	SKU          string `json:"sku"`
	Stock        int64  `json:"stock"`
	CostUSD      string `json:"cost_usd"`
	Why          string `json:"why"`
	// Compared is empty where nothing is known of the part that the list names.
	Compared []PartProperty `json:"compared,omitempty"`
}

// PartSummary totals a report.
type PartSummary struct {
	Lines         map[string]int `json:"lines"`           // by verdict
	PartsCents    int64          `json:"parts_cents"`     // of the lines that can be bought, for the build
	PerBoardCents int64          `json:"per_board_cents"` // of the same
	Complete      bool           `json:"complete"`        // every line can be bought
}
