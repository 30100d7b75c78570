package stackups

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/contract"
)

// A Stackup is a layer build-up that the fabricator stocks for one kind of board.
// STACKUPS holds lists of them, as JSON, by Key.
type Stackup struct {
	Code          string  `json:"code"` // what a quote's fab_stackup takes
	Name          string  `json:"name"`
	Material      string  `json:"material"`
	Layers        int     `json:"layers"` // of copper
	ThicknessMM   float64 `json:"thickness_mm"`
	CopperOz      float64 `json:"copper_oz"`
	InnerCopperOz float64 `json:"inner_copper_oz"`
	Sheets        []Sheet `json:"sheets"` // from the top
}

// A Sheet is one sheet of a stackup.
type Sheet struct {
	Kind    string `json:"kind"` // copper, prepreg, core
	Content string `json:"content"`
}

// Key is where the bucket holds the list for the standard material with
// so many layers.
func Key(layers int) string { return "standard." + strconv.Itoa(layers) }

// IsNamed reports whether a request's words name the stackup; case and blanks around
// them do not count.
func (s Stackup) IsNamed(words string) bool {
	return strings.EqualFold(s.Code, strings.TrimSpace(words))
}

// Codes lists the codes of the stackups of so many copper layers, of all where that is 0.
func Codes(has []Stackup, layers int) []string {
	out := []string{}
	for _, s := range has {
		if (layers == 0 || s.Layers == layers) && !slices.Contains(out, s.Code) {
			out = append(out, s.Code)
		}
	}
	return out
}

// RefuseUnknown refuses words that name none of the stackups that the fabricator has. The
// board has so many copper layers; 0 where nobody knows.
func RefuseUnknown(words string, has []Stackup, layers int) contract.FieldProblem {
	const most = 40 // of what a message repeats of a request
	if r := []rune(words); len(r) > most {
		words = string(r[:most]) + "…"
	}
	boards := ""
	if layers > 0 {
		boards = " for boards with " + strconv.Itoa(layers) + " copper layer"
		if layers > 1 {
			boards += "s"
		}
	}
	return contract.FieldProblem{
		Field: "fab_stackup", Problem: "unsupported", Allowed: Codes(has, layers),
		Message: fmt.Sprintf("The fabricator has no stackup %q%s: choose one of allowed, or leave fab_stackup out.", words, boards),
	}
}
