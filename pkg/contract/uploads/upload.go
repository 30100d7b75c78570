package uploads

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"boardorder/pkg/contract"
)

// ContentOf is the same for files of the same names and bytes, whoever uploaded
// them: SHA-256, in hex. The files are in order of name. Of none it is "".
func ContentOf(files []File) string {
	if len(files) == 0 {
		return ""
	}
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%d:%s%s", len(f.Name), f.Name, f.SHA256)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Label labels what tells of the design in an upload, by its ref.
func Label(ref string) contract.Label { return contract.NewLabel("upload:", ref) }

// Labels of an upload, as long as anything tells of its files.
func (u Upload) Labels() contract.Labels {
	if u.Content == "" && len(u.Received) == 0 && len(u.Files) == 0 && len(u.LeftOut) == 0 {
		return nil
	}
	return contract.NewLabels(Label(u.Ref))
}

const (
	Retention = 30 * contract.Day
)

// Limits of an upload, over all its files.
const (
	MaxFiles     = 20
	MaxFileBytes = 50 << 20
	MaxBytes     = 100 << 20
)

// Commands of the upload service.
var (
	Create         = contract.CommandName{Service: "upload", Verb: "create"}
	AddFiles       = contract.CommandName{Service: "upload", Verb: "add-files"}
	Expire         = contract.CommandName{Service: "upload", Verb: "expire"}
	DeclareITAR    = contract.CommandName{Service: "upload", Verb: "declare-itar"}
	DoubtDuplicate = contract.CommandName{Service: "upload", Verb: "doubt-duplicate"} // other accounts' uploads of the same files
)

// Events of the upload aggregate.
const (
	EventCreated      contract.EventName = "created"
	EventFilesAdded   contract.EventName = "files_added"
	EventExpired      contract.EventName = "expired"
	EventITARDeclared contract.EventName = "itar_declared"
	EventDoubted      contract.EventName = "doubted" // another account declared the same files
	// An account declared it whose it is not, or that named it by orders alone.
	EventClosedTo contract.EventName = "closed_to_account"
)

// Events are all of the aggregate.
var Events = []contract.EventName{
	EventCreated, EventFilesAdded, EventExpired, EventITARDeclared, EventDoubted,
	EventClosedTo,
}

// Where blobs lie.
const (
	StagingPrefix = "staging/" // as received, until their upload has them
	Prefix        = "uploads/" // uploads/<ref>/…
)

// IntakePrefix is where the files lie that one command took into an upload.
func IntakePrefix(ref, command string) string {
	return Prefix + ref + "/" + contract.DeriveID(command) + "/"
}

// MaxUnpackedBytes and MaxUnpackedFiles bound what an upload holds after unpacking.
const (
	MaxUnpackedBytes = 500 << 20
	MaxUnpackedFiles = 2000
)

// Status says whether an upload can be used.
type Status string

// The statuses of an upload.
const (
	Open         Status = "open"
	Receiving    Status = "receiving" // its files have arrived and are not unpacked: said in replies, in no event
	Expired      Status = "expired"
	ITARDeclared Status = "itar_declared"
)

// Upload is a set of design files. Aggregate id = contract.SecretRef(upload_id).
type Upload struct {
	Ref        string     `json:"ref"`
	Account    string     `json:"account"`
	Status     Status     `json:"status"`
	CreatedAt  time.Time  `json:"created_at"`
	LastFileAt time.Time  `json:"last_file_at"`
	ExpiresAt  time.Time  `json:"expires_at"`
	Received   []Received `json:"received"` // as sent, before unpacking
	Files      []File     `json:"files"`    // after unpacking, in order of name
	LeftOut    []LeftOut  `json:"left_out,omitempty"`
	OrderFile  *OrderFile `json:"order_file,omitempty"` // among the files
	Content    string     `json:"content,omitempty"`    // SHA-256 of names and bytes of all files, hex
	Digest     string     `json:"digest,omitempty"`     // [boards.Digest] of it: what the files are known by
	// Earlier are the contents that the upload had before files were added.
	Earlier []string `json:"earlier,omitempty"`
	// Doubted is when another account declared an upload of the same files
	// ITAR-controlled: what is ordered of it is held for people to look at.
	Doubted *time.Time `json:"doubted,omitempty"`
	// DeclaredBy are the accounts that declared this upload and could not have it
	// deleted by that: they cannot use it any more, everybody else can.
	DeclaredBy []string `json:"declared_by,omitempty"`
}

// IsDeclaredFor is [Brief.IsDeclaredFor].
func (u Upload) IsDeclaredFor(account string) bool {
	return Brief{Status: u.Status, DeclaredBy: u.DeclaredBy}.IsDeclaredFor(account)
}

// Brief is what quoting reads of an Upload for each request. The files,
// which may be thousands, stay encoded.
type Brief struct {
	Ref        string
	Owner      string
	Status     Status
	ExpiresAt  time.Time
	Digest     string
	DeclaredBy []string        // as of an Upload
	OrderFile  *OrderFile      // as of an Upload
	Files      json.RawMessage // []File; shares the memory of what it was read from
}

// ReadBrief reads an Upload's JSON, which an event or a document holds.
func ReadBrief(state []byte) (Brief, error) {
	var u Brief
	var err error
	for name, v := range contract.Fields(state) {
		switch name {
		case "ref":
			u.Ref = v.Str
		case "account":
			u.Owner = v.Str
		case "status":
			u.Status = Status(v.Str)
		case "expires_at":
			err = u.ExpiresAt.UnmarshalText([]byte(v.Str))
		case "digest":
			u.Digest = v.Str
		case "declared_by":
			err = json.Unmarshal([]byte(v.Raw), &u.DeclaredBy)
		case "order_file":
			err = json.Unmarshal([]byte(v.Raw), &u.OrderFile)
		case "files":
			u.Files = json.RawMessage(v.Raw)
		}
	}
	if u.Ref == "" {
		return u, errors.New("this is no upload")
	}
	return u, err
}

// IsDeclaredFor reports whether an account cannot use the upload, since it was declared
// ITAR-controlled by its owner or by that account.
func (u Brief) IsDeclaredFor(account string) bool {
	return u.Status == ITARDeclared || slices.Contains(u.DeclaredBy, account)
}

// Empty reports whether the upload holds no files.
func (u Brief) Empty() bool { return len(u.Files) <= len("null") }

// Received is one file as a client sent it.
type Received struct {
	Name string    `json:"name"`
	Size int64     `json:"size"`
	At   time.Time `json:"at"`
}

// File is one file after unpacking.
type File struct {
	Name   string `json:"name"` // with folders, slash-separated
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`         // hex
	Key    string `json:"key"`            // in the blob store
	From   string `json:"from,omitempty"` // the archive it came in
}

// LeftOut is an archive member that is no design file, such as .DS_Store.
type LeftOut struct {
	Name string `json:"name"`
	Why  string `json:"why"`
}

// StagedFile is a file that the edge streamed into the blob store.
type StagedFile struct {
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
	Key    string `json:"key"` // staging/…
}

// AddFilesData adds staged files to an upload, making it if need be.
type AddFilesData struct {
	Ref   string       `json:"ref"`
	Files []StagedFile `json:"files"`
	// Existing refuses to make the upload: the files came by a signed link.
	Existing bool `json:"existing,omitempty"`
	// Base is the ref of another upload of the account, whose files the new upload has as
	// well; files of the same names replace them. That upload stays as it is.
	Base string `json:"base,omitempty"`
}

// Data names an upload.
type Data struct {
	Ref string `json:"ref"`
	// Again is a declaration's second look, for what was under way at the first.
	Again bool `json:"again,omitempty"`
	// Keep is a declaration that deletes nothing: it closes the upload to the account
	// that declares it, as of another's upload.
	Keep bool `json:"keep,omitempty"`
}
