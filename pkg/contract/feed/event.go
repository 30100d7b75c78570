package feed

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/contract"
)

// The stream of public events. Each object has a subject of its own below its owner's, so
// that an event is guarded by the one before it of the same object, and an owner's are read
// by one filter.
const (
	Stream    = "FEED"
	Subjects  = "feed.*.*"
	Retention = 30 * contract.Day
	// ExpiryConsumer is the feed's second consumer of quotes: an event comes again once the
	// quote's time is over.
	ExpiryConsumer = "feed-expiry"
)

// WakeKind stands in place of an aggregate in calls that an owner has a new event.
const WakeKind contract.Aggregate = "feed"

// Places is how many places a stored version has for public events: a sequence is the
// version times Places and the place.
const Places = 10

// The places of a version's public events. What comes before its own one is told with it.
const (
	placeBefore = 0
	placeOwn    = 1
	placeAfter  = 9 // what follows from a time that the version names
)

// Event is what a client is told. It never changes: neither does its id.
type Event struct {
	ID        string    `json:"id"`
	Type      Type      `json:"type"`
	Timestamp time.Time `json:"timestamp"` // when it happened
	// Sequence grows within the object, with gaps. Previous is that of the object's event
	// before this one, 0 for its first.
	Sequence uint64 `json:"sequence"`
	Previous uint64 `json:"previous_sequence"`
	Livemode bool   `json:"livemode"`
	Data     Data   `json:"data"`
}

// Data is thin: which object, how it stands, amounts and references, of a part its designators
// and number. No name, address or other word of a person or a file; those are fetched with the key. Only what applies is there.
type Data struct {
	Object Object `json:"object"`

	QuoteID       string `json:"quote_id,omitempty"` // a secret: the edge fills it, as it does URL
	RequestID     string `json:"request_id,omitempty"`
	OrderID       string `json:"order_id,omitempty"`
	OrderRef      string `json:"order_ref,omitempty"`
	CheckID       string `json:"check_id,omitempty"` // of a design check or a check of parts
	BuyLinkID     string `json:"buy_link_id,omitempty"`
	UploadDigest  string `json:"upload_digest,omitempty"`  // contract.SecretRef of the upload_id
	ContentSHA256 string `json:"content_sha256,omitempty"` // of names and bytes of all files, hex
	QuoteNumber   string `json:"quote_number,omitempty"`

	EndpointID string `json:"endpoint_id,omitempty"`
	KeyID      string `json:"key_id,omitempty"`
	Network    string `json:"network,omitempty"` // an address, or the network that one of IPv6 is in

	Status        string        `json:"status,omitempty"`
	Reason        string        `json:"reason,omitempty"` // of an endpoint: gone, failing, stopped
	Mode          string        `json:"mode,omitempty"`   // instant, review
	Error         contract.Code `json:"error,omitempty"`
	Questions     int           `json:"questions,omitempty"`        // how many options are open
	Findings      *int          `json:"findings,omitempty"`         // how many kinds of faults
	Options       int           `json:"options,omitempty"`          // how many are offered
	Steps         int           `json:"production_steps,omitempty"` // how many the fabricator has reported
	Quantity      int           `json:"quantity,omitempty"`
	TotalCents    *int64        `json:"total_cents,omitempty"`
	RefundedCents *int64        `json:"refunded_cents,omitempty"` // in all so far
	DisputedCents *int64        `json:"disputed_cents,omitempty"`
	DisputeStatus string        `json:"dispute_status,omitempty"` // open, won, lost
	Currency      string        `json:"currency,omitempty"`       // ISO 4217
	ExpiresAt     *time.Time    `json:"expires_at,omitempty"`
	LowParts      []ScarcePart  `json:"low_parts,omitempty"`             // lines of a quote whose stock fell
	WouldCost     *int64        `json:"would_cost_cents,omitempty"`      // in all, with the parts at their prices now
	WouldHaveCost *int64        `json:"would_have_cost_cents,omitempty"` // the amount that was told before, at first TotalCents
	AsOf          *time.Time    `json:"as_of,omitempty"`                 // when suppliers were asked
	ApprovalID    string        `json:"approval_id,omitempty"`
	PartsApproved *int          `json:"parts_approved,omitempty"` // for how many lines of the approval
	PartsDeclined *int          `json:"parts_declined,omitempty"`
	Changed       []string      `json:"changed"` // fields of the object that are new or other than before
	URL           string        `json:"url,omitempty"`
}

