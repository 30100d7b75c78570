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
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/uploads"
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
		for _, p := range access.Services() {
			secrets[p.Name] = generation + "-secret-of-" + p.Name
		}
		if err := errors.Join(bucket.Users(t.Context(), root, secrets), bucket.Policy(t.Context(), root)); err != nil {
			t.Fatal(err)
		}
	}
	for _, prefix := range append(prefixes(), "") {
		put(t, u, prefix+"there")
		for _, p := range access.Services() {
			put(t, u, prefix+"spare-"+p.Name)
		}
	}
	for _, p := range access.Services() {
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

// reach tries everything below each prefix, and what is below none.
func reach(t *testing.T, target string, p access.Program) {
	t.Helper()
	store := open(t, target)
	if err := store.Ping(t.Context()); err != nil {
		t.Errorf("%s: %v", p.Name, err)
	}
	may := func(what string, err error, want bool) {
		t.Helper()
		if (err == nil) != want {
			t.Errorf("%s %s: %v, want that it is allowed: %t", p.Name, what, err, want)
		}
	}
	for _, prefix := range append(prefixes(), "") {
		reads, puts, deletes := slices.Contains(p.Files.Read, prefix), slices.Contains(p.Files.Put, prefix), slices.Contains(p.Files.Delete, prefix)
		r, _, err := store.Get(t.Context(), prefix+"there")
		if may("gets below "+prefix, err, reads); err == nil {
			_ = r.Close()
		}
		_, err = store.Stat(t.Context(), prefix+"there")
		may("looks below "+prefix, err, reads)
		if _, err := store.Stat(t.Context(), prefix+"not-there"); errors.Is(err, blob.ErrNotFound) != reads {
			t.Errorf("%s looks for what is not below %s: %v", p.Name, prefix, err)
		}
		err = nil
		for _, e := range store.List(t.Context(), prefix) {
			err = errors.Join(err, e)
		}
		may("lists "+prefix, err, reads)
		_, err = store.Put(t.Context(), prefix+"of-"+p.Name, strings.NewReader("x"), 1, "text/plain")
		may("puts below "+prefix, err, puts)
		_, err = store.Put(t.Context(), prefix+"there", strings.NewReader("y"), 1, "text/plain")
		may("replaces below "+prefix, err, puts)
		may("deletes below "+prefix, store.Delete(t.Context(), prefix+"spare-"+p.Name), deletes)
	}
}

func prefixes() []string {
	return []string{uploads.StagingPrefix, uploads.Prefix, boards.Prefix, formal.Prefix}
}
