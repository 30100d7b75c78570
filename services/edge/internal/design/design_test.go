package design_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/bus/simbus"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/flow"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/edgetest"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/wait"
	"boardorder/services/edge/internal/web"

	"github.com/google/go-cmp/cmp"
)

// TestAnswers: what a request may answer about its files, and what is refused by its field.
func TestAnswers(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1001)
	var many []string
	for i := range 201 {
		many = append(many, fmt.Sprintf(`"T%d": 1`, i+1))
	}
	for name, tt := range map[string]struct {
		body string
		want *answers.FileAnswers
		bad  []string
	}{
		"nothing":               {`{}`, nil, nil},
		"null":                  {`{"file_answers": null}`, nil, nil},
		"an empty object":       {`{"file_answers": {}}`, nil, nil},
		"no object":             {`{"file_answers": []}`, nil, []string{"file_answers wrong_type"}},
		"no holes":              {`{"file_answers": {"no_holes": true}}`, &answers.FileAnswers{NoHoles: true}, nil},
		"holes there are":       {`{"file_answers": {"no_holes": false}}`, nil, nil},
		"the outline":           {`{"file_answers": {"outline": "board.gko"}}`, &answers.FileAnswers{Outline: "board.gko"}, nil},
		"layers in order":       {`{"file_answers": {"layer_order": ["top.gbr", "bottom.gbr"]}}`, &answers.FileAnswers{LayerOrder: []string{"top.gbr", "bottom.gbr"}}, nil},
		"files to leave out":    {`{"file_answers": {"leave_out": ["old.gbr"]}}`, &answers.FileAnswers{LeaveOut: []string{"old.gbr"}}, nil},
		"placements as listed":  {`{"file_answers": {"placements": "as_listed"}}`, &answers.FileAnswers{Placements: answers.AsListed}, nil},
		"placements by pads":    {`{"file_answers": {"placements": "by_pads"}}`, &answers.FileAnswers{Placements: answers.ByPads}, nil},
		"placements otherwise":  {`{"file_answers": {"placements": "mirrored"}}`, nil, []string{"file_answers.placements unsupported"}},
		"a sheet of parts":      {`{"file_answers": {"parts_sheet": "BOM"}}`, &answers.FileAnswers{PartsSheet: "BOM"}, nil},
		"an unknown answer":     {`{"file_answers": {"colour": "red"}}`, nil, []string{"file_answers.colour unknown_field"}},
		"a name beyond 1000":    {`{"file_answers": {"outline": "` + long + `"}}`, nil, []string{"file_answers.outline too_long"}},
		"65 layers":             {`{"file_answers": {"layer_order": [` + strings.TrimSuffix(strings.Repeat(`"a",`, 65), ",") + `]}}`, nil, []string{"file_answers.layer_order too_long"}},
		"the size of a tool":    {`{"file_answers": {"tool_sizes": {"a.drl": {"T01": 0.8}}}}`, &answers.FileAnswers{ToolSizes: map[string]map[string]float64{"a.drl": {"T01": 0.8}}}, nil},
		"the bounds of a tool":  {`{"file_answers": {"tool_sizes": {"a.drl": {"T1": 0.05, "T2": 25}}}}`, &answers.FileAnswers{ToolSizes: map[string]map[string]float64{"a.drl": {"T1": 0.05, "T2": 25}}}, nil},
		"a tool too small":      {`{"file_answers": {"tool_sizes": {"a.drl": {"T1": 0.049}}}}`, nil, []string{"file_answers.tool_sizes.a.drl.T1 out_of_range"}},
		"a tool too large":      {`{"file_answers": {"tool_sizes": {"a.drl": {"T1": 25.1}}}}`, nil, []string{"file_answers.tool_sizes.a.drl.T1 out_of_range"}},
		"a tool of no number":   {`{"file_answers": {"tool_sizes": {"a.drl": {"big": 1}}}}`, nil, []string{"file_answers.tool_sizes.a.drl.big malformed"}},
		"a size in words":       {`{"file_answers": {"tool_sizes": {"a.drl": {"T1": "1 mm"}}}}`, nil, []string{"file_answers.tool_sizes.a.drl.T1 wrong_type"}},
		"a file of no tools":    {`{"file_answers": {"tool_sizes": {"a.drl": {}}}}`, nil, nil},
		"tools that are a list": {`{"file_answers": {"tool_sizes": {"a.drl": []}}}`, nil, []string{"file_answers.tool_sizes.a.drl wrong_type"}},
		"201 tools":             {`{"file_answers": {"tool_sizes": {"a.drl": {` + strings.Join(many, ",") + `}}}}`, nil, []string{"too_long"}},
	} {
		body, err := jsonbody.Parse([]byte(tt.body))
		if err != nil {
			t.Fatalf("%s: parse %.200s: %v", name, tt.body, err)
		}
		f := jsonbody.NewFields(body)
		got := design.Answers(f)
		var bad []string
		for _, p := range f.Problems() {
			bad = append(bad, p.Field+" "+p.Problem)
		}
		if name == "201 tools" {
			for i, b := range bad {
				bad[i] = b[strings.LastIndex(b, " ")+1:] // of whichever tool is the 201st
			}
		}
		if !slices.Equal(bad, tt.bad) || tt.bad == nil && !cmp.Equal(tt.want, got) {
			t.Errorf("%s: %.200s read as %+v, refused %v; want %+v, %v", name, tt.body, got, bad, tt.want, tt.bad)
		}
	}
}

