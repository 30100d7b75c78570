package contract

import (
	"boardorder/pkg/board/answers"
)

// CheckDesignData is what a client wants checked.
type CheckDesignData struct {
	Upload      string               `json:"upload"`          // its ref
	Board       string               `json:"board,omitempty"` // "" = the only one
	CopperOz    float64              `json:"copper_oz"`
	ThicknessMM float64              `json:"thickness_mm"`
	Answers     *answers.FileAnswers `json:"answers,omitempty"`
}
