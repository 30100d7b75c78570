package upload

import (
	"strings"
	"time"

	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/uploads"
)

// LinkPurpose is what signed links to an upload are for.
const LinkPurpose = "upload"

// LinkTTL is how long such a link takes files.
const LinkTTL = 2 * time.Hour

// Resource is the Upload resource. The fields that only the holder of the API
// key may see are nil for others.
type Resource struct {
	OK               bool               `json:"ok"`
	UploadID         *string            `json:"upload_id,omitempty"`
	UploadURL        *string            `json:"upload_url,omitempty"`
	ExpiresInMinutes *int               `json:"expires_in_minutes,omitempty"`
	Files            []string           `json:"files"`
	ExpiresAt        *time.Time         `json:"expires_at"`
	QuoteTakes       string             `json:"quote_takes"`
	Command          *string            `json:"command,omitempty"`
	Status           string             `json:"status"`            // open, or receiving while files are still being unpacked
	Reading          *bool              `json:"reading,omitempty"` // the files are still being read
	Classified       []boards.FileClass `json:"classified,omitempty"`
	LeftOut          []uploads.LeftOut  `json:"left_out,omitempty"`
	Notes            []string           `json:"notes,omitempty"`
}

const quoteTakes = "Bare boards: a few seconds once the files are read. Assembled boards: seconds when the primary fabricator stocks every part, up to about 2.5 minutes when parts are looked up at distributors."

// command sends everything in the present folder as one package. It works as
// it is pasted, in any POSIX shell.
func command(url string) string {
	return "tar -czf - --exclude=.git . | curl -sS -F 'files=@-;filename=design.tgz' '" + url + "'"
}

// Names lists an upload's files, in the order of the upload.
func Names(up uploads.Upload) []string {
	names := make([]string, 0, len(up.Files))
	for _, f := range up.Files {
		names = append(names, f.Name)
	}
	return names
}

// filesOfRequest lists those files of an upload that came with a request: the only ones
// that whoever holds a link may see. Where they lie decides, not what they
// are called: names can be guessed.
func filesOfRequest(up uploads.Upload, request string) []string {
	names := []string{}
	for _, f := range up.Files {
		if strings.HasPrefix(f.Key, uploads.IntakePrefix(up.Ref, request)) {
			names = append(names, f.Name)
		}
	}
	return names
}
