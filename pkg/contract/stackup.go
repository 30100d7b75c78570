package contract

import "strconv"

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
