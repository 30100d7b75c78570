package check

import (
	"strconv"
	"time"

	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/quotes"
)

// Report is the design check report of the interface.
type Report struct {
	OK              bool                      `json:"ok"`
	Status          designchecks.Status       `json:"status"`
	Board           string                    `json:"board,omitempty"`
	Known           map[string]any            `json:"known,omitempty"` // layers and size, as far as they were read
	CopperOz        float64                   `json:"copper_oz"`
	ThicknessMM     float64                   `json:"thickness_mm"`
	Findings        []Finding                 `json:"findings"`
	MoreFindings    int                       `json:"more_findings"`
	Fabricators     []designchecks.FabVerdict `json:"fabricators"`
	FabricatorsNote string                    `json:"fabricators_note,omitempty"`
	Files           []boards.FileClass        `json:"files"`
	Assumed         []string                  `json:"assumed"`
	OrderFile       *quotes.OrderSource       `json:"order_file,omitempty"`
	Notes           []string                  `json:"notes,omitempty"`
	ReportURL       string                    `json:"report_url,omitempty"`
	RetryAfterS     int                       `json:"retry_after_s,omitempty"`
	BoardCheck      *BoardCheck               `json:"board_check,omitempty"`
	Parts           *PartReply                `json:"parts,omitempty"`
	PartChecks      *PartChecks               `json:"part_checks,omitempty"`
}

// Finding is one finding with the address of its picture.
type Finding struct {
	designchecks.Finding
	Image    string `json:"image,omitempty"` // hides the blob's key
	ImageURL string `json:"image_url,omitempty"`
}

// BoardCheck says where a check is that still runs.
type BoardCheck struct {
	ID       string    `json:"id,omitempty"`
	State    string    `json:"state"` // queued, running
	Step     string    `json:"step"`
	Since    time.Time `json:"since"`
	ElapsedS int       `json:"elapsed_s"`
}

const (
	waiting = "Waiting for its turn."
)

// report puts a check into the words of the interface. The addresses in it are
// the asker's own: they name its upload, and hold no longer than that is kept.
func (k *Checks) report(in input, base string, check *designchecks.DesignCheck) Report {
	r := reportOf(*check, base)
	r.CopperOz, r.ThicknessMM, r.Notes, r.OrderFile = in.data.CopperOz, in.data.ThicknessMM, in.notes, in.source
	if running(check) {
		r.Status, r.BoardCheck = designchecks.Running, k.progress(check)
		r.RetryAfterS = retryAfter(time.Duration(r.BoardCheck.ElapsedS) * time.Second)
	}
	return r
}

// reportOf is what a check found, with addresses below base.
func reportOf(check designchecks.DesignCheck, base string) Report {
	r := Report{
		OK: true, Status: check.Status, Board: check.Board, Known: check.Known, CopperOz: check.CopperOz, ThicknessMM: check.ThicknessMM,
		Findings: make([]Finding, len(check.Findings)), MoreFindings: check.MoreFindings,
		Fabricators: emptyIfNil(check.Fabricators), FabricatorsNote: check.FabricatorsNote,
		Files: emptyIfNil(check.Files), Assumed: emptyIfNil(check.Assumed),
	}
	for i, f := range check.Findings {
		r.Findings[i] = Finding{Finding: f}
		if f.Image != "" {
			r.Findings[i].ImageURL = base + strconv.Itoa(i) + ".png"
		}
	}
	if check.Report != "" {
		r.ReportURL = base + "report.html"
	}
	return r
}

func emptyIfNil[T any](s []T) []T {
	if s == nil {
		return []T{}
	}
	return s
}

func (k *Checks) progress(check *designchecks.DesignCheck) *BoardCheck {
	b := &BoardCheck{
		ID: check.ID, State: "running", Step: check.Step, Since: check.StartedAt.UTC().Truncate(time.Millisecond),
		ElapsedS: int(max(k.Now().Sub(check.StartedAt), 0) / time.Second),
	}
	if b.Step == "" {
		b.State, b.Step = "queued", waiting
	}
	return b
}

// retryAfter grows with the time that a check has taken: each question counts
// against the limit of its key.
func retryAfter(elapsed time.Duration) int {
	switch {
	case elapsed < 10*time.Second:
		return 3
	case elapsed < time.Minute:
		return 10
	}
	return 20
}
