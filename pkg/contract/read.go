package contract

import (
	"time"
)

// A BoardSize is one board of an upload, with its layers and size as far as they were read.
type BoardSize struct {
	Board    string `json:"board"`
	Layers   any    `json:"layers,omitempty"`
	WidthMM  any    `json:"width_mm,omitempty"`
	HeightMM any    `json:"height_mm,omitempty"`
}

// ReportSubject is the design check whose page tells more about a refusal. The check is
// made once somebody opens the page.
type ReportSubject struct {
	ID    string          `json:"id"` // of the check
	Check CheckDesignData `json:"check"`
	Until time.Time       `json:"until"` // the upload ends
}
