package edge_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/textproto"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/blob/folder"
	"boardorder/pkg/bus"
	"boardorder/pkg/bus/bustest"
	"boardorder/pkg/bus/topology"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/accounts"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/checkouts"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/contract/prices"
	"boardorder/pkg/contract/pricetables"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/savings"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/contract/webhooks"
	"boardorder/pkg/flow"
	"boardorder/pkg/projection"
	"boardorder/pkg/projection/sqlite"
	"boardorder/pkg/secret"
	"boardorder/services/edge"

	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// world is an edge on real servers, with just enough of the other services
// behind it: they take commands from the broker and write documents.
type world struct {
	t       testing.TB
	purge   func(stream string, before uint64) // removes what a stream has before a sequence
	bus     *bus.Bus
	docs    *sqlite.Store
	blobs   blob.Store
	secrets *secret.Keyring
	edge    *edge.Edge
	url     string
	key     secret.APIKey
	logs    *observer.ObservedLogs
	clock   atomic.Int64              // offset from the real time, in ns
	frozen  atomic.Pointer[time.Time] // the time that it is, if it stands
	seq     atomic.Uint64
	stop    context.CancelFunc
	stopped chan error

	mu       sync.Mutex
	commands []contract.Command
	hold     chan struct{} // pricing waits for it, when set
	refuse   *contract.Refusal
	choice   *quotes.FabricatorChoice // that quotes keep
	quiet    bool                     // no wake-up calls
	commits  bool                     // quotes are committed, and projected by nobody
	taken    bool                     // uploads are
	unpack   chan struct{}            // the upload service waits for it, when set

	parts      func(partchecks.PartCheck) *partchecks.PartCheck // what checks of parts come to; nil: the commands get lost
	formalAway bool                                             // commands about formal orders get lost

	check *designchecks.DesignCheck // what checks come to; nil: the commands get lost

	looks atomic.Int64 // reads of the projection for a request's outcome
}

// A countingStore counts how often the edge looks for the outcome of a request.
type countingStore struct {
	projection.Store
	looks *atomic.Int64
}

func (s countingStore) Get(ctx context.Context, kind, id string) (projection.Document, error) {
	if kind == string(contract.OperationAggregate) {
		s.looks.Add(1)
	}
	return s.Store.Get(ctx, kind, id)
}

const account = "acc_partner"

type edgeConfig = edge.Config

type option func(*edgeConfig)

func start(t testing.TB, options ...option) *world {
	t.Helper()
	broker := bustest.Server(t, topology.Config{})
	w := &world{t: t, bus: bustest.Connect(t, broker), key: secret.NewAPIKey(true)}
	w.purge = func(stream string, before uint64) { bustest.DropBefore(t, broker, stream, before) }
	var err error
	if w.docs, err = sqlite.Open(t.Context(), filepath.Join(t.TempDir(), "docs.db")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.docs.Close() })
	if w.blobs, err = folder.Open(t.TempDir(), time.Now); err != nil {
		t.Fatal(err)
	}
	if w.secrets, err = secret.New(bytes.Repeat([]byte{7}, 32)); err != nil {
		t.Fatal(err)
	}
	w.putKey(w.key, account, accounts.DefaultScopes(), nil)
	w.serve()
	w.open(options...)
	return w
}

func (w *world) now() time.Time {
	if at := w.frozen.Load(); at != nil {
		return *at
	}
	return time.Now().Add(time.Duration(w.clock.Load()))
}

// stopAt has it be a certain time from now on.
func (w *world) stopAt(at time.Time) { w.frozen.Store(&at) }

func (w *world) advance(d time.Duration) { w.clock.Add(int64(d)) }

