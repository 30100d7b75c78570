package boards

import (
	"path"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
)

// Commands of the design-check service.
var (
	Read        = contract.CommandName{Service: "design-check", Verb: "read"}     // read a set of files
	Complete    = contract.CommandName{Service: "design-check", Verb: "complete"} // make the pictures and packages of what was read
	Forget      = contract.CommandName{Service: "design-check", Verb: "forget"}   // decide that what was kept of one goes
	DeleteBlobs = contract.CommandName{Service: "design-check", Verb: "delete"}   // carry the decision out
)

// Retention is how long what was read of files is known after its last change:
// longer than any order needs its files.
const Retention = 400 * 24 * time.Hour

// Events of the board aggregate.
const (
	EventRead       contract.EventName = "read"        // as far as a price needs it
	EventCompleted  contract.EventName = "completed"   // its pictures and packages are made
	EventIncomplete contract.EventName = "incomplete"  // they could not be made
	EventDrawn      contract.EventName = "drawn"       // layer by layer
	EventNeeded     contract.EventName = "needed"      // until a later time than before
	EventChecked    contract.EventName = "check_named" // a design check of it was begun
	EventAnswered   contract.EventName = "answered"    // a reading of the same files with answers was begun
	EventForgotten  contract.EventName = "forgotten"   // the decision that its files go
)

// Events are all of the aggregate.
var Events = []contract.EventName{
	EventRead, EventCompleted, EventIncomplete, EventDrawn, EventNeeded,
	EventChecked, EventAnswered, EventForgotten,
}

// ForgetData names a reading that may go. It stays as long as it is on
// record that it is needed, unless it must go.
type ForgetData struct {
	Digest string `json:"digest"`
	Must   bool   `json:"must,omitempty"` // ITAR: whoever needs it, and at once
}

// DeleteBlobsData names the blobs of a board that was forgotten.
type DeleteBlobsData struct {
	Digest   string   `json:"digest"`
	Prefixes []string `json:"prefixes"`
}

// ForgottenRetention is how long files stay after the decision that they go.
const ForgottenRetention = 24 * time.Hour

// ReadData is what to read. The same content with the same answers is read once.
type ReadData struct {
	Digest string         `json:"digest"` // [DigestWithAnswers]
	Upload string         `json:"upload"` // its ref
	Files  []uploads.File `json:"files"`
	Until  time.Time      `json:"until"` // the upload ends
	// Answers name files by their whole names.
	Answers *answers.FileAnswers `json:"answers,omitempty"`
}

// CompleteData names a reading, and the files that it is of.
type CompleteData struct {
	Digest  string               `json:"digest"`
	Prefix  string               `json:"prefix"` // of the reading's blobs
	Upload  string               `json:"upload"` // its ref
	Files   []uploads.File       `json:"files"`
	Answers *answers.FileAnswers `json:"answers,omitempty"`
}

// Matches reports whether the reading is still the one that is meant.
func (d CompleteData) Matches(r ReadFiles) bool { return r.Prefix == d.Prefix && r.IsRead() }

// ReadFiles is what was read from a set of files. Aggregate id = the digest.
type ReadFiles struct {
	Digest string `json:"digest"`
	// NeededUntil is when the last of those who need the files does not any more.
	NeededUntil time.Time `json:"needed_until,omitzero"`
	// DuplicateKey is what orders of the same files are entered under: [duplicates.Key]. Readings
	// of before have none.
	DuplicateKey string `json:"duplicate_key,omitempty"`
	// Checks are the design checks that were begun, by id.
	Checks []string  `json:"checks,omitempty"`
	Gone   bool      `json:"gone,omitempty"`   // forgotten: read again when needed
	GoneAt time.Time `json:"gone_at,omitzero"` // when that was decided
	// Erased says that what lies in the store had to go at once: [ForgetData].Must.
	Erased bool   `json:"erased,omitempty"`
	Prefix string `json:"prefix,omitempty"` // of all blobs of this reading
	// Rest says how far pictures and packages are. Until they are made their keys tell
	// where they will lie; a picture that cannot be made loses its key.
	Rest     RestStatus         `json:"rest,omitempty"`
	Package  string             `json:"package"` // blob key of a zip of all files
	Reader   string             `json:"reader"`  // version of the reader
	ReadAt   time.Time          `json:"read_at"`
	Files    []FileClass        `json:"files"`
	Boards   []Board            `json:"boards"`
	Findings []contract.Finding `json:"findings,omitempty"` // of no board in particular
	// Answers are what was answered about the files when they were read, and Refused which
	// of it cannot be taken.
	Answers *answers.FileAnswers `json:"answers,omitempty"`
	Refused []answers.Refused    `json:"refused,omitempty"`
	// Answered are the digests of the readings of the same files with answers. They are
	// on the reading without any.
	Answered []string `json:"answered,omitempty"`
}

// A RestStatus is how far the pictures and packages of a reading are.
type RestStatus string

