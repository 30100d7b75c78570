package upload_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/uploads"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/edgetest"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/upload"
	"boardorder/services/edge/internal/web"
)

// place is where files are sent to.
type place struct {
	*edgetest.World
	uploads *upload.Uploads
	refuse  *contract.Refusal
	silent  bool // nothing comes of a command in time
}

// open serves uploads over the rate limits of a broker.
func open(t testing.TB, b *bus.Bus) *place {
	t.Helper()
	bucket := func(name string) *bus.Bucket {
		k, err := b.Bucket(t.Context(), name)
		if err != nil {
			t.Fatalf("open bucket %s: %v", name, err)
		}
		return k
	}
	p := &place{World: edgetest.New(t)}
	limits := upload.Limits{Files: 2, FileBytes: 100, Bytes: 150}
	p.uploads = &upload.Uploads{
		Client: p.Client, Receiver: upload.Receiver{Blobs: p.Blobs, Limits: limits, Now: p.Now}, Timeout: time.Minute, Slots: make(chan struct{}, 2),
		Links: design.NewLinks(&edgetest.Bucket{}, p.Now), Arrivals: design.NewArrivals(&edgetest.Bucket{}, simbus.New(1, simbus.Faults{})),
		Quotas: upload.Quotas{
			Limiter: limit.New(bucket(contract.RateLimitsBucket), bucket(contract.QuotasBucket), time.Now), Places: limit.NewPlaces(), Network: func(*web.Call) string { return "net" },
		},
	}
	p.Answer = func(c contract.Command) *contract.Operation {
		switch {
		case p.silent:
			return nil
		case p.refuse != nil:
			return &contract.Operation{Refusal: p.refuse}
		}
		var data uploads.AddFilesData
		if err := json.Unmarshal(c.Data, &data); err != nil {
			t.Errorf("decode %s: %v", c.Data, err)
		}
		up := uploads.Upload{Ref: data.Ref, Account: c.Account, Status: uploads.Open, ExpiresAt: p.Now().Add(6 * time.Hour), Content: "c", Digest: "d1"}
		for _, f := range data.Files {
			up.Files = append(up.Files, uploads.File{Name: f.Name, Key: uploads.IntakePrefix(data.Ref, c.ID) + f.Name})
		}
		if data.Existing {
			up.Account = edgetest.Account
			up.Files = append(up.Files, uploads.File{Name: "earlier.gbr", Key: uploads.IntakePrefix(data.Ref, "other") + "earlier.gbr"})
		}
		p.Put(contract.UploadAggregate, data.Ref, up, nil)
		return &contract.Operation{Aggregate: contract.UploadAggregate, ID: data.Ref}
	}
	u := p.uploads
	p.Serve(
		web.Route{Method: "POST", Path: "/v1/uploads", Handle: u.Create}, web.Route{Method: "GET", Path: "/v1/uploads/{upload_id}", Handle: u.Show},
		web.Route{Method: "POST", Path: "/v1/uploads/{upload_id}/revoke-links", Handle: u.Revoke},
		web.Route{Method: "POST", Path: "/u/{token}", Access: web.Public, Handle: u.Add}, web.Route{Method: "OPTIONS", Path: "/u/{token}", Access: web.Public, Handle: upload.Preflight},
	)
	return p
}

func file(name, content string) edgetest.Part {
	return edgetest.Part{Field: "files", Name: name, Content: content}
}

func (p *place) send(t testing.TB, path string, parts ...edgetest.Part) edgetest.Reply {
	t.Helper()
	body, kind := edgetest.Form(t, parts...)
	return p.Do("POST", path, body, kind...)
}

type resource struct {
	UploadID  string `json:"upload_id"`
	UploadURL string `json:"upload_url"`
	Minutes   int    `json:"expires_in_minutes"`
	Files     []string
	ExpiresAt *time.Time `json:"expires_at"`
	Command   string
	Status    string
	Reading   *bool
	Notes     []string
}

