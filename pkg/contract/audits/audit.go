package audits

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"boardorder/pkg/contract"
)

// NoteApproval records that a customer answered which alternative parts may be fitted. It has no
// outcome.
var NoteApproval = contract.CommandName{Service: "console", Verb: "note-part-approval"}

// NoteApprovalData names the quote and its approval, which say the rest.
type NoteApprovalData struct {
	Quote    string `json:"quote"` // ref
	Approval string `json:"approval"`
}

// Chain is the id of the one audit aggregate: all that operators did, in the
// order in which it was recorded.
const Chain = "team"

// EventRecorded is the event of the audit aggregate.
const EventRecorded contract.EventName = "recorded"

// Events are all of the aggregate.
var Events = []contract.EventName{EventRecorded}

// Entry is one link of the audit trail, and the state of the audit aggregate
// after it. Its hash covers the record and the hash of the entry before, so that
// a record that was changed or taken out is found.
type Entry struct {
	N      uint64          `json:"n"`      // 1 for the first, then one more each
	Prev   string          `json:"prev"`   // hash of the entry before; empty for the first
	Hash   string          `json:"hash"`   // SHA-256, hex
	Record json.RawMessage `json:"record"` // an Record, as it was hashed
}

// Record says who did what. It holds no personal data but operators' names:
// of customers only ids, and of what was written to them its digest.
type Record struct {
	At       time.Time         `json:"at"`
	Operator string            `json:"operator"`
	Action   string            `json:"action"`            // what was done: refund, price, key.create, …
	Kind     string            `json:"kind,omitempty"`    // of what it was done to: order, quote, account, …
	ID       string            `json:"id,omitempty"`      // of it
	Account  string            `json:"account,omitempty"` // the partner whose it is
	Key      string            `json:"key,omitempty"`     // the API key, for what was done to one
	Request  string            `json:"request,omitempty"`
	Outcome  string            `json:"outcome"` // asked, done, refused, failed, slow
	Before   map[string]string `json:"before,omitempty"`
	After    map[string]string `json:"after,omitempty"`
	From     string            `json:"from,omitempty"` // address of the operator's browser
	// Controlled is for what only US persons may see.
	Controlled bool `json:"controlled,omitempty"`
}

// NewEntry is the entry that follows last; the zero Entry begins a chain.
func NewEntry(last Entry, r Record) (Entry, error) {
	record, err := json.Marshal(r)
	if err != nil {
		return Entry{}, fmt.Errorf("encode audit record: %w", err)
	}
	e := Entry{N: last.N + 1, Prev: last.Hash, Record: record}
	e.Hash = e.sum()
	return e, nil
}

// Follows says what is wrong with an entry as the one after last, if anything.
func (e Entry) Follows(last Entry) error {
	switch {
	case e.N != last.N+1:
		return fmt.Errorf("entry %d stands where entry %d should", e.N, last.N+1)
	case e.Prev != last.Hash:
		return fmt.Errorf("entry %d does not follow from entry %d as it is now", e.N, last.N)
	case e.Hash != e.sum():
		return fmt.Errorf("entry %d was changed after it was written", e.N)
	}
	return nil
}

func (e Entry) sum() string {
	h := sha256.New()
	fmt.Fprintf(h, "%d\n%s\n", e.N, e.Prev)
	h.Write(e.Record)
	return hex.EncodeToString(h.Sum(nil))
}

// Read gives what an entry records.
func (e Entry) Read() (Record, error) {
	var r Record
	if err := json.Unmarshal(e.Record, &r); err != nil {
		return r, fmt.Errorf("decode audit entry %d: %w", e.N, err)
	}
	return r, nil
}

// DigestText stands for a text in the trail that must not hold it: its length and
// the beginning of its digest.
func DigestText(text string) string {
	if text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	return fmt.Sprintf("%d characters, %s", len([]rune(text)), hex.EncodeToString(sum[:8]))
}

// DocumentKind is the projection's kind of document of one entry; the id is
// DocumentID of its number.
const DocumentKind = "audit-entry"

// DocumentID is the id of an entry's document.
func DocumentID(n uint64) string { return fmt.Sprintf("%012d", n) }
