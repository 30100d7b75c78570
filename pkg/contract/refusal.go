package contract

import (
	"errors"
	"fmt"

	"boardorder/pkg/board/answers"
)

// A Code is an error code that clients see. The list is closed and documented.
type Code string

// The codes. HTTP statuses belong to the edge.
const (
	InvalidJSON          Code = "invalid_json"
	InvalidRequest       Code = "invalid_request" // one or more fields were refused
	Unauthorized         Code = "unauthorized"
	Forbidden            Code = "forbidden"
	NotFound             Code = "not_found"
	MethodNotAllowed     Code = "method_not_allowed"
	Conflict             Code = "conflict"
	UnsupportedMedia     Code = "unsupported_media_type"
	BodyTooLarge         Code = "body_too_large"
	HeadersTooLarge      Code = "headers_too_large"
	RateLimited          Code = "rate_limited"
	Internal             Code = "internal_error"
	Unavailable          Code = "service_unavailable"
	ITARNotSupported     Code = "itar_not_supported"
	UploadNotFound       Code = "upload_not_found"
	UploadNotReady       Code = "upload_not_ready" // its files have arrived and are not unpacked
	UploadExpired        Code = "upload_expired"
	UploadTooLarge       Code = "upload_too_large"
	TooManyFiles         Code = "too_many_files"
	UnreadableArchive    Code = "unreadable_archive"
	NoFiles              Code = "no_files"
	LinkExpired          Code = "link_expired"
	LinkInvalid          Code = "link_invalid"
	NeedsDetails         Code = "needs_details"
	DesignFiles          Code = "design_files"
	NeedsPartNumbers     Code = "needs_part_numbers"
	OffBoardParts        Code = "off_board_parts"
	PriceUnavailable     Code = "price_unavailable"
	QuoteExpired         Code = "quote_expired"
	QuoteNotPayable      Code = "quote_not_payable"
	PartsChanged         Code = "parts_changed" // a part left stock or doubled in price since the quote
	PaymentUnavailable   Code = "payment_unavailable"
	WebhookInvalid       Code = "webhook_invalid"
	AccountExists        Code = "account_exists"
	IdempotencyKeyReused Code = "idempotency_key_reused"
	IdempotencyKeyInUse  Code = "idempotency_key_in_use"
	CodeIncorrect        Code = "code_incorrect"
	CodeLocked           Code = "code_locked"
	CodeExpired          Code = "code_expired"
	PaymentDeclined      Code = "payment_declined"
	AuthenticationNeeded Code = "authentication_required"
	PaymentUnknown       Code = "payment_unknown"
	CursorExpired        Code = "cursor_expired" // events after it are not kept any more

	// Of formal orders.
	OrderNotFound       Code = "order_not_found"
	InvalidFile         Code = "invalid_file"
	DesignOrBOMRequired Code = "design_or_bom_required"
	GerbersRequired     Code = "gerbers_required_for_fabrication"
	LayersRequired      Code = "layers_required"
	ITAROrigin          Code = "itar_origin"
	ApprovalRequired    Code = "explicit_approval_required"
	QuoteNotAccepted    Code = "quote_not_accepted"
	FormalIncomplete    Code = "central_order_incomplete"
	FormalUnavailable   Code = "central_unavailable"
)

// Codes lists every code, in the order of declaration.
func Codes() []Code {
	return []Code{
		InvalidJSON, InvalidRequest, Unauthorized, Forbidden, NotFound, MethodNotAllowed, Conflict,
		UnsupportedMedia, BodyTooLarge, HeadersTooLarge, RateLimited, Internal, Unavailable, ITARNotSupported,
		UploadNotFound, UploadNotReady, UploadExpired, UploadTooLarge, TooManyFiles, UnreadableArchive, NoFiles,
		LinkExpired, LinkInvalid, NeedsDetails, DesignFiles, NeedsPartNumbers, OffBoardParts, PriceUnavailable, QuoteExpired,
		QuoteNotPayable, PartsChanged, PaymentUnavailable, WebhookInvalid, AccountExists, IdempotencyKeyReused, IdempotencyKeyInUse,
		CodeIncorrect, CodeLocked, CodeExpired, PaymentDeclined, AuthenticationNeeded, PaymentUnknown, CursorExpired,
		OrderNotFound, InvalidFile, DesignOrBOMRequired, GerbersRequired, LayersRequired, ITAROrigin, ApprovalRequired,
		QuoteNotAccepted, FormalIncomplete, FormalUnavailable,
	}
}

