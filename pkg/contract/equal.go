package contract

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"
)

// ContentOf is the same for files of the same names and bytes, whoever uploaded
// them: SHA-256, in hex. The files are in order of name. Of none it is "".
func ContentOf(files []UploadFile) string {
	if len(files) == 0 {
		return ""
	}
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%d:%s%s", len(f.Name), f.Name, f.SHA256)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// EqualKey is what uploads and orders of the same content are entered under. It is
// no digest of the files, so that an entry tells nothing of them. Of no content it
// is "".
func EqualKey(content string) string {
	if content == "" {
		return ""
	}
	return DeriveID("equal", content)
}

// EqualKeys are those of several contents.
func EqualKeys(contents []string) []string {
	keys := make([]string, len(contents))
	for i, content := range contents {
		keys[i] = EqualKey(content)
	}
	return keys
}

// EqualUnknown is what orders are entered under whose content was not known. A
// declaration looks at each of them.
const EqualUnknown = "unknown"

// EqualsBucket is where aggregates of a kind are entered by what their files hold;
// "" if they are not.
func EqualsBucket(a Aggregate) string {
	switch a {
	case UploadAggregate:
		return EqualUploadsBucket
	case OrderAggregate:
		return EqualOrdersBucket
	}
	return ""
}

// equalsOpen is how long an aggregate of a kind matters after its last event: an
// upload is not kept longer, and an order is built by then or never. A day more is
// for a rollout, in which an older program may still enter nothing.
var equalsOpen = map[Aggregate]time.Duration{UploadAggregate: uploadKept + 3*day, OrderAggregate: 400*day + day}

// EqualsWhole reports whether all that matter of a kind were entered, where entering
// began at a time; the zero time: before there was any.
func EqualsWhole(a Aggregate, began, now time.Time) bool {
	return began.IsZero() || now.Sub(began) > equalsOpen[a]
}
