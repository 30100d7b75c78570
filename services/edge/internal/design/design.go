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
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
)

// MaxUploadID is how many characters an upload_id has at most.
const MaxUploadID = 64

// Designs answers for uploads.
type Designs struct {
	Send aggregate.Sender
	Docs projection.Store
	// Secrets knows the ids of uploads that were made here.
	Secrets *secret.Keyring
	Waiters *wait.Waiters
	Now     func() time.Time
}

// Closed is the answer where a design's upload was declared ITAR-controlled before.
func Closed() error {
	return problem.New(contract.ITARNotSupported, "This design was declared ITAR-controlled and cannot be ordered through this service.")
}

// Brief gives an upload, less its files.
func (d Designs) Brief(ctx context.Context, ref string) (up contract.UploadBrief, found bool, err error) {
	doc, found, err := outcome.Document(ctx, d.Docs, string(contract.UploadAggregate), ref)
	if err == nil && found {
		up, err = contract.ReadUploadBrief(doc.Body)
	}
	return up, found, err
}

// Declared reports whether the design of an upload was declared ITAR-controlled.
// What was made of such a design is not shown any more.
func (d Designs) Declared(ctx context.Context, ref string) (bool, error) {
	if ref == "" {
		return false, nil
	}
	up, found, err := d.Brief(ctx, ref)
	return found && up.Status == contract.UploadITARDeclared, err
}

// Usable gives an upload with files, or says why an owner cannot use them. Whoever
// holds an upload_id may use it, but with a key of the mode that it was made with.
func (d Designs) Usable(ctx context.Context, owner, ref string) (contract.UploadBrief, error) {
	up, found, err := d.Brief(ctx, ref)
	switch {
	case err != nil:
		return up, err
	case !found, contract.IsTest(up.Owner) != contract.IsTest(owner):
		return up, problem.New(contract.UploadNotFound, "There is no upload with this upload_id.")
	case up.Status == contract.UploadITARDeclared:
		return up, Closed()
	case up.Status != contract.UploadOpen || !d.Now().Before(up.ExpiresAt):
		return up, problem.New(contract.UploadExpired, "The files of this upload were deleted six hours after the last of them arrived. Upload them again.")
	case up.Empty():
		return up, problem.New(contract.NoFiles, "This upload holds no files yet. Send them to its upload_url, then ask again.")
	}
	return up, nil
}
