// Package fabricator is the shared language between the services and whoever
// builds the boards: what to build, what it costs, an order and how it comes
// along, and errors that say what to do next.
//
// It holds plain values only. Package openfab speaks a fabricator's open API,
// package tariff prices from a local table; both offer the methods Upload, Price,
// Place, FindOrder, Progress and Stackups over these types, and a service declares
// the small interface of those that it uses. Package open makes the fabricators
// that the configuration lists.
package fabricator

import "time"

// Test is the name in quotes and orders of test keys, where they name who builds them: nobody.
const Test = "test"

// A Spec is one board as it shall be built and where it shall go. All values
// are the public identifiers of the catalogue (`enig`, `Green`, `FR-4 / TG155`);
// translating them to a fabricator's codes is the adapter's work.
type Spec struct {
	Layers   int `json:"layers"`
	Quantity int `json:"quantity"`

	// Width, Height and Thickness are nanometres.
	Width     int64 `json:"width"`
	Height    int64 `json:"height"`
	Thickness int64 `json:"thickness"`

	// OuterCopper and InnerCopper are ounces per square foot. InnerCopper is
	// ignored below four layers.
	OuterCopper float64 `json:"outer_copper"`
	InnerCopper float64 `json:"inner_copper,omitempty"`

	Material   string `json:"material"`
	Finish     string `json:"finish"`
	Mask       string `json:"mask"`
	Silkscreen string `json:"silkscreen,omitempty"` // colour; empty means the usual one for Mask
	ViaProcess string `json:"via_process"`

	Impedance bool   `json:"impedance,omitempty"` // controlled impedance
	Stackup   string `json:"stackup,omitempty"`   // code of a Stackup; empty lets the fabricator choose

	// Options are catalogue option keys and their values, as CheckOptions
	// accepts them.
	Options map[string]any `json:"options,omitempty"`

	// MinHole, MinTrack and MinSpace are the smallest ones measured on the
	// board, in nanometres; zero means not measured. HoleCount counts all
	// drilled holes of one board. They price, they do not instruct.
	MinHole   int64 `json:"min_hole,omitempty"`
	MinTrack  int64 `json:"min_track,omitempty"`
	MinSpace  int64 `json:"min_space,omitempty"`
	HoleCount int   `json:"hole_count,omitempty"`

	// BuildHours chooses one of Price.Builds; zero is the standard build.
	BuildHours int `json:"build_hours,omitempty"`

	To Destination `json:"to"`

	// FileKey names the design files at the fabricator, from Upload. A price
	// can be asked for without; an order cannot be placed without.
	FileKey string `json:"file_key,omitempty"`
}

// BoardArea is the area of one board in square millimetres.
func (s Spec) BoardArea() float64 { return float64(s.Width) / 1e6 * float64(s.Height) / 1e6 }

// TotalArea is the area of all boards in square metres.
func (s Spec) TotalArea() float64 { return s.BoardArea() * float64(s.Quantity) / 1e6 }

// A Destination is as much of an address as a freight price needs.
type Destination struct {
	Country    string `json:"country"` // ISO 3166-1 alpha-2
	PostalCode string `json:"postal_code,omitempty"`
	City       string `json:"city,omitempty"`
}

// A Stackup is a layer build-up that the fabricator stocks for one
// combination of layers, thickness, copper and material.
type Stackup struct {
	Code   string         `json:"code"` // goes into Spec.Stackup
	Name   string         `json:"name"`
	Layers []StackupLayer `json:"layers"`
}

// A StackupLayer is one sheet of a Stackup, from the top.
type StackupLayer struct {
	Kind    string `json:"kind"` // copper, prepreg, core
	Content string `json:"content"`
}

// An Audit is what the fabricator's own reading of the design files says. It
// is a second opinion to hold ours against, never a replacement.
type Audit struct {
	Layers   int                 `json:"layers"`
	Width    int64               `json:"width"`  // nanometres
	Height   int64               `json:"height"` // nanometres
	MinTrack float64             `json:"min_track"`
	MinSpace float64             `json:"min_space"` // both in mil
	MinHole  float64             `json:"min_hole"`  // mm
	Findings map[string][]string `json:"findings,omitempty"`
}

// A Step is one stage of production and when it began.
type Step struct {
	Name string    `json:"name"`
	At   time.Time `json:"at,omitzero"`
}
