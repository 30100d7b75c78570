package web_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/edgetest"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// TestWait: how long a client may ask to wait, in the address or by preference, and what
// is refused or overheard.
func TestWait(t *testing.T) {
	t.Parallel()
	w := edgetest.New(t)
	w.Serve(web.Route{Method: "GET", Path: "/wait", Handle: func(c *web.Call) error {
		if err := c.RefuseRepeated(); err != nil {
			return err
		}
		f := jsonbody.NewFields(nil)
		timeout := c.Wait(30, f)
		if p := f.Problems(); len(p) > 0 {
			return problem.Fields(p)
		}
		return c.JSON(200, timeout.Seconds())
	}})
	for _, tt := range []struct {
		query, prefer, want string
		bad                 []string
	}{
		{"", "", "30", nil}, {"?wait_s=0", "", "0", nil}, {"?wait_s=150", "", "150", nil}, {"?wait_s=151", "", "", []string{"wait_s out_of_range"}}, {"?wait_s=-1", "", "", []string{"wait_s out_of_range"}},
		{"?wait_s=", "", "", []string{"wait_s wrong_type"}}, {"?wait_s=1.5", "", "", []string{"wait_s wrong_type"}}, {"?wait_s=%2B5", "", "", []string{"wait_s wrong_type"}},
		{"?wait_s=5&wait_s=6", "", "", []string{"wait_s conflict"}}, {"", "wait=10", "10", nil}, {"", "wait=151", "30", nil}, {"?wait_s=5", "wait=10", "5", nil},
	} {
		r := w.Get("/wait"+tt.query, "Prefer", tt.prefer)
		if got := strings.TrimSpace(string(r.Body)); tt.bad == nil && got != tt.want || !slices.Equal(r.Fields(), append([]string{}, tt.bad...)) && tt.bad != nil {
			t.Errorf("GET /wait%s, prefer %q: %s, want %q, %v", tt.query, tt.prefer, got, tt.want, tt.bad)
		}
	}
}

// TestBodies: which bodies are read as one JSON object, and by which code others are refused.
func TestBodies(t *testing.T) {
	t.Parallel()
	w := edgetest.New(t)
	w.Serve(web.Route{Method: "POST", Path: "/object", Handle: func(c *web.Call) error {
		v, err := c.Object()
		if err != nil {
			return err
		}
		again, err := c.Object() // whoever asks later has the same
		if err != nil || len(again) != len(v) {
			t.Errorf("read twice: %v, then %v (%v); want the same", v, again, err)
		}
		return c.JSON(200, len(v))
	}})
	for name, tt := range map[string]struct {
		body   string
		header []string
		code   contract.Code
	}{
		"JSON":                {`{"a": 1}`, nil, ""},
		"JSON of a kind":      {`{"a": 1}`, []string{"Content-Type", "application/problem+json"}, ""},
		"JSON in UTF-8":       {`{"a": 1}`, []string{"Content-Type", "application/json; charset=UTF-8"}, ""},
		"JSON in Latin-1":     {`{"a": 1}`, []string{"Content-Type", "application/json; charset=latin1"}, contract.UnsupportedMedia},
		"a form":              {`a=1`, []string{"Content-Type", "application/x-www-form-urlencoded"}, contract.UnsupportedMedia},
		"a kind that is none": {`{}`, []string{"Content-Type", "json;;"}, contract.UnsupportedMedia},
		"packed":              {`{}`, []string{"Content-Encoding", "gzip"}, contract.UnsupportedMedia},
		"not packed":          {`{}`, []string{"Content-Encoding", "identity"}, ""},
		"nothing":             {``, nil, contract.InvalidJSON},
		"a list":              {`[]`, nil, contract.InvalidJSON},
		"a name twice":        {`{"a": 1, "a": 2}`, nil, contract.InvalidJSON},
		"a megabyte":          {`{"a": "` + strings.Repeat("x", jsonbody.MaxBytes-9) + `"}`, nil, ""},
		"a megabyte and one":  {`{"a": "` + strings.Repeat("x", jsonbody.MaxBytes-8) + `"}`, nil, contract.BodyTooLarge},
	} {
		if r := w.Do("POST", "/object", tt.body, tt.header...); r.Code() != tt.code {
			t.Errorf("%s: %d %.200s, want %q", name, r.Status, r.Body, tt.code)
		}
	}
}