// FieldProblems lists what may be wrong with a refused field, sorted. It is closed:
// clients may branch on it.
func FieldProblems() []string {
	return []string{
		"conflict", "contradicts", "contradicts_files", "contradicts_stackup", "contradicts_state", "damaged", "duplicate",
		"empty", "encrypted", "fixed", "invalid", "malformed", "missing",
		"not_allowed", "not_applicable", "not_applied", "not_archive", "not_available", "not_offered",
		"not_served", "nothing_to_fit", "out_of_range", "part_of_a_line", "refused_kind", "refused_name",
		"too_large", "too_long", "unknown", "unknown_field", "unsupported", "wrong_type",
	}
}

// A FieldProblem is one refused field of a request.
type FieldProblem struct {
	Field   string `json:"field"`             // path, e.g. ship_to.country
	Problem string `json:"problem"`           // one of FieldProblems
	Message string `json:"message"`           // a sentence for people
	Allowed any    `json:"allowed,omitempty"` // what would have been accepted, where that can be listed
}

// A Question is one option that the files leave open.
type Question struct {
	Option   string `json:"option"`
	Question string `json:"question"`
	Choices  []any  `json:"choices"`
	Usual    any    `json:"usual,omitempty"`
	File     string `json:"file,omitempty"` // that it is about
	// Answers are what can be sent, where that is more than a value of Option.
	Answers []answers.Answer `json:"answers,omitempty"`
}

// A Refusal is the answer "no, because": an outcome of a command, not a
// failure of it. It is safe to show to the client.
type Refusal struct {
	Code      Code           `json:"error"`
	Message   string         `json:"message"`
	Fields    []FieldProblem `json:"fields,omitempty"`
	Questions []Question     `json:"questions,omitempty"`
	Known     map[string]any `json:"known,omitempty"`
	Findings  []Finding      `json:"findings,omitempty"`
	// Parts are the lines of a bill of materials concerned; OffBoard those without a
	// position.
	Parts       []PartQuestion `json:"parts,omitempty"`
	OffBoard    []PartQuestion `json:"off_board_parts,omitempty"`
	RetryAfterS int            `json:"retry_after_s,omitempty"`
	Next        string         `json:"next,omitempty"` // what to do, in a sentence
	CheckoutURL string         `json:"checkout_url,omitempty"`
	// AttemptsLeft is how often a code may still be entered; null for what is no code.
	AttemptsLeft *int `json:"attempts_left,omitempty"`
	// Boards are those of the upload, where it is open which one is meant.
	Boards []BoardSize `json:"boards,omitempty"`
	// Report names the design check that tells more. Replies hold the address of its page
	// instead.
	Report    *ReportSubject `json:"report,omitempty"`
	ReportURL string         `json:"report_url,omitempty"`
	// OldestCursor is from where events are kept, where those after a cursor are not.
	OldestCursor string `json:"oldest_cursor,omitempty"`
	// HeldOrders are the numbers of paid orders that a declaration holds for the team.
	HeldOrders []string `json:"held_orders,omitempty"`
}

// Finding is one thing that is wrong or odd about a design.
type Finding struct {
	Level string `json:"level"` // must_fix, warning, note
	Check string `json:"check"`
	What  string `json:"what"`
	File  string `json:"file,omitempty"`
	Line  int    `json:"line,omitempty"`
	Layer string `json:"layer,omitempty"`
	// Nets are what the files call the nets that What speaks of.
	Nets []string `json:"nets,omitempty"`
	// AtMM is where on the board, x and y in the files' own frame.
	AtMM []float64 `json:"at_mm,omitempty"`
	// Image is the blob key of a picture of the place. Replies hold its address instead.
	Image string `json:"image,omitempty"`
	// Answers are the ways on from it, any one of which will do.
	Answers []answers.Answer `json:"answers,omitempty"`
}

// Error makes a refusal an error, so that decisions can return it.
func (r *Refusal) Error() string { return fmt.Sprintf("%s: %s", r.Code, r.Message) }

// Refuse builds a refusal.
func Refuse(code Code, format string, args ...any) *Refusal {
	return &Refusal{Code: code, Message: fmt.Sprintf(format, args...)}
}

// RefuseFields refuses a request for its fields, of which there is at least one.
func RefuseFields(problems []FieldProblem) *Refusal {
	r := Refuse(InvalidRequest, "%s", problems[0].Message)
	if len(problems) > 1 {
		r.Message = fmt.Sprintf("%d fields were refused; fields says which and why.", len(problems))
	}
	r.Fields = problems
	return r
}

// RefusalIn finds the refusal in err, or nil.
func RefusalIn(err error) *Refusal {
	if r, ok := errors.AsType[*Refusal](err); ok {
		return r
	}
	return nil
}
