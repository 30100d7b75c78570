package contract

import "time"

// Commands of the design-check service.
var (
	ReadBoard   = CommandName{"design-check", "read"}   // read a set of files
	ForgetBoard = CommandName{"design-check", "forget"} // drop what was kept of one
)

// Events of the board aggregate.
const (
	BoardRead      EventName = "read"
	BoardDrawn     EventName = "drawn" // layer by layer
	BoardForgotten EventName = "forgotten"
)

// ForgetBoardData names a reading that may go. It stays as long as an upload,
// an unexpired quote or an order needs it, unless it must go.
type ForgetBoardData struct {
	Digest string `json:"digest"`
	Must   bool   `json:"must,omitempty"` // ITAR: whoever needs it
}

// ReadBoardData is what to read. The same content is read once.
type ReadBoardData struct {
	Digest string       `json:"digest"`
	Upload string       `json:"upload"` // its ref
	Files  []UploadFile `json:"files"`
}

// ReadFiles is what was read from a set of files. Aggregate id = the content digest.
type ReadFiles struct {
	Digest   string      `json:"digest"`
	Gone     bool        `json:"gone,omitempty"` // forgotten: read again when needed
	Package  string      `json:"package"`        // blob key of a zip of all files
	Reader   string      `json:"reader"`         // version of the reader
	ReadAt   time.Time   `json:"read_at"`
	Files    []FileClass `json:"files"`
	Boards   []BoardFile `json:"boards"`
	Findings []Finding   `json:"findings,omitempty"` // of no board in particular
}

// FileClass says what a file was taken for.
type FileClass struct {
	Name       string  `json:"name"`
	Role       string  `json:"role"`
	Side       string  `json:"side,omitempty"`
	Layer      int     `json:"layer,omitempty"` // copper layers, 1 = top
	Format     string  `json:"format,omitempty"`
	Why        string  `json:"why"`
	Confidence float64 `json:"sure"` // 0 to 1
	Board      string  `json:"board,omitempty"`
}

// A Fact is one thing that the files state, in the API's units.
type Fact struct {
	Value   any    `json:"value"`
	Source  string `json:"source"`            // file, and line where it has one
	Default bool   `json:"default,omitempty"` // a design tool's untouched default: counts as unstated
}

// BoardFile is one board of an upload.
type BoardFile struct {
	Name string `json:"name"`
	// Facts by option name as in quote requests (layers, thickness_mm, copper_oz,
	// inner_copper_oz, surface_finish, solder_mask, material, via_process, …) and
	// width_mm, height_mm, holes, smallest_drill_mm, ….
	Facts    map[string]Fact `json:"facts"`
	Findings []Finding       `json:"findings,omitempty"`
	Top      string          `json:"top,omitempty"`    // blob key of the picture, PNG
	Bottom   string          `json:"bottom,omitempty"` // likewise
	// Package is the blob key of a zip of what this board is built from: its own
	// files where the upload holds others', plotted ones where it holds no
	// artwork; empty where the upload's package is what it is built from.
	Package string `json:"package,omitempty"`
	// Layers are pictures of each layer alone, once somebody asked for them.
	Layers []LayerPicture `json:"layers,omitempty"`
}

// LayerPicture is one layer of a board, seen from the top, on transparent
// ground; all layers of a board have the same frame.
type LayerPicture struct {
	Name  string `json:"name"`
	Role  string `json:"role"`
	Side  string `json:"side,omitempty"`
	Order int    `json:"order,omitempty"` // copper layers, 1 = top
	Key   string `json:"key"`             // blob key, PNG
}

// PackageOf is the blob key of what the named board is built from.
func (r ReadFiles) PackageOf(board string) string {
	for _, b := range r.Boards {
		if b.Name == board && b.Package != "" {
			return b.Package
		}
	}
	return r.Package
}