// TestUploads: what a client sends becomes an upload with a secret id and a link that takes
// more files without a key, for two hours or until it is revoked.
func TestUploads(t *testing.T) {
	t.Parallel()
	p := open(t, bustest.Start(t))
	r := p.send(t, "/v1/uploads", file("a.gbr", "one"), edgetest.Part{Field: "comment", Content: "x"})
	got := edgetest.Decode[resource](t, r)
	if r.Status != 201 || !slices.Equal(got.Files, []string{"a.gbr"}) || got.Minutes != 120 || got.Status != "open" || len(got.UploadID) > 64 || !p.Secrets.HasMadeUploadID(got.UploadID) ||
		r.Header.Get("Location") != "https://boards.test/v1/uploads/"+got.UploadID || !strings.Contains(got.Command, got.UploadURL) || len(got.Notes) != 1 {
		t.Fatalf("create: %d %v %s, want an upload of a.gbr with a link for 120 minutes and a note about comment", r.Status, r.Header, r.Body)
	}
	if want := edgetest.At.Add(6 * time.Hour); got.ExpiresAt == nil || !got.ExpiresAt.Equal(want) {
		t.Errorf("expires_at %v, want six hours after the file: %s", got.ExpiresAt, want)
	}
	link := strings.TrimPrefix(got.UploadURL, "https://boards.test")
	added := p.send(t, link, file("b.gbr", "two"))
	if res := edgetest.Decode[resource](t, added); added.Status != 200 || !slices.Equal(res.Files, []string{"b.gbr"}) || res.UploadID != "" || res.UploadURL != "" || added.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("add by the link: %d %s, want what came with it and no secret", added.Status, added.Body)
	}
	shown := p.Get("/v1/uploads/" + got.UploadID)
	if res := edgetest.Decode[resource](t, shown); shown.Status != 200 || !slices.Equal(res.Files, []string{"b.gbr", "earlier.gbr"}) || res.Reading == nil || !*res.Reading {
		t.Errorf("show: %d %s, want all files, still being read", shown.Status, shown.Body)
	}
	p.Put(contract.BoardAggregate, "d1", boards.ReadFiles{Digest: "d1", Files: []boards.FileClass{{Name: "b.gbr", Role: "copper"}}}, nil)
	if res := p.Get("/v1/uploads/" + got.UploadID); !strings.Contains(string(res.Body), `"reading":false`) || !strings.Contains(string(res.Body), `"role":"copper"`) {
		t.Errorf("show once it is read: %s, want what its files were taken for", res.Body)
	}
	for name, tt := range map[string]struct {
		path, account string
		now           time.Time
		code          contract.Code
	}{
		"one's own":           {"/v1/uploads/" + got.UploadID, "", edgetest.At, ""},
		"of another":          {"/v1/uploads/" + got.UploadID, "acc_2", edgetest.At, contract.UploadNotFound},
		"of a test key":       {"/v1/uploads/" + got.UploadID, contract.TestOwner(edgetest.Account), edgetest.At, contract.UploadNotFound},
		"of nobody":           {"/v1/uploads/up_x", "", edgetest.At, contract.UploadNotFound},
		"by its ref":          {"/v1/uploads/" + contract.SecretRef(got.UploadID), "", edgetest.At, contract.UploadNotFound},
		"of 65 characters":    {"/v1/uploads/" + strings.Repeat("u", 65), "", edgetest.At, contract.InvalidRequest},
		"after six hours":     {"/v1/uploads/" + got.UploadID, "", edgetest.At.Add(6 * time.Hour), contract.UploadExpired},
		"a moment before six": {"/v1/uploads/" + got.UploadID, "", edgetest.At.Add(6*time.Hour - 1), ""},
	} {
		p.Set(tt.now)
		if r := p.Get(tt.path, edgetest.AccountHeader, tt.account); r.Code() != tt.code {
			t.Errorf("%s: GET %s: %d %s, want %q", name, tt.path, r.Status, r.Code(), tt.code)
		}
	}
	for _, tt := range []struct {
		name   string
		now    time.Time
		revoke bool
		path   string
		parts  []edgetest.Part
		code   contract.Code
	}{
		{"a moment before two hours", edgetest.At.Add(2*time.Hour - time.Second), false, link, []edgetest.Part{file("c", "x")}, ""},
		{"two hours", edgetest.At.Add(2 * time.Hour), false, link, []edgetest.Part{file("c", "x")}, contract.LinkExpired},
		{"altered", edgetest.At, false, link + "x", []edgetest.Part{file("c", "x")}, contract.LinkInvalid},
		{"no file", edgetest.At, false, link, []edgetest.Part{{Field: "comment", Content: "x"}}, contract.NoFiles},
		{"a declaration", edgetest.At, false, link, []edgetest.Part{file("c", "x"), {Field: "itar", Content: "true"}}, contract.ITARNotSupported},
		{"revoked", edgetest.At, true, link, []edgetest.Part{file("c", "x")}, contract.LinkExpired},
	} {
		p.Set(tt.now)
		if tt.revoke {
			r := p.Do("POST", "/v1/uploads/"+got.UploadID+"/revoke-links", "")
			if fresh := edgetest.Decode[resource](t, r).UploadURL; r.Status != 200 || fresh == got.UploadURL || fresh == "" {
				t.Errorf("revoke: %d %s, want another link", r.Status, r.Body)
			}
		}
		if r := p.send(t, tt.path, tt.parts...); r.Code() != tt.code {
			t.Errorf("%s: POST to the link: %d %s, want %q", tt.name, r.Status, r.Body, tt.code)
		}
	}
	if r := p.Do("OPTIONS", link, ""); r.Status != 204 || r.Header.Get("Access-Control-Allow-Methods") != "POST, OPTIONS" {
		t.Errorf("OPTIONS of the link: %d %v, want 204 for POST", r.Status, r.Header)
	}
	up := uploads.Upload{Ref: contract.SecretRef(got.UploadID), Account: edgetest.Account, Status: uploads.ITARDeclared, ExpiresAt: edgetest.At.Add(time.Hour)}
	p.Put(contract.UploadAggregate, up.Ref, up, nil)
	if r := p.Get("/v1/uploads/" + got.UploadID); r.Code() != contract.UploadExpired {
		t.Errorf("an upload that was declared: %d %s, want %s", r.Status, r.Body, contract.UploadExpired)
	}
}