// TestAddresses: what the router itself answers has the shape of every other refusal.
func TestAddresses(t *testing.T) {
	t.Parallel()
	w := edgetest.New(t)
	w.Serve(
		web.Route{Method: "GET", Path: "/v1/things/{id}", Handle: func(c *web.Call) error {
			id, err := c.PathID("id", 5)
			if err != nil {
				return err
			}
			return c.JSON(200, id)
		}},
	)
	for _, tt := range []struct {
		method, path string
		status       int
		code         contract.Code
	}{
		{"GET", "/v1/things/abcde", 200, ""}, {"GET", "/v1/things/abcdef", 422, contract.InvalidRequest}, {"GET", "/v1/things", 404, contract.NotFound}, {"GET", "/V1/things/a", 404, contract.NotFound},
		{"GET", "/v1/things/a/", 404, contract.NotFound}, {"POST", "/v1/things/a", 405, contract.MethodNotAllowed}, {"DELETE", "/v1/things/a", 405, contract.MethodNotAllowed}, {"OPTIONS", "/v1/things/a", 204, ""},
		{"PROPFIND", "/v1/things/a", 405, contract.MethodNotAllowed}, {"HEAD", "/v1/things/a", 200, ""},
	} {
		r := w.Do(tt.method, tt.path, "")
		if r.Status != tt.status || r.Code() != tt.code {
			t.Errorf("%s %s: %d %s, want %d %s", tt.method, tt.path, r.Status, r.Body, tt.status, tt.code)
		}
		if r.Status == 405 && !strings.Contains(r.Header.Get("Allow"), "GET") {
			t.Errorf("%s %s: Allow %q, want GET in it", tt.method, tt.path, r.Header.Get("Allow"))
		}
		for name, want := range map[string]string{"API-Version": web.Version, "X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"} {
			if got := r.Header.Get(name); got != want {
				t.Errorf("%s %s: %s %q, want %q", tt.method, tt.path, name, got, want)
			}
		}
		if !strings.HasPrefix(r.Header.Get("Request-Id"), contract.RequestPrefix) {
			t.Errorf("%s %s: Request-Id %q, want one", tt.method, tt.path, r.Header.Get("Request-Id"))
		}
	}
}

// TestStaticReplies: what is the same for everyone is packed for who takes that, and not
// sent to who has it.
func TestStaticReplies(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("words ", 1000)
	w := edgetest.New(t)
	page := web.NewStatic("text/html", "max-age=60", []byte(long)).Policy("default-src 'self'")
	small := web.NewStatic("text/plain", "max-age=60", []byte("x"))
	w.Serve(
		web.Route{Method: "GET", Path: "/page", Access: web.Public, Handle: page.Serve}, web.Route{Method: "GET", Path: "/small", Access: web.Public, Handle: small.Serve},
		web.Route{Method: "GET", Path: "/html", Access: web.Public, Handle: func(c *web.Call) error { return c.HTML(200, "default-src 'none'", []byte(long)) }},
	)
	for _, tt := range []struct {
		path, accept string
		packed       bool
		want         string
	}{
		{"/page", "gzip", true, long}, {"/page", "identity", false, long}, {"/page", "gzip;q=0", false, long}, {"/small", "gzip", false, "x"}, {"/html", "br, gzip", true, long}, {"/html", "identity", false, long},
	} {
		r := w.Get(tt.path, "Accept-Encoding", tt.accept)
		body := r.Body
		if packed := r.Header.Get("Content-Encoding") == "gzip"; packed != tt.packed {
			t.Errorf("GET %s for %q: packed %t, want %t", tt.path, tt.accept, packed, tt.packed)
			continue
		}
		if tt.packed {
			z, err := gzip.NewReader(bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			if body, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		if string(body) != tt.want || r.Header.Get("Vary") != "Accept-Encoding" {
			t.Errorf("GET %s for %q: %d bytes, Vary %q; want %d that vary by what is taken", tt.path, tt.accept, len(body), r.Header.Get("Vary"), len(tt.want))
		}
	}
	r := w.Get("/page")
	if r.Header.Get("Cache-Control") != "max-age=60" || r.Header.Get("Content-Security-Policy") != "default-src 'self'" {
		t.Errorf("GET /page: %v, want its own policy and cache", r.Header)
	}
	etag := r.Header.Get("ETag")
	for match, want := range map[string]int{etag: 304, "W/" + etag: 304, `"other", ` + etag: 304, "*": 304, `"other"`: 200, "": 200, strings.Trim(etag, `"`): 200} {
		if r := w.Get("/page", "If-None-Match", match); r.Status != want || want == 304 && len(r.Body) > 0 {
			t.Errorf("GET /page with %s for ETag %s: %d, %d bytes; want %d", match, etag, r.Status, len(r.Body), want)
		}
	}
}

// TestQuotasAreGivenBackOnce: a call that turns out to take nothing gives back what it took, of all
// quotas or of long ones, and only once.
func TestQuotasAreGivenBackOnce(t *testing.T) {
	t.Parallel()
	var given []string
	w := edgetest.New(t)
	w.Serve(web.Route{Method: "GET", Path: "/take", Handle: func(c *web.Call) error {
		before := c.HasTokens()
		c.DeferGiveBack(time.Hour, func() { given = append(given, "hour") })
		c.DeferGiveBack(24*time.Hour, func() { given = append(given, "day") })
		c.RefundFrom(24 * time.Hour)
		c.Refund()
		c.Refund()
		c.Defer(func() { given = append(given, "end") })
		return c.JSON(200, strconv.FormatBool(before)+strconv.FormatBool(c.HasTokens()))
	}})
	if r := w.Get("/take"); r.Status != http.StatusOK || strings.TrimSpace(string(r.Body)) != `"falsefalse"` || !slices.Equal(given, []string{"day", "hour", "end"}) {
		t.Errorf("GET /take: %d %s, given back %v; want the day, then the hour, once each, then the end", r.Status, r.Body, given)
	}
}
