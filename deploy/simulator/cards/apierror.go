package cards

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// An apiError is a refusal in the processor's shape.
type apiError struct {
	status  int
	kind    string // invalid_request_error, card_error, idempotency_error, api_error
	code    string
	decline string
	param   string
	message string
	intent  map[string]any // for card errors
	keep    bool           // the step was executed: its effects and this answer stay
}

func invalid(param, format string, args ...any) *apiError {
	return &apiError{status: http.StatusBadRequest, kind: "invalid_request_error", param: param, message: fmt.Sprintf(format, args...)}
}

func invalidCode(code, param, format string, args ...any) *apiError {
	e := invalid(param, format, args...)
	e.code = code
	return e
}

func missing(kind, id string) *apiError {
	return &apiError{
		status: http.StatusNotFound, kind: "invalid_request_error", code: "resource_missing", param: "id",
		message: fmt.Sprintf("No such %s: '%s'", kind, id),
	}
}

// cardError is the answer to a charge that the bank did not allow.
func cardError(d Decline, intent map[string]any) *apiError {
	return &apiError{
		status: http.StatusPaymentRequired, kind: "card_error", code: d.Code, decline: d.DeclineCode,
		message: d.Message, intent: intent, keep: true,
	}
}

func (e *apiError) body() []byte {
	doc := map[string]any{"type": e.kind, "message": e.message}
	for name, value := range map[string]string{"code": e.code, "decline_code": e.decline, "param": e.param} {
		if value != "" {
			doc[name] = value
		}
	}
	if e.intent != nil {
		doc["payment_intent"] = e.intent
		if charge, ok := e.intent["latest_charge"].(string); ok {
			doc["charge"] = charge
		}
	}
	body, err := json.Marshal(map[string]any{"error": doc})
	if err != nil {
		return []byte(`{"error":{"type":"api_error","message":"this error could not be written"}}`)
	}
	return body
}
