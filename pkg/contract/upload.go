package contract

import (
	"encoding/json"
	"errors"
	"slices"
	"time"
)

// Limits of an upload, over all its files.
const (
	MaxUploadFiles     = 20
	MaxUploadFileBytes = 50 << 20
	MaxUploadBytes     = 100 << 20
)

// Commands of the upload service.
var (
	CreateUpload = CommandName{"upload", "create"}
	AddFiles     = CommandName{"upload", "add-files"}
	ExpireUpload = CommandName{"upload", "expire"}
	DeclareITAR  = CommandName{"upload", "declare-itar"}
	DoubtEqual   = CommandName{"upload", "doubt-equal"} // other accounts' uploads of the same files
)

// Events of the upload aggregate.
const (
	UploadCreated      EventName = "created"
	FilesAdded         EventName = "files_added"
	UploadExpiredEvent EventName = "expired"
	ITARDeclared       EventName = "itar_declared"
	UploadDoubted      EventName = "doubted" // another account declared the same files
	// An account declared it whose it is not, or that named it by orders alone.
	UploadClosedTo EventName = "closed_to_account"
)

// Where blobs lie.
const (
	StagingPrefix = "staging/" // as received, until their upload has them
	UploadsPrefix = "uploads/" // uploads/<ref>/…
	BoardsPrefix  = "boards/"  // boards/<digest>/…: pictures and packages of what was read
)

// IntakePrefix is where the files lie that one command took into an upload.
func IntakePrefix(ref, command string) string {
	return UploadsPrefix + ref + "/" + DeriveID(command) + "/"
}

// MaxUnpackedBytes and MaxUnpackedFiles bound what an upload holds after unpacking.
const (
	MaxUnpackedBytes = 500 << 20
	MaxUnpackedFiles = 2000
)

// UploadStatus says whether an upload can be used.
type UploadStatus string

// The statuses of an upload.
const (
	UploadOpen         UploadStatus = "open"
	UploadReceiving    UploadStatus = "receiving" // its files have arrived and are not unpacked: said in replies, in no event
	UploadClosed       UploadStatus = "expired"
	UploadITARDeclared UploadStatus = "itar_declared"
)

// Upload is a set of design files. Aggregate id = SecretRef(upload_id).
type Upload struct {
	Ref        string       `json:"ref"`
	Account    string       `json:"account"`
	Status     UploadStatus `json:"status"`
	CreatedAt  time.Time    `json:"created_at"`
	LastFileAt time.Time    `json:"last_file_at"`
	ExpiresAt  time.Time    `json:"expires_at"`
	Received   []Received   `json:"received"` // as sent, before unpacking
	Files      []UploadFile `json:"files"`    // after unpacking, in order of name
	LeftOut    []LeftOut    `json:"left_out,omitempty"`
	Content    string       `json:"content,omitempty"` // SHA-256 of names and bytes of all files, hex
	Digest     string       `json:"digest,omitempty"`  // [BoardDigest] of it: what the files are known by
	// Earlier are the contents that the upload had before files were added.
	Earlier []string `json:"earlier,omitempty"`
	// Doubted is when another account declared an upload of the same files
	// ITAR-controlled: what is ordered of it is held for people to look at.
	Doubted *time.Time `json:"doubted,omitempty"`
	// DeclaredBy are the accounts that declared this upload and could not have it
	// deleted by that: they cannot use it any more, everybody else can.
	DeclaredBy []string `json:"declared_by,omitempty"`
}

// IsDeclaredFor is [UploadBrief.IsDeclaredFor].
func (u Upload) IsDeclaredFor(account string) bool {
	return UploadBrief{Status: u.Status, DeclaredBy: u.DeclaredBy}.IsDeclaredFor(account)
}

// UploadBrief is what quoting reads of an Upload for each request. The files,
// which may be thousands, stay encoded.
type UploadBrief struct {
	Ref        string
	Owner      string
	Status     UploadStatus
	ExpiresAt  time.Time
	Digest     string
	DeclaredBy []string        // as of an Upload
	Files      json.RawMessage // []UploadFile; shares the memory of what it was read from
}

// ReadUploadBrief reads an Upload's JSON, which an event or a document holds.
func ReadUploadBrief(state []byte) (UploadBrief, error) {
	var u UploadBrief
	var err error
	for name, v := range Fields(state) {
		switch name {
		case "ref":
			u.Ref = v.Str
		case "account":
			u.Owner = v.Str
		case "status":
			u.Status = UploadStatus(v.Str)
		case "expires_at":
			err = u.ExpiresAt.UnmarshalText([]byte(v.Str))
		case "digest":
			u.Digest = v.Str
		case "declared_by":
			err = json.Unmarshal([]byte(v.Raw), &u.DeclaredBy)
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
func (u UploadBrief) IsDeclaredFor(account string) bool {
	return u.Status == UploadITARDeclared || slices.Contains(u.DeclaredBy, account)
}

// Empty reports whether the upload holds no files.
func (u UploadBrief) Empty() bool { return len(u.Files) <= len("null") }

// Received is one file as a client sent it.
type Received struct {
	Name string    `json:"name"`
	Size int64     `json:"size"`
	At   time.Time `json:"at"`
}

// UploadFile is one file after unpacking.
type UploadFile struct {
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
}

// UploadData names an upload.
type UploadData struct {
	Ref string `json:"ref"`
	// Again is a declaration's second look, for what was under way at the first.
	Again bool `json:"again,omitempty"`
	// Keep is a declaration that deletes nothing: it closes the upload to the account
	// that declares it, as of another's upload.
	Keep bool `json:"keep,omitempty"`
}
