package shop

import (
	"net/http"
	"time"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/checkout"
	"boardorder/services/edge/internal/problem"
)

// messagePage says what is wrong, and what to do.
type messagePage struct {
	checkout.Frame
	Heading, Text, RequestID string
	Detail                   string // in English
	Restart                  bool   // other files are the way on
}

// failure is the page of a problem.
func (p voice) failure(failure *problem.Problem, now time.Time, requestID string) messagePage {
	v := messagePage{Heading: p.Text("Please try again in a moment"), Text: p.Text("This cannot be shown just now. Nothing is lost."), RequestID: requestID}
	switch failure.Refusal.Code {
	case contract.UploadNotFound:
		v.Heading, v.Text, v.Restart = p.Text("There is no board at this address"), p.Text("Please check that the address is complete, or upload your files again."), true
	case contract.UploadExpired:
		v.Heading, v.Text, v.Restart = p.Text("These files have been deleted"), p.Text("We keep files for six hours after they arrive, unless they are ordered. Please upload them again."), true
	case contract.ITARNotSupported:
		v.Heading, v.Text = p.Text("This design cannot be ordered here"), p.Text("It was declared ITAR-controlled. Its files have been deleted, or are being deleted.")
	case contract.RateLimited:
		v.Heading, v.Text = p.Text("Please wait a little"), p.rateWords(failure.Refusal, now)
	default:
		if failure.Status < http.StatusInternalServerError {
			v.Heading, v.Restart = p.Text("These files cannot be used"), true
			v.Text, v.Detail = p.uploadWords(failure, now)
		}
	}
	return v
}
