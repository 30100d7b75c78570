package shop

import (
	"net/http"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/checkout"
	"boardorder/services/edge/internal/problem"
)

// messagePage says what is wrong, and what to do.
type messagePage struct {
	checkout.Frame
	Heading, Text, RequestID string
	Restart                  bool // other files are the way on
}

func messageOf(p *problem.Problem, requestID string) messagePage {
	v := messagePage{Heading: "Please try again in a moment", Text: "This cannot be shown just now. Nothing is lost.", RequestID: requestID}
	switch p.Refusal.Code {
	case contract.UploadNotFound:
		v.Heading, v.Text, v.Restart = "There is no board at this address", "Please check that the address is complete, or upload your files again.", true
	case contract.UploadExpired:
		v.Heading, v.Text, v.Restart = "These files have been deleted", "We keep files for six hours after they arrive, unless they are ordered. Please upload them again.", true
	case contract.ITARNotSupported:
		v.Heading, v.Text = "This design cannot be ordered here", "It was declared ITAR-controlled. Its files have been deleted, or are being deleted."
	case contract.RateLimited:
		v.Heading, v.Text = "Please wait a little", p.Refusal.Message
	default:
		if p.Status < http.StatusInternalServerError {
			v.Heading, v.Text, v.Restart = "These files cannot be used", uploadWords(p), true
		}
	}
	return v
}