// TestUploadsThatAreNotTaken: what is refused leaves no file; what is not known stays for a
// command that may be on its way.
func TestUploadsThatAreNotTaken(t *testing.T) {
	t.Parallel()
	b := bustest.Start(t)
	for name, tt := range map[string]struct {
		parts        []edgetest.Part
		raw          string
		down, silent bool
		refuse       *contract.Refusal
		full         bool // no slot of this process is free
		status       int
		code         contract.Code
		kept         int
	}{
		"a file at its limit":     {parts: []edgetest.Part{file("a", strings.Repeat("x", 100))}, status: 201, kept: 1},
		"a file above it":         {parts: []edgetest.Part{file("a", strings.Repeat("x", 101))}, status: 413, code: contract.UploadTooLarge},
		"all at their limit":      {parts: []edgetest.Part{file("a", strings.Repeat("x", 75)), file("b", strings.Repeat("x", 75))}, status: 201, kept: 2},
		"all above it":            {parts: []edgetest.Part{file("a", strings.Repeat("x", 75)), file("b", strings.Repeat("x", 76))}, status: 413, code: contract.UploadTooLarge},
		"three files":             {parts: []edgetest.Part{file("a", "x"), file("b", "x"), file("c", "x")}, status: 422, code: contract.TooManyFiles},
		"a file of another field": {parts: []edgetest.Part{{Field: "gerbers", Name: "a", Content: "x"}}, status: 422, code: contract.InvalidRequest},
		"a declaration":           {parts: []edgetest.Part{file("a", "x"), {Field: "itar", Content: "yes"}}, status: 422, code: contract.ITARNotSupported},
		"JSON":                    {raw: `{}`, status: 415, code: contract.UnsupportedMedia},
		"nothing":                 {status: 201},
		"refused behind":          {parts: []edgetest.Part{file("a", "x")}, refuse: contract.Refuse(contract.InvalidFile, "No zip."), status: 413, code: contract.InvalidFile, kept: 1},
		"no outcome in time":      {parts: []edgetest.Part{file("a", "x")}, silent: true, status: 202, kept: 1},
		"without a broker":        {parts: []edgetest.Part{file("a", "x")}, down: true, status: 503, code: contract.Unavailable, kept: 1},
		"no slot is free":         {parts: []edgetest.Part{file("a", "x")}, full: true, status: 503, code: contract.Unavailable},
	} {
		p := open(t, b)
		p.Down, p.silent, p.refuse = tt.down, tt.silent, tt.refuse
		if tt.silent {
			p.uploads.Timeout = time.Millisecond
		}
		for tt.full && len(p.uploads.Slots) < cap(p.uploads.Slots) {
			p.uploads.Slots <- struct{}{}
		}
		var r edgetest.Reply
		if tt.parts != nil {
			r = p.send(t, "/v1/uploads", tt.parts...)
		} else {
			r = p.Do("POST", "/v1/uploads", tt.raw)
		}
		kept := 0
		for _, err := range p.Blobs.List(t.Context(), "") {
			if err != nil {
				t.Fatal(err)
			}
			kept++
		}
		if r.Status != tt.status || r.Code() != tt.code || kept != tt.kept {
			t.Errorf("%s: %d %s, %d files kept; want %d %q, %d", name, r.Status, r.Body, kept, tt.status, tt.code, tt.kept)
		}
		if tt.status != 202 {
			continue
		}
		got := edgetest.Decode[resource](t, r)
		if shown := p.Get("/v1/uploads/" + got.UploadID); got.Status != "receiving" || got.ExpiresAt != nil || shown.Status != 200 || shown.Header.Get("Retry-After") == "" {
			t.Errorf("%s: %s, shown as %d %s; want an upload that is being received, to be asked for again", name, r.Body, shown.Status, shown.Body)
		}
	}
}