// TestLinksAreRevoked: links of before hold no more, also such as named no version, and
// new ones hold; another replica goes on giving old ones for five seconds at most.
func TestLinksAreRevoked(t *testing.T) {
	t.Parallel()
	bucket := &edgetest.Bucket{}
	now := edgetest.At
	clock := func() time.Time { return now }
	here, there := design.NewLinks(bucket, clock), design.NewLinks(bucket, clock)
	version := func(l *design.Links) string {
		t.Helper()
		v, err := l.Version(t.Context(), "u1")
		if err != nil {
			t.Fatalf("Version(u1): %v", err)
		}
		return v
	}
	first := version(here)
	if again := version(there); again != first {
		t.Errorf("two replicas give versions %q and %q, want one", first, again)
	}
	if err := here.Revoke(t.Context(), "u1"); err != nil {
		t.Fatalf("Revoke(u1): %v", err)
	}
	second := version(here)
	for v, want := range map[string]bool{first: false, "": false, second: true, "x": false} {
		if hold, err := there.Hold(t.Context(), "u1", v); err != nil || hold != want {
			t.Errorf("after it was revoked: a link of version %q holds %t (%v), want %t", v, hold, err, want)
		}
	}
	for v, want := range map[string]bool{first: true, "": true, second: false} {
		if hold, err := there.Hold(t.Context(), "u2", v); err != nil || hold != want {
			t.Errorf("of an upload that nobody revoked: a link of version %q holds %t (%v), want %t", v, hold, err, want)
		}
	}
	now = now.Add(5*time.Second - 1)
	if got := version(there); got != first {
		t.Errorf("within five seconds the other replica gives %q, want %q still", got, first)
	}
	now = now.Add(1)
	if got := version(there); got != second {
		t.Errorf("after five seconds the other replica gives %q, want %q", got, second)
	}
}

// TestArrivals: an upload whose id was given is known by its account until it is unpacked,
// or by why it was not.
func TestArrivals(t *testing.T) {
	t.Parallel()
	sim := simbus.New(1, simbus.Faults{})
	arrivals := design.NewArrivals(&edgetest.Bucket{}, sim)
	w := edgetest.New(t)
	designs := design.Designs{Client: w.Client, Arrivals: arrivals}
	for _, ref := range []string{"given", "refused"} {
		if err := arrivals.Note(t.Context(), ref, edgetest.Account); err != nil {
			t.Fatalf("Note(%s): %v", ref, err)
		}
	}
	cmd := contract.Command{ID: "c1", Name: uploads.Create, Request: "req_1", Account: edgetest.Account, Data: json.RawMessage(`{"ref":"refused"}`)}
	v := flow.Run(t.Context(), sim, func(context.Context, contract.Command) error {
		return contract.Refuse(contract.InvalidFile, "It is no zip.")
	}, cmd, w.Now)
	if v.Refused != contract.InvalidFile {
		t.Fatalf("refuse the upload: %+v, want %s", v, contract.InvalidFile)
	}
	for name, tt := range map[string]struct {
		owner, ref string
		want       contract.Code
	}{
		"still unpacked":    {edgetest.Account, "given", contract.UploadNotReady},
		"by whoever has it": {"acc_2", "given", contract.UploadNotReady},
		"by a test key":     {contract.TestOwner(edgetest.Account), "given", contract.UploadNotFound},
		"not taken in":      {edgetest.Account, "refused", contract.InvalidFile},
		"never given":       {edgetest.Account, "other", contract.UploadNotFound},
		"no ref at all":     {edgetest.Account, "a.b", contract.UploadNotFound},
	} {
		_, err := designs.Usable(t.Context(), tt.owner, tt.ref, 0)
		if err == nil || problem.Find(err).Refusal.Code != tt.want {
			t.Errorf("%s: Usable(%s, %s) = %v, want %s", name, tt.owner, tt.ref, err, tt.want)
		}
	}
}

