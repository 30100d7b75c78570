package upload_test

import (
	"context"
	"io"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	blobopen "boardorder/pkg/blob/open"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/worker"
	"boardorder/services/upload"

	"go.uber.org/zap"
)

// running is the service over a real broker, with workers of its own.
type running struct {
	*bus.Bus
	blobs blob.Store
}

func serve(t *testing.T) *running {
	t.Helper()
	pool, err := worker.Open(worker.Config{Memory: 256 << 20, CPU: time.Second, Unconfined: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	r := &running{Bus: bustest.Start(t)}
	if r.blobs, err = blobopen.Open(t.Context(), "file:"+t.TempDir()); err != nil {
		t.Fatal(err)
	}
	s := upload.New(upload.Config{Parallel: 2, Retention: time.Hour, SweepWait: time.Hour}, r.Bus, r.blobs, rerouted{pool}, nil, zap.NewNop(), time.Now)
	bustest.Go(t, func(ctx context.Context) error { return s.Serve(ctx, r.Bus) })
	return r
}

// add sends a file for an upload and returns the refusal, if it was refused.
func (r *running) add(t *testing.T, ref string, f sent) *contract.Refusal {
	t.Helper()
	key := uploads.StagingPrefix + contract.DeriveID(ref)
	if _, err := r.blobs.Put(t.Context(), key, strings.NewReader(f.content), -1, ""); err != nil {
		t.Fatal(err)
	}
	request := contract.NewID(contract.RequestPrefix, time.Now())
	c, err := contract.NewCommand(uploads.AddFiles, request, "acc_1", time.Now(), uploads.AddFilesData{
		Ref: ref, Files: []uploads.StagedFile{{Name: f.name, Size: int64(len(f.content)), Key: key}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Send(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	var op contract.Operation
	bustest.WaitFor(t, "what became of "+f.name, func() bool {
		up, err := aggregate.At[uploads.Upload](r.Bus, contract.UploadAggregate, ref).Load(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		settled := false
		if up.Event.Operation == request {
			if op, settled, err = contract.OutcomeOf(up.Event); err != nil {
				t.Fatal(err)
			}
		}
		// A refusal is written down before the files go.
		_, _, gone := r.blobs.Get(t.Context(), key)
		return settled && gone != nil
	})
	return op.Refusal
}

func writeOne(w io.Writer) error {
	_, err := io.WriteString(w, "1")
	return err
}