// TestNamedUploadsSurviveCrashes: a key whose upload was never asked for, or not answered in
// time, names one upload all the same.
func TestNamedUploadsSurviveCrashes(t *testing.T) {
	t.Parallel()
	p := open(t, bustest.Start(t))
	p.uploads.Timeout = time.Millisecond
	send := func() edgetest.Reply { return p.Do("POST", "/v1/uploads", "", "Idempotency-Key", "k1") }
	p.Down = true
	if r := send(); r.Status != 503 {
		t.Fatalf("without a broker: %d %s, want 503", r.Status, r.Body)
	}
	p.Down, p.silent = false, true
	pending := send()
	p.silent = false
	made := send()
	again := send()
	id := edgetest.Decode[resource](t, made).UploadID
	if pending.Status != 202 || made.Status != 201 || again.Status != 201 || id == "" || edgetest.Decode[resource](t, pending).UploadID != id || edgetest.Decode[resource](t, again).UploadID != id {
		t.Errorf("pending %d %s, made %d %s, again %d %s; want 202 and twice 201 with one upload_id", pending.Status, pending.Body, made.Status, made.Body, again.Status, again.Body)
	}
	ids := map[string]bool{}
	for _, c := range p.Commands() {
		ids[c.ID] = true
	}
	if len(ids) != 1 {
		t.Errorf("commands %v, want one, sent again", ids)
	}
}