// TestUsable: whose files may be used, to the moment at which they go.
func TestUsable(t *testing.T) {
	t.Parallel()
	w := edgetest.New(t)
	designs := design.Designs{Client: w.Client}
	file := []uploads.File{{Name: "a"}}
	until := edgetest.At.Add(time.Second)
	for name, tt := range map[string]struct {
		upload uploads.Upload
		owner  string
		want   contract.Code
	}{
		"one's own":             {uploads.Upload{Account: "a", Status: uploads.Open, ExpiresAt: until, Files: file}, "a", ""},
		"another's":             {uploads.Upload{Account: "b", Status: uploads.Open, ExpiresAt: until, Files: file}, "a", ""},
		"of another mode":       {uploads.Upload{Account: "a", Status: uploads.Open, ExpiresAt: until, Files: file}, contract.TestOwner("a"), contract.UploadNotFound},
		"at its end":            {uploads.Upload{Account: "a", Status: uploads.Open, ExpiresAt: edgetest.At, Files: file}, "a", contract.UploadExpired},
		"deleted":               {uploads.Upload{Account: "a", Status: uploads.Expired, ExpiresAt: until, Files: file}, "a", contract.UploadExpired},
		"without files":         {uploads.Upload{Account: "a", Status: uploads.Open, ExpiresAt: until}, "a", contract.NoFiles},
		"declared by its owner": {uploads.Upload{Account: "b", Status: uploads.ITARDeclared, ExpiresAt: until, Files: file}, "a", contract.ITARNotSupported},
		"declared by oneself":   {uploads.Upload{Account: "b", Status: uploads.Open, DeclaredBy: []string{"a"}, ExpiresAt: until, Files: file}, "a", contract.ITARNotSupported},
		"declared by others":    {uploads.Upload{Account: "b", Status: uploads.Open, DeclaredBy: []string{"c"}, ExpiresAt: until, Files: file}, "a", ""},
	} {
		ref := contract.SecretRef(name)
		tt.upload.Ref = ref
		w.Put(contract.UploadAggregate, ref, tt.upload, nil)
		_, err := designs.Usable(t.Context(), tt.owner, ref, 0)
		got := contract.Code("")
		if err != nil {
			got = problem.Find(err).Refusal.Code
		}
		if got != tt.want {
			t.Errorf("%s: Usable of %+v by %s = %v, want %q", name, tt.upload, tt.owner, err, tt.want)
		}
	}
	for ref, want := range map[string]bool{"": false, "unknown": false, contract.SecretRef("declared by its owner"): true, contract.SecretRef("declared by oneself"): false} {
		if got, err := designs.IsDeclared(t.Context(), ref); err != nil || got != want {
			t.Errorf("IsDeclared(%q) = %t, %v; want %t", ref, got, err, want)
		}
	}
}

