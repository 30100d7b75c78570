package open_test

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/blob/open"
	"boardorder/pkg/tlsfiles"
	"boardorder/pkg/tlsfiles/tlstest"
)

// TestTLS: the server is spoken to only if it and we show what the other asks.
func TestTLS(t *testing.T) {
	t.Parallel()
	ours, foreign := tlstest.NewAuthority(t), tlstest.NewAuthority(t)
	good := ours.Files(t)
	// A bucket that is there is all that Open asks for, by a list of nothing.
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "<ListBucketResult><Name>boards</Name></ListBucketResult>")
	}))
	server.TLS = ours.Server(t)
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // what fails is the client's to say
	server.StartTLS()
	t.Cleanup(server.Close)
	url := "s3://k:s@" + strings.TrimPrefix(server.URL, "https://") + "/boards?region=r&lookup=path"
	for name, c := range map[string]struct {
		files tlsfiles.Files
		want  string // "" for no error
	}{
		"good":              {good, ""},
		"foreign authority": {tlsfiles.Files{CA: foreign.Files(t).CA, Cert: good.Cert, Key: good.Key}, "unknown authority"},
		"no certificate":    {tlsfiles.Files{CA: good.CA}, "certificate required"},
		"no such file":      {tlsfiles.Files{CA: "no such file"}, "no such file"},
		"system's roots":    {tlsfiles.Files{}, "unknown authority"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_, err := open.Open(ctx, url, open.TLS(c.files))
			if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
				t.Errorf("Open = %v, want %q", err, c.want)
			}
		})
	}
}

// TestTLSImpostors: no server but the one that is named is sent anything.
func TestTLSImpostors(t *testing.T) {
	t.Parallel()
	ours := tlstest.NewAuthority(t)
	files := ours.Files(t)
	ours.HoldImpostors(t, func(address string) {
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		if _, err := open.Open(ctx, "s3://k:s@"+address+"/boards?region=r&lookup=path", open.TLS(files)); err == nil {
			t.Error("Open = nil")
		}
	})
}
