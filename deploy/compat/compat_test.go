package compat_test

import (
	"fmt"
	"os"
	"testing"
	"time"

	"boardorder/deploy/compat/peers"
	"boardorder/pkg/blob"
	"boardorder/pkg/blob/blobtest"
	blobopen "boardorder/pkg/blob/open"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/mongo"
	"boardorder/pkg/projection/projectiontest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	if err := peers.StopMongo(); err != nil {
		fmt.Fprintln(os.Stderr, "stop mongod:", err)
		code = max(code, 1)
	}
	if err := peers.StopS3(); err != nil {
		fmt.Fprintln(os.Stderr, "stop S3 gateway:", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

func TestProjectionOnMongo(t *testing.T) {
	t.Parallel()
	projectiontest.Run(t, func(t *testing.T) func() projection.Store {
		url := peers.StartMongo(t)
		return func() projection.Store {
			store, err := mongo.Open(url, mongo.Lease(200*time.Millisecond))
			if err != nil {
				t.Fatalf("Open = %v", err)
			}
			return store
		}
	})
}

func TestBlobsOnS3(t *testing.T) {
	t.Parallel()
	blobtest.Run(t, func(t *testing.T) func() blob.Store {
		url := peers.StartS3(t)
		return func() blob.Store {
			store, err := blobopen.Open(t.Context(), url)
			if err != nil {
				t.Fatalf("Open = %v", err)
			}
			return store
		}
	}, blobtest.Features{Tree: os.Getenv("S3_URL") == ""})
}