// TestDeclarationsBeside: in which places of a call, and by which spellings, a design is
// declared; what is neither yes nor no is refused.
func TestDeclarationsBeside(t *testing.T) {
	t.Parallel()
	w := edgetest.New(t)
	handle := func(c *web.Call) error {
		if err := design.Unclear(c); err != nil {
			return err
		}
		return c.JSON(200, map[string]bool{"beside": design.DeclaresBeside(c), "body": design.HasText(c) && design.DeclaresInBody(c), "text": design.HasText(c) && design.DeclaresInText(c)})
	}
	w.Serve(web.Route{Method: "POST", Path: "/v1/x", Handle: handle}, web.Route{Method: "POST", Path: "/v1/detail", Detail: true, Handle: handle})
	for name, tt := range map[string]struct {
		path, body string
		header     []string
		want       string // beside, body, text; or the field that is refused
	}{
		"nowhere":                {"/v1/x", `{"a": 1}`, nil, ""},
		"in the query":           {"/v1/x?itar=1", ``, nil, "beside"},
		"in a header":            {"/v1/x", ``, []string{"X-ITAR", "yes"}, "beside"},
		"in capitals":            {"/v1/x?ITAR=TRUE", ``, nil, "beside"},
		"denied in the query":    {"/v1/x?itar=false", ``, nil, ""},
		"left empty":             {"/v1/x?itar=", ``, nil, ""},
		"denied, then declared":  {"/v1/x?itar=false&itar=true", ``, nil, "beside"},
		"in the body":            {"/v1/x", `{"itar": true}`, nil, "body"},
		"deep in the body":       {"/v1/x", `{"a": [{"is_itar": "yes"}]}`, nil, "body"},
		"in a broken body":       {"/v1/x", `{"itar": true`, nil, "body text"},
		"denied in the body":     {"/v1/x", `{"itar": false}`, nil, ""},
		"unclear in the query":   {"/v1/x?itar=perhaps", ``, nil, "itar"},
		"unclear in a header":    {"/v1/x", ``, []string{"Itar", "perhaps"}, "Itar"},
		"unclear in the body":    {"/v1/x", `{"a": {"itar": 2}}`, nil, "a.itar"},
		"unclear, of other rank": {"/v1/x?itar=true&itarcontrolled=2", ``, nil, "itarcontrolled"},
	} {
		r := w.Do("POST", tt.path, tt.body, tt.header...)
		got := strings.Join(r.Fields(), " ")
		got, _, _ = strings.Cut(got, " ")
		if r.Status == 200 {
			reported := edgetest.Decode[map[string]bool](t, r)
			var places []string
			for _, place := range []string{"beside", "body", "text"} {
				if reported[place] {
					places = append(places, place)
				}
			}
			got = strings.Join(places, " ")
		}
		if got != tt.want {
			t.Errorf("%s: POST %s %s %v: %q (%d), want %q", name, tt.path, tt.body, tt.header, got, r.Status, tt.want)
		}
	}
	if r := w.Do("POST", "/v1/detail?itar=perhaps", ""); !slices.Equal(r.Details(), []string{"query.itar bool_parsing"}) {
		t.Errorf("unclear where failures are details: %d %s, want query.itar bool_parsing", r.Status, r.Body)
	}
}