// open starts the edge on a free port.
func (w *world) open(options ...option) {
	w.t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		w.t.Fatal(err)
	}
	w.url = "http://" + ln.Addr().String()
	core, logs := observer.New(zap.DebugLevel)
	w.logs = logs
	cfg := edge.Config{PublicURL: w.url, CardWebhookSecrets: []string{"whsec_test"}, Grace: 5 * time.Second}
	for _, o := range options {
		o(&cfg)
	}
	e, err := edge.New(w.t.Context(), cfg, edge.Deps{
		Bus: w.bus, Docs: countingStore{w.docs, &w.looks}, Blobs: w.blobs, Secrets: w.secrets, Log: zap.New(core), Now: w.now,
	})
	if err != nil {
		w.t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	w.edge, w.stop, w.stopped = e, stop, make(chan error, 1)
	stopped := w.stopped
	go func() { stopped <- e.Run(ctx, ln) }()
	w.t.Cleanup(func() {
		stop()
		if err := <-stopped; err != nil {
			w.t.Errorf("the edge ended with %v, want nil once it is stopped", err)
		}
		stopped <- nil
	})
}

func (w *world) put(kind contract.Aggregate, id string, state any) {
	w.t.Helper()
	if err := w.write(string(kind), id, state); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) write(kind, id string, state any) error {
	body, err := json.Marshal(state)
	if err != nil {
		return err
	}
	return w.docs.Put(context.Background(), projection.Document{Kind: kind, ID: id, Seq: w.seq.Add(1), At: w.now(), Body: body})
}

func (w *world) putKey(k secret.APIKey, account string, scopes []string, limits map[string]int) {
	w.t.Helper()
	doc := map[string]any{
		"account": account, "account_name": "Partner", "limits": limits,
		"key": accounts.APIKey{ID: k.ID, Name: "main", Prefix: k.Prefix(), Hash: k.Hash(), Scopes: scopes, Live: k.Live},
	}
	if err := w.write("api-key", k.ID, doc); err != nil {
		w.t.Fatal(err)
	}
}

// serve stands in for the services behind the edge.
func (w *world) serve() {
	handlers := func(names ...contract.CommandName) flow.Handlers {
		out := flow.Handlers{}
		for _, n := range names {
			out[n] = func(ctx context.Context, c contract.Command) error {
				w.mu.Lock()
				w.commands = append(w.commands, c)
				w.mu.Unlock()
				return w.carryOut(ctx, c)
			}
		}
		return out
	}
	for service, hs := range map[string]flow.Handlers{
		"upload":  handlers(uploads.Create, uploads.AddFiles, uploads.DeclareITAR),
		"pricing": handlers(quotes.Price, quotes.AskApproval, pricetables.Price, savings.Find, buylinks.Create),
		"payment": handlers(checkouts.CardEvent, confirmations.SendCode, confirmations.VerifyCode),
		"console": handlers(accounts.ReportKey, accounts.NoteElsewhere, accounts.SendSignInCode, accounts.NoteEndpointAct, accounts.ChangeOwnKey, accounts.SetOwnDetails, accounts.CreateOwnKey, accounts.RevokeOwnKey, accounts.AddMember, accounts.SetRole, accounts.RemoveMember),

		"design-check":  handlers(designchecks.Check),
		"part-sourcing": handlers(partchecks.Check, assemblies.Assemble),
		"webhooks":      handlers(webhooks.Create, webhooks.Change, webhooks.Delete, webhooks.Rotate, webhooks.Test, webhooks.Resend),
		"central":       handlers(formal.Submit, formal.AcceptQuote, formal.Answer),
	} {
		bustest.Go(w.t, func(ctx context.Context) error {
			return w.bus.Serve(ctx, bus.Work{Service: service, Claims: service == quotes.Price.Service, Handlers: hs, Parallel: 8})
		})
	}
}

