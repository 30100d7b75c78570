package compat_test

import (
	"errors"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"boardorder/deploy/access"
	"boardorder/deploy/access/bucket"
	"boardorder/deploy/compat/peers"
	"boardorder/pkg/blob"
	blobopen "boardorder/pkg/blob/open"
	"boardorder/pkg/blob/s3"
)

// Users of the bucket reach their own prefixes only, on the server that Compose
// runs: as the programs do, through the adapter that they use.
func TestBucketUsers(t *testing.T) {
	if os.Getenv("S3_URL") != "" {
		t.Skip("S3_URL names a server whose users are made with other tools")
	}
	u, err := url.Parse(peers.StartS3(t))
	if err != nil {
		t.Fatal(err)
	}
	u.Path = "/" + access.Bucket
	root, err := s3.Parse(u.String())
	if err != nil {
		t.Fatal(err)
	}
	secrets := map[string]string{}
	// Made, then changed: it may be done again at any time.
	for _, generation := range []string{"first", "second"} {
		for _, p := range access.FileUsers() {
			secrets[p.Name] = generation + "-secret-of-" + p.Name
		}
		if err := errors.Join(bucket.Users(t.Context(), root, secrets), bucket.Policy(t.Context(), root)); err != nil {
			t.Fatal(err)
		}
	}
	for _, prefix := range []string{"staging/", "uploads/", "boards/"} {
		put(t, u, prefix+"there")
	}
	for _, p := range access.FileUsers() {
		own := *u
		own.User = url.UserPassword(p.Name, secrets[p.Name])
		reach(t, own.String(), p)
	}
}

func put(t *testing.T, u *url.URL, key string) {
	t.Helper()
	if _, err := open(t, u.String()).Put(t.Context(), key, strings.NewReader("x"), 1, "text/plain"); err != nil {
		t.Fatal(err)
	}
}

func open(t *testing.T, target string) blob.Store {
	t.Helper()
	s, err := blobopen.Open(t.Context(), target)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func reach(t *testing.T, target string, p access.Program) {
	t.Helper()
	store := open(t, target)
	if err := store.Ping(t.Context()); err != nil {
		t.Errorf("%s: %v", p.Name, err)
	}
	for _, prefix := range []string{"staging/", "uploads/", "boards/"} {
		writes := slices.Contains(p.Files.Write, prefix)
		reads := writes || slices.Contains(p.Files.Read, prefix)
		if r, _, err := store.Get(t.Context(), prefix+"there"); (err == nil) != reads {
			t.Errorf("%s reads %s: %v, want %t", p.Name, prefix, err, reads)
		} else if err == nil {
			_ = r.Close()
		}
		key := prefix + "of-" + p.Name
		if _, err := store.Put(t.Context(), key, strings.NewReader("x"), 1, "text/plain"); (err == nil) != writes {
			t.Errorf("%s writes %s: %v, want %t", p.Name, prefix, err, writes)
		}
		if err := store.Delete(t.Context(), key); writes && err != nil {
			t.Errorf("%s deletes below %s: %v", p.Name, prefix, err)
		}
	}
}