// TestDeclaredUploads: which uploads a declaration reaches, by what the request names, and
// of which the files stay for orders that are paid.
func TestDeclaredUploads(t *testing.T) {
	t.Parallel()
	w := edgetest.New(t)
	w.Answer = func(c contract.Command) *contract.Operation {
		var data uploads.Data
		if err := json.Unmarshal(c.Data, &data); err != nil {
			t.Errorf("decode %s: %v", c.Data, err)
		}
		up := uploads.Upload{Ref: data.Ref, Account: c.Account, Status: uploads.ITARDeclared, Content: "c-" + data.Ref}
		if data.Keep {
			up.Status, up.DeclaredBy = uploads.Open, []string{c.Account}
		}
		w.Put(contract.UploadAggregate, data.Ref, up, nil)
		w.Waiters.Wake(wait.Subject{Of: contract.UploadAggregate, ID: data.Ref})
		return nil
	}
	designs := design.Designs{Client: w.Client}
	refuse := func(c *web.Call) error { return designs.RefuseITAR(c) }
	w.Serve(
		web.Route{Method: "POST", Path: "/v1/x", Handle: refuse}, web.Route{Method: "POST", Path: "/v1/x/{id}", Handle: refuse},
		web.Route{Method: "POST", Path: "/link", Access: web.Public, Handle: refuse},
	)
	mine, forged := w.Secrets.NewUploadID(), "up_"+strings.Repeat("a", 32)
	ref := contract.SecretRef(mine)
	w.Put(contract.UploadAggregate, ref, uploads.Upload{Ref: ref, Account: edgetest.Account, Status: uploads.Open, Content: "c-" + ref}, nil)
	quote, request := strings.Repeat("0a", 32), w.NewRequest()
	quoteRef := contract.SecretRef(quote)
	digest := boards.Digest(ref, "c-"+ref)
	w.Put(contract.QuoteAggregate, quoteRef, quotes.Quote{Ref: quoteRef, Account: edgetest.Account, Upload: ref, Digest: digest}, map[string]string{"digest": digest})
	w.Put(contract.OperationAggregate, request, contract.Operation{Request: request, Account: edgetest.Account, Aggregate: contract.QuoteAggregate, ID: quoteRef}, nil)
	order := orders.Order{Ref: "BO-1", Quote: quoteRef, Account: edgetest.Account, Status: orders.InProduction, Sold: quotes.Quote{Upload: ref}}
	escaped := strings.Replace(mine, "up_", `\u0075p_`, 1)
	for _, tt := range []struct {
		name, path, body, account string
		ordered                   bool
		want                      string // "ref" once declared, "ref keep" where the files stay
		held                      string
	}{
		{"by its id", "/v1/x", fmt.Sprintf(`{"upload_id": %q, "itar": true}`, mine), "", false, "ref", ""},
		{"by its id, escaped", "/v1/x", `{"upload_id": "` + escaped + `", "itar": true}`, "", false, "ref", ""},
		{"by its id in the path", "/v1/x/" + mine, "", "", false, "ref", ""},
		{"by its id in the query", "/v1/x?upload_id=" + mine, "", "", false, "ref", ""},
		{"by its id in a broken body", "/v1/x", `{"upload_id": "` + mine + `", "itar": tru`, "", false, "ref", ""},
		{"by an id that was not made here", "/v1/x", fmt.Sprintf(`{"upload_id": %q}`, forged), "", false, "", ""},
		{"by a quote", "/v1/x", fmt.Sprintf(`{"quote_id": %q}`, quote), "", false, "ref", ""},
		{"by another's quote", "/v1/x", fmt.Sprintf(`{"quote_id": %q}`, quote), "acc_2", false, "", ""},
		{"by a request", "/v1/x", fmt.Sprintf(`{"request_id": %q}`, request), "", false, "ref", ""},
		{"by another's request", "/v1/x", fmt.Sprintf(`{"request_id": %q}`, request), "acc_2", false, "", ""},
		{"by a link, which deletes nothing", "/link", fmt.Sprintf(`{"upload_id": %q}`, mine), "", false, "", ""},
		{"ordered, by its id", "/v1/x", fmt.Sprintf(`{"upload_id": %q}`, mine), "", true, "ref", "BO-1"},
		{"ordered, by a quote", "/v1/x", fmt.Sprintf(`{"quote_id": %q}`, quote), "", true, "ref", "BO-1"},
		{"ordered, by a request alone", "/v1/x", fmt.Sprintf(`{"request_id": %q}`, request), "", true, "ref keep", "BO-1"},
		{"nothing is named", "/v1/x", `{"itar": true}`, "", true, "", ""},
	} {
		w.Put(contract.UploadAggregate, ref, uploads.Upload{Ref: ref, Account: edgetest.Account, Status: uploads.Open, Content: "c-" + ref}, nil)
		order.Status = orders.Shipped // has nothing to hold
		if tt.ordered {
			order.Status = orders.InProduction
		}
		w.Put(contract.OrderAggregate, quoteRef, order, nil)
		before := len(w.Commands())
		r := w.Do("POST", tt.path, tt.body, edgetest.AccountHeader, tt.account)
		var got []string
		for _, c := range w.Commands()[before:] {
			var data uploads.Data
			if err := json.Unmarshal(c.Data, &data); err != nil {
				t.Fatal(err)
			}
			name := strings.Replace(data.Ref, ref, "ref", 1)
			if data.Keep {
				name += " keep"
			}
			got = append(got, name)
		}
		reported := edgetest.Decode[struct {
			Held []string `json:"held_orders"`
		}](t, r)
		if r.Code() != contract.ITARNotSupported || strings.Join(got, ", ") != tt.want || strings.Join(reported.Held, " ") != tt.held {
			t.Errorf("%s: %s %s: %s, declared %v, held %v; want %s, %q, %q", tt.name, tt.path, tt.body, r.Code(), got, reported.Held, contract.ITARNotSupported, tt.want, tt.held)
		}
		if kept := strings.Contains(string(r.Body), "are kept until"); kept != strings.HasSuffix(tt.want, "keep") {
			t.Errorf("%s: the answer says that files are kept: %t, want %t:\n%s", tt.name, kept, !kept, r.Body)
		}
	}
	w.Down = true
	if r := w.Do("POST", "/v1/x", fmt.Sprintf(`{"upload_id": %q}`, mine)); r.Status != 503 || !strings.Contains(string(r.Body), "could not be recorded") {
		t.Errorf("without a broker: %d %s, want 503 and that it was not recorded", r.Status, r.Body)
	}
}
