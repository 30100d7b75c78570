// Package design is about the design that a request names by its upload:
// whether it may be used, and what follows when it is declared
// ITAR-controlled.
package design

import (
	"context"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
	"boardorder/services/edge/internal/dispatch"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
)

// MaxUploadID is how many characters an upload_id has at most.
const MaxUploadID = 64

// Designs answers for uploads.
type Designs struct {
	*dispatch.Client
	Arrivals Arrivals // for Usable and AwaitUnpacked alone
}

// RefuseDeclared is the answer where a design's upload was declared ITAR-controlled before.
func RefuseDeclared() error {
	return problem.New(contract.ITARNotSupported, "This design was declared ITAR-controlled and cannot be ordered through this service.")
}

// Brief gives an upload, less its files.
func (d Designs) Brief(ctx context.Context, ref string) (up uploads.Brief, found bool, err error) {
	doc, found, err := outcome.Document(ctx, d.Docs, string(contract.UploadAggregate), ref)
	if err == nil && found {
		up, err = uploads.ReadBrief(doc.Body)
	}
	return up, found, err
}

// IsDeclared reports whether the design of an upload was declared ITAR-controlled.
// What was made of such a design is not shown any more.
func (d Designs) IsDeclared(ctx context.Context, ref string) (bool, error) {
	if ref == "" {
		return false, nil
	}
	up, found, err := d.Brief(ctx, ref)
	return found && up.Status == uploads.ITARDeclared, err
}

// Usable gives an upload with files, or says why an owner cannot use them. Whoever
// holds an upload_id may use it, but with a key of the mode that it was made with.
// For files that are still being unpacked it waits up to a time, which may be zero.
func (d Designs) Usable(ctx context.Context, owner, ref string, most time.Duration) (uploads.Brief, error) {
	up, known, err := d.findBrief(ctx, owner, ref)
	if err == nil && !known {
		up, err = d.AwaitUnpacked(ctx, owner, ref, most)
	}
	switch {
	case err != nil:
		return up, err
	case contract.IsTest(up.Owner) != contract.IsTest(owner):
		return up, Unknown()
	case up.IsDeclaredFor(owner):
		return up, RefuseDeclared()
	case up.Status != uploads.Open || !d.Now().Before(up.ExpiresAt):
		return up, problem.New(contract.UploadExpired, "The files of this upload were deleted six hours after the last of them arrived. Upload them again.")
	case up.Empty():
		return up, problem.New(contract.NoFiles, "This upload holds no files yet. Send them to its upload_url, then ask again.")
	}
	return up, nil
}

// Unknown is the answer to an upload_id that nobody was given, or that is not the
// caller's.
func Unknown() error {
	return problem.New(contract.UploadNotFound, "There is no upload with this upload_id.")
}

// findBrief is Brief; not known is only an upload whose files are still being unpacked.
func (d Designs) findBrief(ctx context.Context, owner, ref string) (up uploads.Brief, known bool, err error) {
	up, known, err = d.Brief(ctx, ref)
	if err != nil || known {
		return up, known, err
	}
	arrived, found, err := d.Arrivals.Find(ctx, ref)
	switch {
	case err != nil:
		return up, false, err
	case !found, contract.IsTest(arrived.Account) != contract.IsTest(owner):
		return up, false, Unknown()
	case arrived.Refusal != nil:
		return up, false, RefuseFiles(arrived.Refusal)
	}
	return up, false, nil
}

// AwaitUnpacked waits for the files of an upload that were being unpacked a moment ago.
func (d Designs) AwaitUnpacked(ctx context.Context, owner, ref string, most time.Duration) (up uploads.Brief, err error) {
	w := d.Waiters.Join(wait.Subject{Of: contract.UploadAggregate, ID: ref})
	defer w.Leave()
	known := false
	_, err = w.Await(ctx, most, func(ctx context.Context) (bool, error) {
		up, known, err = d.findBrief(ctx, owner, ref)
		return known, err
	})
	if err == nil && !known {
		err = unpacking()
	}
	return up, err
}