func (w *world) carryOut(ctx context.Context, c contract.Command) error {
	switch c.Name {
	case uploads.Create, uploads.AddFiles:
		return w.addFiles(ctx, c)
	case uploads.DeclareITAR:
		var d uploads.Data
		if err := json.Unmarshal(c.Data, &d); err != nil {
			return err
		}
		up := uploads.Upload{Ref: d.Ref}
		if old, err := w.docs.Get(ctx, "upload", d.Ref); err == nil {
			if err := json.Unmarshal(old.Body, &up); err != nil {
				return err
			}
		}
		if d.Keep || up.Account != "" && up.Account != c.Account {
			up.DeclaredBy = append(up.DeclaredBy, c.Account)
		} else {
			up.Status = uploads.ITARDeclared
		}
		if err := w.write("upload", d.Ref, up); err != nil {
			return err
		}
		return w.bus.Wake(contract.UploadAggregate, d.Ref)
	case quotes.Price:
		return w.priceQuote(ctx, c)
	case quotes.AskApproval:
		return w.askApproval(ctx, c)
	case pricetables.Price:
		return w.priceTable(ctx, c)
	case savings.Find:
		return w.findSavings(ctx, c)
	case buylinks.Create:
		w.mu.Lock()
		refuse := w.refuse
		w.mu.Unlock()
		return w.finish(c, contract.Operation{Refusal: refuse})
	case assemblies.Assemble:
		return nil // tests write what comes of it
	case partchecks.Check:
		return w.checkParts(c)
	case designchecks.Check:
		return w.checkDesign(c)
	case confirmations.SendCode, confirmations.VerifyCode:
		return w.confirm(ctx, c)
	case webhooks.Create, webhooks.Change, webhooks.Delete, webhooks.Rotate, webhooks.Test, webhooks.Resend:
		return w.changeEndpoint(c)
	case accounts.ChangeOwnKey, accounts.SetOwnDetails, accounts.CreateOwnKey, accounts.RevokeOwnKey, accounts.AddMember, accounts.SetRole, accounts.RemoveMember:
		return w.changeAccount(ctx, c)
	case formal.Submit, formal.AcceptQuote, formal.Answer:
		return w.formal(ctx, c)
	}
	return nil
}

func (w *world) addFiles(ctx context.Context, c contract.Command) error {
	var d uploads.AddFilesData
	if err := json.Unmarshal(c.Data, &d); err != nil {
		return err
	}
	w.mu.Lock()
	hold, taken := w.unpack, w.taken
	w.mu.Unlock()
	if err := await(ctx, hold); err != nil {
		return err
	}
	up := uploads.Upload{Ref: d.Ref, Account: c.Account, Status: uploads.Open, CreatedAt: w.now(), ExpiresAt: w.now().Add(6 * time.Hour)}
	if old, err := w.docs.Get(ctx, "upload", d.Ref); err == nil {
		if err := json.Unmarshal(old.Body, &up); err != nil {
			return err
		}
	} else if d.Existing {
		return w.finish(c, contract.Operation{Refusal: contract.Refuse(contract.UploadNotFound, "No upload.")})
	}
	all := sha256.New()
	for i, f := range d.Files {
		r, _, err := w.blobs.Get(ctx, f.Key)
		if err != nil {
			return flow.Permanent(err)
		}
		h := sha256.New()
		n, err := io.Copy(io.MultiWriter(h, all), r)
		_ = r.Close()
		if err != nil || n != f.Size || hex.EncodeToString(h.Sum(nil)) != f.SHA256 {
			return flow.Permanent(errors.New("staged file is not what was announced"))
		}
		if strings.HasSuffix(f.Name, ".bad") {
			r := contract.Refuse(contract.UnreadableArchive, "%s cannot be unpacked.", f.Name)
			r.Fields = []contract.FieldProblem{{Field: f.Name, Problem: "malformed", Message: "It is cut short."}}
			if err := aggregate.Refuse(ctx, w.bus, c, r, w.now()); err != nil {
				return err
			}
			return w.finish(c, contract.Operation{Refusal: r})
		}
		up.Files = append(up.Files, uploads.File{
			Name: f.Name, Size: f.Size, SHA256: f.SHA256, Key: uploads.IntakePrefix(d.Ref, c.ID) + strconv.Itoa(i),
		})
	}
	up.Ref, up.Digest = d.Ref, hex.EncodeToString(all.Sum(nil))
	if taken {
		return aggregate.At[uploads.Upload](w.bus, contract.UploadAggregate, d.Ref).Create(ctx, c, w.now(), aggregate.Change[uploads.Upload]{Event: uploads.EventFilesAdded, State: up})
	}
	if err := w.write("upload", d.Ref, up); err != nil {
		return err
	}
	if err := w.bus.Wake(contract.UploadAggregate, d.Ref); err != nil {
		return err
	}
	return w.finish(c, contract.Operation{Aggregate: contract.UploadAggregate, ID: d.Ref})
}