// ScarcePart is a line of a quote of whose part there is little left.
type ScarcePart struct {
	Line      int       `json:"line"` // of the quote's parts, from 1
	Reference string    `json:"reference"`
	MPN       string    `json:"mpn"`
	Stock     int64     `json:"stock"`
	Needed    int64     `json:"needed"`
	Source    string    `json:"source"`
	AsOf      time.Time `json:"as_of"`
	Short     bool      `json:"short"`
}

// Reference is what the account knows the object by; "" where that is a secret.
func (d Data) Reference() string {
	return cmp.Or(d.OrderRef, d.QuoteNumber, d.OrderID, d.CheckID, d.BuyLinkID, d.KeyID, d.EndpointID, d.RequestID, d.UploadDigest)
}

// Object is the kind of thing that an event is about.
type Object string

// The kinds of objects.
const (
	QuoteObject       Object = "quote"
	OrderObject       Object = "order"
	FormalOrderObject Object = "formal_order"
	DesignCheckObject Object = "design_check"
	PartCheckObject   Object = "part_check"
	KeyObject         Object = "key"
	UploadObject      Object = "upload"
	EndpointObject    Object = "webhook_endpoint"
)

// QuoteName names the quote that an event is about to who can derive its secret id.
type QuoteName struct {
	Request string `json:"request"`
	Ref     string `json:"ref"`
}

// Entry is a public event as it is stored.
type Entry struct {
	Event
	Owner  string     `json:"-"`
	Key    string     `json:"-"` // of the object, [KeyOf]
	Cause  string     `json:"-"` // id of the stored event that it is derived from
	Seq    uint64     `json:"-"` // position in the stream; 0 until stored
	Quote  *QuoteName `json:"quote,omitempty"`
	Stored time.Time  `json:"-"`
}

// KeyOf is the subject token of an object: it tells nothing of it.
func KeyOf(a contract.Aggregate, id string) string {
	return contract.DeriveID("feed", string(a), id)
}

// OwnerToken is the subject token of an owner: the account in one of its modes.
func OwnerToken(owner string) string {
	if contract.IsTest(owner) {
		return "test_" + contract.AccountOf(owner)
	}
	return "live_" + owner
}

// OwnerOf is the owner that a token stands for; ok is false for any other text.
func OwnerOf(token string) (owner string, ok bool) {
	mode, account, _ := strings.Cut(token, "_")
	if !contract.ValidToken(account) {
		return "", false
	}
	switch mode {
	case "live":
		return account, true
	case "test":
		return contract.TestOwner(account), true
	}
	return "", false
}

// SubjectOf is where the events of an owner's object lie; of "*" those of all that it has.
func SubjectOf(owner, key string) string { return "feed." + OwnerToken(owner) + "." + key }

// ParseSubject splits the subject of a public event; ok is false for any other.
func ParseSubject(subject string) (owner, key string, ok bool) {
	kind, rest, _ := strings.Cut(subject, ".")
	token, key, _ := strings.Cut(rest, ".")
	owner, ok = OwnerOf(token)
	return owner, key, ok && kind == "feed" && contract.ValidToken(key)
}

const idPrefix = "evt_"

// IDOf is the id of an object's event with a sequence.
func IDOf(key string, sequence uint64) string {
	return idPrefix + key + "_" + strconv.FormatUint(sequence, 10)
}

// ParseID reads what IDOf wrote.
func ParseID(id string) (key string, sequence uint64, ok bool) {
	rest, ok := strings.CutPrefix(id, idPrefix)
	key, number, _ := strings.Cut(rest, "_")
	sequence, err := strconv.ParseUint(number, 10, 64)
	return key, sequence, ok && err == nil && contract.ValidToken(key) && IDOf(key, sequence) == id
}

// SequenceOf is the sequence of what follows from a stored version itself.
func SequenceOf(version uint64) uint64 { return version*Places + placeOwn }

// VersionOf is the last version of an object of which all is told, by the sequence of its last
// public event.
func VersionOf(sequence uint64) uint64 {
	if sequence%Places == placeBefore { // it is told in part
		return max(sequence/Places, 1) - 1
	}
	return sequence / Places
}
