package duplicates

import (
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
)

// Retention is how long an upload is entered: longer than its last event, which comes hours
// after its last files.
const Retention = uploads.Retention + 2*contract.Day

// Key is what uploads and orders of the same content are entered under. It is
// no digest of the files, so that an entry tells nothing of them. Of no content it
// is "".
func Key(content string) string {
	if content == "" {
		return ""
	}
	return contract.DeriveID("duplicate", content)
}

// Keys are those of several contents.
func Keys(contents []string) []string {
	keys := make([]string, len(contents))
	for i, content := range contents {
		keys[i] = Key(content)
	}
	return keys
}

// Unknown is what orders are entered under whose content was not known. A
// declaration looks at each of them.
const Unknown = "unknown"

// Bucket is where aggregates of a kind are entered by what their files hold;
// "" if they are not.
func Bucket(a contract.Aggregate) string {
	switch a {
	case contract.UploadAggregate:
		return contract.DuplicateUploadsBucket
	case contract.OrderAggregate:
		return contract.DuplicateOrdersBucket
	}
	return ""
}

// openFor is how long an aggregate of a kind matters after its last event: an
// upload is not kept longer, and an order is built by then or never. A day more is
// for a rollout, in which an older program may still enter nothing.
var openFor = map[contract.Aggregate]time.Duration{contract.UploadAggregate: uploads.Retention + 3*contract.Day, contract.OrderAggregate: 400*contract.Day + contract.Day}

// IsWhole reports whether all that matter of a kind were entered, where entering
// began at a time; the zero time: before there was any.
func IsWhole(a contract.Aggregate, began, now time.Time) bool {
	return began.IsZero() || now.Sub(began) > openFor[a]
}

// HoldData names the content of files that an account declared
// ITAR-controlled: other accounts' orders of the same are held, or with Upload the
// account's own of that upload.
type HoldData struct {
	Account string   `json:"account"`
	Content []string `json:"content"` // Upload.Content, at any time
	Upload  string   `json:"upload,omitempty"`
}

// Concerns reports whether the order of a quote is one of those to be held, as far as
// its account and its upload say.
func (d HoldData) Concerns(account, upload string) bool {
	if d.Upload != "" {
		return account == d.Account && upload == d.Upload
	}
	return account != d.Account && contract.IsTest(account) == contract.IsTest(d.Account)
}