// They follow the reading, which prices wait for.
const (
	RestMade   RestStatus = ""
	RestMaking RestStatus = "making"
	RestFailed RestStatus = "failed" // until a person has the command sent again
)

// IsRead reports whether there is a reading: not only names of checks, and not
// forgotten.
func (r ReadFiles) IsRead() bool { return r.Reader != "" && !r.Gone }

// Retains reports whether the blobs under a prefix are those of a complete reading that was
// forgotten and that stay for [ForgottenRetention] all the same.
func (r ReadFiles) Retains(prefix string, now time.Time) bool {
	return r.Gone && !r.Erased && r.Prefix == prefix && r.Rest == RestMade && now.Before(r.GoneAt.Add(ForgottenRetention))
}

// IsMaking reports whether pictures and packages are being made.
func (r ReadFiles) IsMaking() bool { return r.IsRead() && r.Rest == RestMaking }

// Digest identifies what the files of one upload hold. Two uploads never
// share what was read of equal files, whoever sent them: what is declared of one
// of them, or deleted, must not touch the other's.
func Digest(upload, content string) string {
	if content == "" {
		return ""
	}
	return contract.DeriveID("board", upload, content)
}

// ReadingPrefix is where the blobs of one reading lie: version is the board's when
// the reading began, so that what is deleted is never what was made later.
func ReadingPrefix(digest string, version uint64) string {
	return Prefix + digest + "/" + strconv.FormatUint(version, 10) + "/"
}

// DigestOf is the digest of the board that a blob belongs to; "" for other blobs.
func DigestOf(key string) string {
	rest, ok := strings.CutPrefix(key, Prefix)
	digest, _, _ := strings.Cut(rest, "/")
	if !ok {
		return ""
	}
	return digest
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
	// Doubtful marks what was guessed from what the files draw: nothing is ordered by it
	// without asking.
	Doubtful bool `json:"doubtful,omitempty"`
	// Stated is what the files say of it where they leave it open: several values, or one
	// that nobody can read. Only the customer can settle it.
	Stated []StatedValue `json:"stated,omitempty"`
}

// A StatedValue is one value as a file states it.
type StatedValue struct {
	Words string `json:"words"` // as written, or a number with its unit
	File  string `json:"file"`
	Line  int    `json:"line,omitempty"`
}

// Board is one board of an upload.
type Board struct {
	Name string `json:"name"`
	// Facts by option name as in quote requests (layers, thickness_mm, copper_oz,
	// inner_copper_oz, surface_finish, solder_mask, material, via_process, …) and
	// width_mm, height_mm, holes, smallest_drill_mm, ….
	Facts    map[string]Fact    `json:"facts"`
	Findings []contract.Finding `json:"findings,omitempty"`
	// Measures are the worst values that were measured, whatever the build: who
	// knows the build holds them against its limits.
	Measures []Measure `json:"measures,omitempty"`
	Top      string    `json:"top,omitempty"`    // blob key of the picture, PNG
	Bottom   string    `json:"bottom,omitempty"` // likewise
	// Package is the blob key of a zip of what this board is built from: its own
	// files where the upload holds others', plotted ones where it holds no
	// artwork; empty where the upload's package is what it is built from.
	Package string `json:"package,omitempty"`
	// Layers are pictures of each layer alone, once somebody asked for them.
	Layers []LayerPicture `json:"layers,omitempty"`
}

// Measure is the worst value of one check on a board.
type Measure struct {
	Check string `json:"check"`
	Inner bool   `json:"inner,omitempty"` // of inner copper layers
	Value int64  `json:"value"`           // nanometres; thousandths for ratios
	Layer string `json:"layer,omitempty"`
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

// BoardNamed finds the board that somebody means: by its name, or by its file,
// with or without folders and extension. What fits several is none.
func (r ReadFiles) BoardNamed(requested string) (Board, bool) {
	for _, matches := range []func(Board) bool{
		func(b Board) bool { return b.Name == requested },
		func(b Board) bool { return r.isFileOf(b.Name, requested) },
		func(b Board) bool { return stem(b.Name) == stem(requested) },
	} {
		var found []Board
		for _, b := range r.Boards {
			if matches(b) {
				found = append(found, b)
			}
		}
		if len(found) == 1 {
			return found[0], true
		}
	}
	return Board{}, false
}

func (r ReadFiles) isFileOf(board, file string) bool {
	for _, f := range r.Files {
		if f.Board == board && (f.Name == file || strings.HasSuffix(f.Name, "!/"+file)) {
			return true
		}
	}
	return false
}

// stem is a file's name without folders and extension, in lower case.
func stem(name string) string {
	base := path.Base(strings.ReplaceAll(name, "\\", "/"))
	return strings.ToLower(strings.TrimSuffix(base, path.Ext(base)))
}

// Label labels what tells of a set of files, by its digest, whatever was answered
// about them.
func Label(digest string) contract.Label { return contract.NewLabel("board:", FilesDigest(digest)) }

// Where blobs lie.
const (
	Prefix = "boards/" // boards/<digest>/…: pictures and packages of what was read
)
