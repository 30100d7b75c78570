// Package design is about the design that a request names by its upload:
// whether it may be used, and what follows when it is declared
// ITAR-controlled.
package design

import (
	"context"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/contract"
	"boardorder/pkg/projection"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// MaxUploadID is how many characters an upload_id has at most.
const MaxUploadID = 64

// Designs answers for uploads.
type Designs struct {
	Send aggregate.Sender
	Docs projection.Store
	Now  func() time.Time
}

// DeclaresITAR tells whether the request says that the design is
// ITAR-controlled. Nothing else of such a request may be looked at.
func DeclaresITAR(body map[string]any) bool {
	declared, _ := body["itar"].(bool)
	return declared
}

// RefuseITAR answers from the request alone. Then the upload that it names is
// marked, by its ref: the one thing that is kept of the request.
func (d Designs) RefuseITAR(c *web.Call, body map[string]any) error {
	refusal := contract.Refuse(contract.ITARNotSupported, "Designs declared ITAR-controlled cannot be ordered through this service. Nothing of this request was read or kept, and the files that it names are deleted.")
	id, _ := body["upload_id"].(string)
	if id == "" || len(id) > MaxUploadID {
		return refusal
	}
	ref := contract.SecretRef(id)
	cmd, err := contract.NewCommand(contract.DeclareITAR, "", c.Caller.Account, d.Now(), contract.UploadData{Ref: ref})
	if err != nil {
		return err
	}
	cmd.ID = contract.DeriveID("declare-itar", ref, c.Caller.Account)
	cmd.Correlation = cmd.ID
	if err := d.Send.Send(c.Context(), cmd); err != nil {
		p := problem.Unavailable(err)
		p.Refusal.Message = "The declaration could not be recorded. Nothing of this request was read or kept; please send it again."
		return p
	}
	return refusal
}

// Brief gives an upload, less its files.
func (d Designs) Brief(ctx context.Context, ref string) (up contract.UploadBrief, found bool, err error) {
	doc, found, err := outcome.Document(ctx, d.Docs, string(contract.UploadAggregate), ref)
	if err == nil && found {
		up, err = contract.ReadUploadBrief(doc.Body)
	}
	return up, found, err
}

// Usable gives an upload with files, or says why they cannot be used. Whoever
// holds an upload_id may use it.
func (d Designs) Usable(ctx context.Context, ref string) (contract.UploadBrief, error) {
	up, found, err := d.Brief(ctx, ref)
	switch {
	case err != nil:
		return up, err
	case !found:
		return up, problem.New(contract.UploadNotFound, "There is no upload with this upload_id.")
	case up.Status == contract.UploadITARDeclared:
		return up, problem.New(contract.ITARNotSupported, "This design was declared ITAR-controlled and cannot be ordered through this service.")
	case up.Status != contract.UploadOpen || !d.Now().Before(up.ExpiresAt):
		return up, problem.New(contract.UploadExpired, "The files of this upload were deleted six hours after the last of them arrived. Upload them again.")
	case up.Empty():
		return up, problem.New(contract.NoFiles, "This upload holds no files yet. Send them to its upload_url, then ask again.")
	}
	return up, nil
}
