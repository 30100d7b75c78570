package classify

import (
	"path"
	"strings"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/sources"
)

// A File is one file of an upload.
type File = sources.File

// Formats that a file can have, beside those of [sources], which hold a whole board.
const (
	FormatGerber     = "gerber"
	FormatExcellon   = "excellon"
	FormatTape       = "drill program in tape code"
	FormatJob        = "gerber job"
	FormatOrder      = "order settings" // that EasyEDA writes beside the artwork
	FormatOrderFile  = "board order"    // what a quote gives back to keep beside the design
	FormatNetlist    = "ipc-d-356"
	FormatAltium     = "altium design"
	FormatDesign     = "cad design"
	FormatWorkspace  = "viewer workspace"
	FormatExtRep     = "altium extension report"
	FormatLayerPairs = "altium layer pairs"
	FormatDrillRep   = "drill report"
	FormatRules      = "altium design rules"
	FormatApertures  = "aperture list"
	FormatNCParam    = "nc parameters"
	FormatReport     = "cam report"
	FormatBOM        = "bom"
	FormatPlacement  = "placement"
	FormatTable      = "table"
	FormatStackup    = "layer stack table"
	FormatReadme     = "readme"
	FormatText       = "text"
	FormatPDF        = "pdf"
	FormatImage      = "image"
	FormatMechanical = "mechanical model"
	FormatArchive    = "archive"
	FormatSystem     = "system leftover"
	FormatCopy       = "older copy"
	FormatEmpty      = "empty"
	FormatUnknown    = "unknown"
)

// A Result is what was found out about one file.
type Result struct {
	pcb.FileReport
	Group    int // index into the groups; -1 when in none
	Order    int // copper layer as stated, before the set is ordered
	Evidence []Evidence
	CopyOf   string // the file that this is a copy of
	Outdone  string // the file that takes its place, of a plot with as many layers as the job file counts
	Older    string // the file that takes its place, of the same layer and plotted later
	Plane    bool   // called as its tool calls planes that it plots as negatives where they hold clearances only
	Backup   bool   // what a design tool kept by itself, beside a board
	// InternalPlane marks what bears the extension of an internal plane of Protel or Altium,
	// which plots these as negatives whatever lies on them.
	InternalPlane bool
	// NegativeFilm marks an Allegro film that says it is plotted as a negative. The format
	// of the file says nothing of that: it has the polarity of what it draws.
	NegativeFilm bool
	ShowsEdge    bool // an Allegro film whose record says that it shows the board's edge
	ShowsScores  bool // one whose record says that it shows V-scores
	// Process is what the file is for that a plain board is made without; "" for none.
	Process pcb.Process
	// Doubt says in a sentence what speaks against the role; "" where nothing does.
	Doubt string
	// Guessed marks copper whose place among the inner layers nothing states: names such as
	// GND1 and IN1 do not tell which comes first.
	Guessed bool
	// LastResort marks what was made the outline because no other file can be.
	LastResort bool

	file          *File
	dir           string   // folder within the upload, "" at the root
	base          string   // name without folder
	stem          string   // name without folder and extension
	ext           string   // lower case, without the dot
	rawExt        string   // as written
	words         []string // of the stem, lower case
	rank          float64  // sort key of inner copper
	spanByNumbers bool
	pair          *statedPair // what a report says of a drill file's span
	numbered      bool        // an inner layer whose name has its number among them
	extDesc       string      // what Altium's report calls the extension
	rest          string      // words that name the board rather than the role
}

func newResult(f *File) *Result {
	r := &Result{Group: -1, file: f}
	r.Name, r.Size = f.Name, int64(len(f.Data))
	r.dir, r.base = path.Split(strings.ReplaceAll(f.Name, "\\", "/"))
	r.dir = strings.TrimSuffix(r.dir, "/")
	r.ext = strings.ToLower(strings.TrimPrefix(path.Ext(r.base), "."))
	r.rawExt = strings.TrimPrefix(path.Ext(r.base), ".")
	r.stem = strings.TrimSuffix(r.base, path.Ext(r.base))
	if strings.ContainsRune(r.ext, ' ') || len(r.ext) > 10 {
		r.stem, r.ext = r.base, ""
	}
	r.words = splitWords(r.stem)
	return r
}

// artwork tells whether the file draws or drills something.
func (r *Result) artwork() bool {
	return r.Format == FormatGerber || r.Format == FormatExcellon
}

// Use marks the file as read for a board. The first board that does keeps it.
func (r *Result) Use(board string) {
	r.Used = true
	if r.Board == "" {
		r.Board = board
	}
}

// LeaveAside marks the file as looked at and left aside.
func (r *Result) LeaveAside(why string) {
	r.Used = false
	r.Why += "; left aside: " + why
}

// Archive is the innermost archive that holds the file, "" for none.
func (r *Result) Archive() string { return Archive(r.Name) }

// Archive is the path of the innermost archive that a file's name says it came
// out of, "" for none: archives are joined by "!/", or are folders that keep
// the archive's name.
func Archive(name string) string {
	for i := strings.LastIndexByte(name, '/'); i >= 0; i = strings.LastIndexByte(name[:i], '/') {
		if folder := name[:i]; strings.HasSuffix(folder, "!") || archiveExtensions[strings.ToLower(path.Ext(folder))] {
			return strings.TrimSuffix(folder, "!")
		}
	}
	return ""
}

var archiveExtensions = map[string]bool{
	".zip": true, ".rar": true, ".7z": true, ".tgz": true, ".tar": true, ".gz": true, ".bz2": true,
}
