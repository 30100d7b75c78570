package designchecks

import (
	"strconv"
	"time"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/uploads"
)

// Commands of the design-check service that are about checks.
var (
	Check   = contract.CommandName{Service: "design-check", Verb: "check"}   // a client's request: begin a check, or find the one there is
	Measure = contract.CommandName{Service: "design-check", Verb: "measure"} // carry one out
)

// Events of the design-check aggregate.
const (
	EventStarted    contract.EventName = "started"
	EventProgressed contract.EventName = "progressed"
	EventRefused    contract.EventName = "refused"
	EventChecked    contract.EventName = "checked"
	EventForgotten  contract.EventName = "forgotten"
)

// Events are all of the aggregate.
var Events = []contract.EventName{EventStarted, EventProgressed, EventRefused, EventChecked, EventForgotten}

// Status is how a design check stands, and how it ended.
type Status string

// The statuses of a design check. The last two are never shown as such.
const (
	Running Status = "checking"
	Pass    Status = "pass"
	Warning Status = "warning"
	MustFix Status = "must_fix"
	Refused Status = "refused" // Refusal says why
	Gone    Status = "gone"    // forgotten, or its files went before it ended: made anew when asked for
)

// MeasureData is one attempt at a check.
type MeasureData struct {
	Check   string         `json:"check"` // id of the aggregate
	Attempt int            `json:"attempt"`
	Upload  string         `json:"upload"` // where the files lie
	Files   []uploads.File `json:"files"`
}

// ID is the aggregate id of a check: the same content, answers and options are the
// same check, whoever asks for it. digest is an [boards.DigestWithAnswers]; board is as asked: ""
// is the only one.
func ID(digest, board string, copperOz, thicknessMM float64) string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	return contract.DeriveID("design-check", digest, board, number(copperOz), number(thicknessMM))
}

// DesignCheck is one board held against fabricators' limits. Aggregate id =
// [ID]. It follows from the content of the files alone and names no upload.
type DesignCheck struct {
	ID          string               `json:"id"`
	Digest      string               `json:"digest"`
	Board       string               `json:"board"`             // as asked; once the files are read, its name
	Answers     *answers.FileAnswers `json:"answers,omitempty"` // name files by their whole names
	CopperOz    float64              `json:"copper_oz"`
	ThicknessMM float64              `json:"thickness_mm"`
	Versions    string               `json:"versions"`           // of the reader, rules and limits that measured it, "" until then: by others it is made anew
	BegunBy     string               `json:"begun_by,omitempty"` // the versions that began it, which need not measure it
	Status      Status               `json:"status"`
	Attempt     int                  `json:"attempt"`
	StartedAt   time.Time            `json:"started_at"`
	EndedAt     time.Time            `json:"ended_at,omitzero"`
	Step        string               `json:"step,omitempty"` // while it runs, in words

	Known           map[string]any     `json:"known,omitempty"` // [boards.LayersAndSize] the board
	Findings        []Finding          `json:"findings"`        // worst first
	MoreFindings    int                `json:"more_findings,omitempty"`
	Fabricators     []FabVerdict       `json:"fabricators"`
	FabricatorsNote string             `json:"fabricators_note,omitempty"`
	Files           []boards.FileClass `json:"files"`
	Assumed         []string           `json:"assumed,omitempty"`
	Refusal         *contract.Refusal  `json:"refusal,omitempty"`
	Report          string             `json:"report,omitempty"`        // blob key of the page
	Places          string             `json:"places,omitempty"`        // blob key of all places of the findings, as JSON
	Search          string             `json:"search,omitempty"`        // blob key of the names of nets, parts and pads, as JSON
	NetFiles        int                `json:"net_files,omitempty"`     // how many [NetsName] lie beside Search
	ReportPolicy    string             `json:"report_policy,omitempty"` // content security policy that names the page's own script and style by their hashes
}

// PagePolicy is the content security policy that the report's page is served
// under: in a sandbox, with what it brings itself and nothing else; it may ask to be
// printed. A page whose
// policy was not recorded runs no script.
func (d DesignCheck) PagePolicy() string {
	own := d.ReportPolicy
	if own == "" {
		own = "default-src 'none'; img-src data:"
	}
	return own + "; sandbox allow-scripts allow-modals allow-downloads; frame-ancestors 'none'"
}

// SearchName is the file of what is searched in a report: names of nets, parts and pads.
const SearchName = "search.json"

// NetsName is a file with the copper of some nets, beside [SearchName]; i counts from 0.
func NetsName(i int) string { return "nets-" + strconv.Itoa(i) + ".json" }

// Finding is one kind of fault, said once. Lengths are millimetres,
// positions those of the files, seen from the top.
type Finding struct {
	contract.Finding
	ValueMM *float64 `json:"value_mm,omitempty"` // of the worst place, as Layer and AtMM are
	LimitMM *float64 `json:"limit_mm,omitempty"`
	Value   *float64 `json:"value,omitempty"` // of what is no length, such as aspect_ratio
	Limit   *float64 `json:"limit,omitempty"`
	Count   int      `json:"count,omitempty"`
	Places  []Place  `json:"places,omitempty"` // worst first; some of them
}

// AllPlaces are those of all findings of a check, kept beside its report: there may be
// thousands.
type AllPlaces struct {
	Places [][]Place `json:"places"` // by finding, worst first
}

// Place is where on the board a fault is.
type Place struct {
	Layer   string    `json:"layer,omitempty"`
	AtMM    []float64 `json:"at_mm"`
	ToMM    []float64 `json:"to_mm,omitempty"` // the other end of what was measured
	ValueMM *float64  `json:"value_mm,omitempty"`
	Objects []string  `json:"objects,omitempty"`
	Nets    []string  `json:"nets,omitempty"`
}

// FabVerdict is whether one fabricator would build the board, estimated from
// its published limits.
type FabVerdict struct {
	ID         string      `json:"id"`
	Fabricator string      `json:"fabricator"`
	Primary    bool        `json:"primary,omitempty"` // whose instant price a quote returns
	Verdict    string      `json:"verdict"`           // can_build, cannot_build, not_fully_checked
	Broken     []FabBroken `json:"broken,omitempty"`
	Unchecked  []string    `json:"unchecked,omitempty"` // what could not be judged, in words
	Note       string      `json:"note,omitempty"`
	Sources    []FabSource `json:"sources,omitempty"` // where the limits are published
}

// FabBroken is one limit that the board is beyond.
type FabBroken struct {
	Check   string   `json:"check"`
	What    string   `json:"what"`
	Layer   string   `json:"layer,omitempty"`
	ValueMM *float64 `json:"value_mm,omitempty"`
	LimitMM *float64 `json:"limit_mm,omitempty"`
	Value   *float64 `json:"value,omitempty"` // of what is no length
	Limit   *float64 `json:"limit,omitempty"`
}

// FabSource is where a fabricator's limits were read.
type FabSource struct {
	Title   string `json:"title"`
	URL     string `json:"url"`
	Checked string `json:"checked"` // 2006-01-02
}

// Current reports whether the check needs not be made again for these versions: they
// measured it, or it runs. Were one that runs begun anew by each version that is asked for
// it, none would end while two versions are deployed side by side.
func (d DesignCheck) Current(versions string) bool {
	return d.Status == Running || d.Versions == versions && d.Status != Gone && d.Status != ""
}

// StatusOf is the overall result of findings.
func StatusOf(findings []Finding) Status {
	status := Pass
	for _, f := range findings {
		switch {
		case f.Level == string(MustFix):
			return MustFix
		case f.Level == string(Warning):
			status = Warning
		}
	}
	return status
}
