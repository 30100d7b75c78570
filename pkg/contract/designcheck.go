package contract

import (
	"strconv"
	"time"

	"boardorder/pkg/board/answers"
)

// Commands of the design-check service that are about checks.
var (
	CheckDesign   = CommandName{"design-check", "check"}       // a client's request: begin a check, or find the one there is
	MeasureDesign = CommandName{"design-check", "measure"}     // carry one out
	DrawLayers    = CommandName{"design-check", "draw-layers"} // pictures of every layer of what was read
)

// Events of the design-check aggregate.
const (
	CheckStarted    EventName = "started"
	CheckProgressed EventName = "progressed"
	CheckRefused    EventName = "refused"
	CheckMade       EventName = "checked"
	CheckForgotten  EventName = "forgotten"
)

// CheckStatus is how a design check stands, and how it ended.
type CheckStatus string

// The statuses of a design check. The last two are never shown as such.
const (
	CheckRunning       CheckStatus = "checking"
	CheckPass          CheckStatus = "pass"
	CheckWarning       CheckStatus = "warning"
	CheckMustFix       CheckStatus = "must_fix"
	CheckStatusRefused CheckStatus = "refused" // Refusal says why
	CheckGone          CheckStatus = "gone"    // forgotten, or its files went before it ended: made anew when asked for
)

// CheckDesignData is what a client wants checked.
type CheckDesignData struct {
	Upload      string               `json:"upload"`          // its ref
	Board       string               `json:"board,omitempty"` // "" = the only one
	CopperOz    float64              `json:"copper_oz"`
	ThicknessMM float64              `json:"thickness_mm"`
	Answers     *answers.FileAnswers `json:"answers,omitempty"`
}

// MeasureDesignData is one attempt at a check.
type MeasureDesignData struct {
	Check   string       `json:"check"` // id of the aggregate
	Attempt int          `json:"attempt"`
	Upload  string       `json:"upload"` // where the files lie
	Files   []UploadFile `json:"files"`
}

// DrawLayersData names what was read.
type DrawLayersData struct {
	Digest string `json:"digest"`
}

// CheckID is the aggregate id of a check: the same content, answers and options are the
// same check, whoever asks for it. digest is an [DigestWithAnswers]; board is as asked: ""
// is the only one.
func CheckID(digest, board string, copperOz, thicknessMM float64) string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	return DeriveID("design-check", digest, board, number(copperOz), number(thicknessMM))
}

// DesignCheck is one board held against fabricators' limits. Aggregate id =
// [CheckID]. It follows from the content of the files alone and names no upload.
type DesignCheck struct {
	ID          string               `json:"id"`
	Digest      string               `json:"digest"`
	Board       string               `json:"board"`             // as asked; once the files are read, its name
	Answers     *answers.FileAnswers `json:"answers,omitempty"` // name files by their whole names
	CopperOz    float64              `json:"copper_oz"`
	ThicknessMM float64              `json:"thickness_mm"`
	Versions    string               `json:"versions"` // of reader, rules and limits: with others the check is made anew
	Status      CheckStatus          `json:"status"`
	Attempt     int                  `json:"attempt"`
	StartedAt   time.Time            `json:"started_at"`
	EndedAt     time.Time            `json:"ended_at,omitzero"`
	Step        string               `json:"step,omitempty"` // while it runs, in words

	Known           map[string]any `json:"known,omitempty"` // [LayersAndSize] the board
	Findings        []CheckFinding `json:"findings"`        // worst first
	MoreFindings    int            `json:"more_findings,omitempty"`
	Fabricators     []FabVerdict   `json:"fabricators"`
	FabricatorsNote string         `json:"fabricators_note,omitempty"`
	Files           []FileClass    `json:"files"`
	Assumed         []string       `json:"assumed,omitempty"`
	Refusal         *Refusal       `json:"refusal,omitempty"`
	Report          string         `json:"report,omitempty"`        // blob key of the page
	ReportPolicy    string         `json:"report_policy,omitempty"` // content security policy that names the page's own script and style by their hashes
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

// CheckFinding is one kind of fault, said once. Lengths are millimetres,
// positions those of the files, seen from the top.
type CheckFinding struct {
	Finding
	ValueMM *float64     `json:"value_mm,omitempty"` // of the worst place, as Layer and AtMM are
	LimitMM *float64     `json:"limit_mm,omitempty"`
	Value   *float64     `json:"value,omitempty"` // of what is no length, such as aspect_ratio
	Limit   *float64     `json:"limit,omitempty"`
	Count   int          `json:"count,omitempty"`
	Places  []CheckPlace `json:"places,omitempty"` // worst first; some of them
}

// CheckPlace is where on the board a fault is.
type CheckPlace struct {
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

// Current reports whether the check needs not be made again for these versions.
func (d DesignCheck) Current(versions string) bool {
	return d.Versions == versions && d.Status != CheckGone && d.Status != ""
}

// StatusOf is the overall result of findings.
func StatusOf(findings []CheckFinding) CheckStatus {
	status := CheckPass
	for _, f := range findings {
		switch {
		case f.Level == string(CheckMustFix):
			return CheckMustFix
		case f.Level == string(CheckWarning):
			status = CheckWarning
		}
	}
	return status
}