// await waits for what a test holds an outcome back by; nil is nothing.
func await(ctx context.Context, hold <-chan struct{}) error {
	if hold == nil {
		return nil
	}
	select {
	case <-hold:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *world) priceQuote(ctx context.Context, c contract.Command) error {
	w.mu.Lock()
	hold, refuse, secrets, commits, choice := w.hold, w.refuse, w.secrets, w.commits, w.choice
	w.mu.Unlock()
	if err := await(ctx, hold); err != nil {
		return err
	}
	var d quotes.PriceData
	if err := json.Unmarshal(c.Data, &d); err != nil {
		return err
	}
	ref := contract.SecretRef(secrets.QuoteID(c.Request))
	if commits {
		if refuse != nil {
			return aggregate.Refuse(ctx, w.bus, c, refuse, w.now())
		}
		return aggregate.At[quotes.Quote](w.bus, contract.QuoteAggregate, ref).Create(ctx, c, w.now(),
			aggregate.Change[quotes.Quote]{Event: quotes.EventPriced, State: newQuote(w.now(), ref, c, d)})
	}
	if refuse != nil {
		return w.finish(c, contract.Operation{Refusal: refuse})
	}
	q := newQuote(w.now(), ref, c, d)
	q.FabricatorChoice = choice
	if err := w.write("quote", ref, q); err != nil {
		return err
	}
	return w.finish(c, contract.Operation{Aggregate: contract.QuoteAggregate, ID: ref})
}

func newQuote(now time.Time, ref string, c contract.Command, d quotes.PriceData) quotes.Quote {
	total, cents, usd := "$123.45", int64(12345), "USD"
	q := quotes.Quote{
		Ref: ref, Account: c.Account, RequestID: c.Request, Upload: d.Upload, Mode: quotes.ModeInstant,
		Status: quotes.Ready, Request: d.Request, Version: 1, Picture: "pictures/board.png",
		CreatedAt: now, ExpiresAt: now.Add(quotes.InstantTTL),
		Reply: quotes.Reply{
			Quantity: d.Request.Quantity, Total: &total, TotalCents: &cents, Currency: &usd,
			Lines: []prices.Line{{Label: "Boards", Cents: 12345}}, Notes: d.Unknown,
		},
	}
	if d.Digest != "" { // of a buy link, whose page shows all of it
		delivery := "7 to 9 working days from payment, build included"
		q.Reply.Delivery, q.Reply.Fabricator = &delivery, "board_maker"
		q.Reply.BoardDetails = &quotes.BoardDetails{Layers: 4, WidthMM: 62.5, HeightMM: 40, ThicknessMM: 1.6, CopperOz: 1, SurfaceFinish: "hasl_lead_free", SolderMask: "Green", Material: "FR-4"}
		q.Reply.InYourCurrency = &prices.CurrencyPrice{Total: "€106.40"}
	}
	return q
}

func (w *world) finish(c contract.Command, op contract.Operation) error {
	op.Request, op.Account, op.At = c.Request, c.Account, w.now()
	if err := w.write("operation", c.Request, op); err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.quiet {
		return nil
	}
	return w.bus.Wake(contract.OperationAggregate, c.Request)
}

func (w *world) commandsOf(name contract.CommandName) []contract.Command {
	w.mu.Lock()
	defer w.mu.Unlock()
	var out []contract.Command
	for _, c := range w.commands {
		if c.Name == name {
			out = append(out, c)
		}
	}
	return out
}

func (w *world) set(change func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	change()
}

// answer is a reply, read to the end.
type answer struct {
	status int
	header http.Header
	body   []byte
	last   bool // the connection closes after it
}

func (a answer) json(t testing.TB) map[string]any {
	t.Helper()
	var m map[string]any
	if err := json.Unmarshal(a.body, &m); err != nil {
		t.Fatalf("reply %d is not JSON: %v\n%s", a.status, err, a.body)
	}
	return m
}

func (a answer) code(t testing.TB) string {
	s, _ := a.json(t)["error"].(string)
	return s
}

func (w *world) do(method, path string, body io.Reader, headers ...string) answer {
	w.t.Helper()
	if !strings.HasPrefix(path, "http") {
		path = w.url + path
	}
	req, err := http.NewRequestWithContext(context.Background(), method, path, body)
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("X-API-Key", w.key.Text)
	for i := 0; i+1 < len(headers); i += 2 {
		if req.Header.Set(headers[i], headers[i+1]); headers[i+1] == "" {
			req.Header.Del(headers[i])
		}
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		w.t.Fatalf("%s %s: %v", method, path, err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err != nil {
		w.t.Fatalf("%s %s: %v", method, path, err)
	}
	a := answer{resp.StatusCode, resp.Header, data, resp.Close}
	if a.status < 400 || !strings.Contains(req.Header.Get("Accept"), "text/html") { // who visits gets a page in place of the reply
		w.holdAgainstDescription(method, req.URL.Path, a)
	}
	return a
}

// holdAgainstDescription checks every reply that any test gets.
func (w *world) holdAgainstDescription(method, path string, a answer) {
	w.t.Helper()
	d, err := theDescription()
	if err != nil {
		w.t.Fatal(err)
	}
	if method == "HEAD" {
		return
	}
	if err := d.check(method, path, a); err != nil {
		w.t.Errorf("%s %s: %v\n%s", method, path, err, a.body)
	}
}

func (w *world) get(path string, headers ...string) answer { return w.do("GET", path, nil, headers...) }

func (w *world) post(path, body string, headers ...string) answer {
	return w.do("POST", path, strings.NewReader(body), append([]string{"Content-Type", "application/json"}, headers...)...)
}

type file struct{ name, content string }

// form builds a multipart body.
func form(t testing.TB, files ...file) (body io.Reader, contentType string) {
	t.Helper()
	var out bytes.Buffer
	m := multipart.NewWriter(&out)
	for _, f := range files {
		h := textproto.MIMEHeader{}
		h.Set("Content-Disposition", `form-data; name="files"; filename="`+f.name+`"`)
		p, err := m.CreatePart(h)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.WriteString(p, f.content)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	return &out, m.FormDataContentType()
}

// upload sends files and gives the Upload resource.
func (w *world) upload(files ...file) map[string]any {
	w.t.Helper()
	body, kind := form(w.t, files...)
	a := w.do("POST", "/v1/uploads", body, "Content-Type", kind)
	if a.status != http.StatusCreated {
		w.t.Fatalf("upload: %d %s, want 201", a.status, a.body)
	}
	return a.json(w.t)
}

func (w *world) uploadID() string {
	w.t.Helper()
	id, _ := w.upload(file{"board.gbr", "G04*"})["upload_id"].(string)
	return id
}

func (w *world) blobKeys() []string {
	var keys []string
	for info, err := range w.blobs.List(context.Background(), "") {
		if err != nil {
			w.t.Fatal(err)
		}
		keys = append(keys, info.Key)
	}
	return keys
}

// postOnly sends JSON and gives the status, without looking at the reply.
func (w *world) postOnly(path, body string) int {
	req, err := http.NewRequestWithContext(context.Background(), "POST", w.url+path, strings.NewReader(body))
	if err != nil {
		w.t.Fatal(err)
	}
	req.Header.Set("X-API-Key", w.key.Text)
	req.Header.Set("Content-Type", "application/json")
	resp, err := clients.Do(req)
	if err != nil {
		w.t.Fatal(err)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

var clients = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 256}}
