package problem

import (
	"net/http"

	"boardorder/pkg/contract"
)

var statuses = map[contract.Code]int{
	contract.InvalidJSON:          http.StatusBadRequest,
	contract.WebhookInvalid:       http.StatusBadRequest,
	contract.Unauthorized:         http.StatusUnauthorized,
	contract.Forbidden:            http.StatusForbidden,
	contract.LinkInvalid:          http.StatusForbidden,
	contract.NotFound:             http.StatusNotFound,
	contract.UploadNotFound:       http.StatusNotFound,
	contract.MethodNotAllowed:     http.StatusMethodNotAllowed,
	contract.Conflict:             http.StatusConflict,
	contract.QuoteNotPayable:      http.StatusConflict,
	contract.PartsChanged:         http.StatusConflict,
	contract.AccountExists:        http.StatusConflict,
	contract.IdempotencyKeyInUse:  http.StatusConflict,
	contract.UploadExpired:        http.StatusGone,
	contract.LinkExpired:          http.StatusGone,
	contract.QuoteExpired:         http.StatusGone,
	contract.BodyTooLarge:         http.StatusRequestEntityTooLarge,
	contract.UploadTooLarge:       http.StatusRequestEntityTooLarge,
	contract.HeadersTooLarge:      http.StatusRequestHeaderFieldsTooLarge,
	contract.UnsupportedMedia:     http.StatusUnsupportedMediaType,
	contract.RateLimited:          http.StatusTooManyRequests,
	contract.Internal:             http.StatusInternalServerError,
	contract.Unavailable:          http.StatusServiceUnavailable,
	contract.PriceUnavailable:     http.StatusServiceUnavailable,
	contract.PaymentUnavailable:   http.StatusServiceUnavailable,
	contract.UploadNotReady:       http.StatusServiceUnavailable,
	contract.InvalidRequest:       http.StatusUnprocessableEntity,
	contract.ITARNotSupported:     http.StatusUnprocessableEntity,
	contract.TooManyFiles:         http.StatusUnprocessableEntity,
	contract.UnreadableArchive:    http.StatusUnprocessableEntity,
	contract.NoFiles:              http.StatusUnprocessableEntity,
	contract.NeedsDetails:         http.StatusUnprocessableEntity,
	contract.DesignFiles:          http.StatusUnprocessableEntity,
	contract.NeedsPartNumbers:     http.StatusUnprocessableEntity,
	contract.OffBoardParts:        http.StatusUnprocessableEntity,
	contract.IdempotencyKeyReused: http.StatusUnprocessableEntity,
	contract.CodeIncorrect:        http.StatusUnprocessableEntity,
	contract.CodeLocked:           http.StatusTooManyRequests,
	contract.CodeExpired:          http.StatusGone,
	contract.CursorExpired:        http.StatusGone,
	contract.PaymentDeclined:      http.StatusPaymentRequired,
	contract.AuthenticationNeeded: http.StatusPaymentRequired,
	contract.PaymentUnknown:       http.StatusServiceUnavailable,

	contract.OrderNotFound:       http.StatusNotFound,
	contract.InvalidFile:         http.StatusRequestEntityTooLarge,
	contract.DesignOrBOMRequired: http.StatusUnprocessableEntity,
	contract.GerbersRequired:     http.StatusUnprocessableEntity,
	contract.LayersRequired:      http.StatusUnprocessableEntity,
	contract.ITAROrigin:          http.StatusUnprocessableEntity,
	contract.ApprovalRequired:    http.StatusUnprocessableEntity,
	contract.QuoteNotAccepted:    http.StatusConflict,
	contract.FormalIncomplete:    http.StatusBadGateway,
	contract.FormalUnavailable:   http.StatusBadGateway,
}

// Status is the HTTP status of a code. A code that the edge does not know yet
// is a refusal of the request.
func Status(code contract.Code) int {
	if s, ok := statuses[code]; ok {
		return s
	}
	return http.StatusUnprocessableEntity
}

// usualRetry is when trying again makes sense, in seconds, where nobody said.
func usualRetry(code contract.Code, status int) int {
	switch {
	case code == contract.PriceUnavailable:
		return 120
	case code == contract.PaymentUnavailable:
		return 30
	case status == http.StatusServiceUnavailable, status == http.StatusBadGateway:
		return 5
	case status == http.StatusTooManyRequests:
		return 1
	}
	return 0
}

// Passing reports whether the same request may well succeed later, so that a
// repetition must be a new attempt.
func Passing(code contract.Code) bool { return Status(code) >= 500 }

// HasStatus reports whether a code has a status of its own here.
func HasStatus(code contract.Code) bool {
	_, ok := statuses[code]
	return ok
}
