package contract

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Stackup is a layer build-up that the fabricator stocks for one kind of board.
// STACKUPS holds lists of them, as JSON, by StackupsKey.
type Stackup struct {
	Code          string         `json:"code"` // what a quote's fab_stackup takes
	Name          string         `json:"name"`
	Material      string         `json:"material"`
	Layers        int            `json:"layers"` // of copper
	ThicknessMM   float64        `json:"thickness_mm"`
	CopperOz      float64        `json:"copper_oz"`
	InnerCopperOz float64        `json:"inner_copper_oz"`
	Sheets        []StackupSheet `json:"sheets"` // from the top
}

// A StackupSheet is one sheet of a stackup.
type StackupSheet struct {
	Kind    string `json:"kind"` // copper, prepreg, core
	Content string `json:"content"`
}

// StackupsKey is where the bucket holds the list for the standard material with
// so many layers.
func StackupsKey(layers int) string { return "standard." + strconv.Itoa(layers) }

// IsNamed reports whether a request's words name the stackup; case and blanks around
// them do not count.
func (s Stackup) IsNamed(words string) bool {
	return strings.EqualFold(s.Code, strings.TrimSpace(words))
}

// StackupCodes lists the codes of the stackups of so many copper layers, of all where that is 0.
func StackupCodes(has []Stackup, layers int) []string {
	out := []string{}
	for _, s := range has {
		if (layers == 0 || s.Layers == layers) && !slices.Contains(out, s.Code) {
			out = append(out, s.Code)
		}
	}
	return out
}

// UnknownStackup refuses words that name none of the stackups that the fabricator has. The
// board has so many copper layers; 0 where nobody knows.
func UnknownStackup(words string, has []Stackup, layers int) FieldProblem {
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
	return FieldProblem{
		Field: "fab_stackup", Problem: "unsupported", Allowed: StackupCodes(has, layers),
		Message: fmt.Sprintf("The fabricator has no stackup %q%s: choose one of allowed, or leave fab_stackup out.", words, boards),
	}
}
