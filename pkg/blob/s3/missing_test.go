package s3

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"time"

	"boardorder/pkg/blob"
)

// TestMissingIsNotForbidden: a server that lets nobody list the whole bucket says of a
// missing object that it is forbidden. What is below our own prefixes is told from that
// by a list, and what is below others' stays forbidden.
func TestMissingIsNotForbidden(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		refuse := func() {
			w.WriteHeader(http.StatusForbidden)
			_, _ = fmt.Fprint(w, "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>")
		}
		prefix := r.URL.Query().Get("prefix")
		switch {
		case !r.URL.Query().Has("list-type"):
			refuse() // any object
		case prefix == PingPrefix || prefix == "own/missing":
			_, _ = fmt.Fprintf(w, "<ListBucketResult><Name>b</Name><Prefix>%s</Prefix></ListBucketResult>", prefix)
		case prefix == "own/closed":
			_, _ = fmt.Fprint(w, "<ListBucketResult><Name>b</Name><Contents><Key>own/closed</Key><Size>1</Size></Contents></ListBucketResult>")
		default:
			refuse()
		}
	}))
	t.Cleanup(server.Close)
	u, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Parse("s3://key:secret@" + u.Host + "/bucket?tls=off&lookup=path")
	if err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), c, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Ping(t.Context()); err != nil {
		t.Errorf("Ping = %v", err)
	}
	for key, missing := range map[string]bool{"own/missing": true, "own/closed": false, "other/missing": false} {
		_, _, got := s.Get(t.Context(), key)
		_, stat := s.Stat(t.Context(), key)
		if errors.Is(got, blob.ErrNotFound) != missing || errors.Is(stat, blob.ErrNotFound) != missing || got == nil || stat == nil {
			t.Errorf("%s: Get = %v, Stat = %v; want not found: %t", key, got, stat, missing)
		}
	}
}
