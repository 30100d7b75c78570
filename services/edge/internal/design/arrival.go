package design

import (
	"context"
	"errors"
	"fmt"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/bus"
	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/problem"
)

// Arrivals knows the uploads whose ids were given before their files were unpacked.
// Nothing else tells of those until the upload service has taken the files in.
type Arrivals struct {
	bucket Bucket
	log    aggregate.Log
}

// NewArrivals keeps them in contract.UploadArrivalsBucket, by ref of the upload.
func NewArrivals(bucket Bucket, log aggregate.Log) Arrivals { return Arrivals{bucket, log} }

// An Arrival is such an upload.
type Arrival struct {
	Account string
	// Refusal is why the files were not taken in; nil while they are unpacked.
	Refusal *contract.Refusal
}

// Note keeps that an owner is given an upload's id. It comes before the id is given.
func (a Arrivals) Note(ctx context.Context, ref, owner string) error {
	if err := a.bucket.Put(ctx, ref, []byte(owner)); err != nil {
		return problem.Unavailable(fmt.Errorf("note upload: %w", err))
	}
	return nil
}

// Find gives an upload that no store has a state of.
func (a Arrivals) Find(ctx context.Context, ref string) (arrival Arrival, found bool, err error) {
	if !contract.ValidToken(ref) {
		return arrival, false, nil
	}
	owner, _, err := a.bucket.Get(ctx, ref)
	if errors.Is(err, bus.ErrNoKey) {
		return arrival, false, nil
	}
	if err != nil {
		return arrival, false, problem.Unavailable(err)
	}
	arrival.Account = string(owner)
	e, err := a.log.Last(ctx, contract.UploadAggregate, ref)
	if errors.Is(err, aggregate.ErrNone) {
		return arrival, true, nil
	}
	if err != nil {
		return arrival, true, problem.Unavailable(err)
	}
	out, _, err := contract.OutcomeOf(e)
	arrival.Refusal = out.Refusal
	return arrival, true, err
}

// RefuseFiles is the answer where an upload's files were not taken in.
func RefuseFiles(r *contract.Refusal) error {
	p := problem.NewFromRefusal(r)
	for _, f := range r.Fields { // a file of the upload, which the sentence may name
		p.Untrusted = append(p.Untrusted, f.Field)
	}
	return p
}

// unpacking is the answer where an upload's files are needed and not unpacked yet.
func unpacking() error {
	return problem.New(contract.UploadNotReady, "The files of this upload have arrived and are still being unpacked. Nothing was lost; please send the same request again shortly.")
}
