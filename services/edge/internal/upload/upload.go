package upload

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/uploads"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/dispatch"
	"boardorder/services/edge/internal/idempotency"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"

	"go.uber.org/zap"
)

// Uploads answers what has to do with uploads.
type Uploads struct {
	*dispatch.Client
	Receiver Receiver
	Links    *design.Links
	Arrivals design.Arrivals
	Timeout  time.Duration // for the outcome
	Slots    chan struct{} // bounds how many forms are received at once
	Quotas   Quotas
}

// request is one form on its way.
type request struct {
	id  string // of the request
	ref string // of the upload
	got Received
	// base is the ref of the upload that a new one begins with, or "".
	base string
}

// Create answers POST /v1/uploads.
func (u *Uploads) Create(c *web.Call) error {
	a, err := u.accept(c, false, "", func(got Received) (*idempotency.Request, error) {
		return u.Keys.Begin(c, outcome.Outcomes{Docs: u.Docs}, "POST /v1/uploads", got.content())
	})
	if r := contract.RefusalIn(err); r != nil && r.Code == contract.ITARNotSupported {
		return u.refuseDeclared(c, err)
	}
	if err != nil {
		return err
	}
	c.Set("Location", u.PublicURL+"/v1/uploads/"+a.ID)
	if a.Upload.Status == uploads.Receiving {
		return u.receiving(c, http.StatusAccepted, a.ID, a.Upload.Ref, a.Notes)
	}
	res, err := u.resource(c.Context(), a.Upload, a.ID)
	if err != nil {
		return err
	}
	res.Notes = a.Notes
	return c.JSONSetApart(http.StatusCreated, res)
}

// UploadOfKey gives the ref of the upload that a call's Idempotency-Key names: what the call
// declares is about that one too.
func (u *Uploads) UploadOfKey(c *web.Call) ([]string, error) {
	_, ref, err := u.Keys.Look(c)
	if err != nil || ref == "" {
		return nil, err
	}
	return []string{ref}, nil
}

// refuseDeclared has the upload marked that the key of a form names which declares its design
// ITAR-controlled.
func (u *Uploads) refuseDeclared(c *web.Call, refusal error) error {
	refs, err := u.UploadOfKey(c)
	if err != nil || len(refs) == 0 {
		return cmp.Or(err, refusal)
	}
	return design.Designs{Client: u.Client, Arrivals: u.Arrivals}.RefuseITAR(c, refs...)
}

// Accepted is an upload that was made of a call's form.
type Accepted struct {
	ID     string // the secret upload_id
	Upload uploads.Upload
	Notes  []string // what was left aside, in words
}

// Accept makes an upload of the files in a call's form, for the caller. One whose files are
// still being unpacked is Receiving: from now on its id is known to whoever asks, whichever
// edge. full refuses a form without files.
func (u *Uploads) Accept(c *web.Call, full bool) (Accepted, error) {
	return u.accept(c, full, "", u.newRequest)
}

// Extend makes an upload of the files in a call's form and of those of another upload of the
// caller's, which files of the same names replace. That upload stays as it is.
func (u *Uploads) Extend(c *web.Call, base string) (Accepted, error) {
	return u.accept(c, true, base, u.newRequest)
}

// newRequest is the request of one of our pages, at which nobody names any: all that shop there
// are one account.
func (u *Uploads) newRequest(Received) (*idempotency.Request, error) {
	return &idempotency.Request{ID: u.NewRequest()}, nil
}

func (u *Uploads) accept(c *web.Call, full bool, base string, begin func(Received) (*idempotency.Request, error)) (Accepted, error) {
	who := sender{c.Caller.Key.ID, u.Quotas.Network(c), c.Caller.Limits}
	if err := u.Quotas.open(c.Context(), who); err != nil {
		return Accepted{}, err
	}
	got, err := u.receive(c, who)
	if err != nil {
		return Accepted{}, err
	}
	if full && len(got.Files) == 0 {
		return Accepted{}, refuseEmpty()
	}
	r, err := begin(got)
	if err == nil && !r.HasEnded() {
		if !r.Replayed {
			r.Note = contract.SecretRef(u.idOf(r))
		}
		err = r.Claim(c.Context())
	}
	if err != nil {
		u.Receiver.Discard(got.Files)
		return Accepted{}, err
	}
	return u.take(c, r, got, base)
}

// idOf is the id of the upload that a request makes.
func (u *Uploads) idOf(r *idempotency.Request) string { return u.Secrets.UploadIDOf(r.ID, r.Note) }

// take makes the upload of a request, or gives the one that it made.
func (u *Uploads) take(c *web.Call, r *idempotency.Request, got Received, base string) (Accepted, error) {
	r.Mark(c)
	a := Accepted{ID: u.idOf(r), Upload: uploads.Upload{Ref: r.Note, Status: uploads.Receiving}, Notes: got.Notes}
	out := r.Outcome
	if out != nil {
		u.Receiver.Discard(got.Files)
		if out.Refusal != nil {
			return a, nameFiles(problem.NewFromRefusal(out.Refusal), got)
		}
	} else {
		var err error
		out, err = u.carryOut(c, request{id: r.ID, ref: r.Note, got: got, base: base}, c.Caller.Account, false)
		if err != nil {
			return a, err
		}
	}
	if out == nil {
		return a, u.Arrivals.Note(c.Context(), a.Upload.Ref, c.Caller.Account)
	}
	var err error
	if a.Upload, err = outcome.Decode[uploads.Upload](out.Doc); err == nil && r.Replayed {
		err = u.open(a.Upload) // what it made may have ended since
	}
	return a, err
}

func refuseEmpty() error {
	return problem.New(contract.NoFiles, "Send at least one file, in a multipart part named files.")
}

// receive streams the request's files into the store.
func (u *Uploads) receive(c *web.Call, who sender) (Received, error) {
	if err := c.PlainBody(); err != nil {
		return Received{}, err
	}
	body := c.Body()
	if body.Empty() {
		return Received{}, nil
	}
	if _, err := boundaryOf(c.Header("Content-Type")); err != nil {
		return Received{}, err
	}
	if body.Length() > u.Receiver.Limits.Bytes+formExtra {
		return Received{}, SizeError(u.Receiver.Limits)
	}
	counted, leave, err := u.begin(c, who)
	if err != nil {
		return Received{}, err
	}
	defer leave()
	got, err := u.Receiver.Receive(c.Context(), c.Header("Content-Type"), counted)
	if err == nil && got.ITAR {
		err = contract.Refuse(contract.ITARNotSupported, "Designs declared ITAR-controlled cannot be ordered through this service. Nothing of this request was kept. To have the files of an upload deleted, name its upload_id in a request that carries the API key and the declaration.")
	}
	return got, err
}

// begin takes what receiving one form takes: a place of the sender's, a slot of this
// process, and the count of what is read.
func (u *Uploads) begin(c *web.Call, who sender) (body io.Reader, leave func(), err error) {
	place, err := u.Quotas.begin(who)
	if err != nil {
		return nil, nil, err
	}
	select {
	case u.Slots <- struct{}{}:
	default:
		place()
		return nil, nil, problem.Unavailable(errors.New("too many uploads at once"))
	}
	counted := &metered{r: c.Body(), take: func(n int) error { return u.Quotas.megabytes(c.Context(), who, n) }}
	return counted, func() { <-u.Slots; place() }, nil
}

// Begin gives the body of a form that another part of the edge receives, counted as
// uploads are. leave must be called.
func (u *Uploads) Begin(c *web.Call) (body io.Reader, leave func(), err error) {
	return u.begin(c, sender{c.Caller.Key.ID, u.Quotas.Network(c), c.Caller.Limits})
}

// carryOut passes the files on and waits for what becomes of them; nil when
// that takes too long.
func (u *Uploads) carryOut(c *web.Call, r request, account string, existing bool) (*outcome.Outcome, error) {
	c.About = append(c.About, zap.String("request", r.id), zap.String("upload", r.ref), zap.Int("files", len(r.got.Files)))
	cmd, err := u.command(r, account, existing)
	if err != nil {
		return nil, err
	}
	out, err := u.Submit(c.Context(), cmd, u.Timeout)
	if errors.Is(err, dispatch.ErrNotSent) {
		// Perhaps only the answer was lost and the command is on its way: the
		// files stay for it, or else for the sweep.
		return nil, problem.Unavailable(err)
	}
	if p, ok := errors.AsType[*problem.Problem](err); ok {
		err = nameFiles(p, r.got)
	}
	return out, err
}

// nameFiles says which words of a refusal may be names of files.
func nameFiles(p *problem.Problem, got Received) *problem.Problem {
	for _, f := range got.Files {
		p.Untrusted = append(p.Untrusted, f.Name)
	}
	return p
}

func (u *Uploads) command(r request, account string, existing bool) (contract.Command, error) {
	name, data := uploads.AddFiles, any(uploads.AddFilesData{Ref: r.ref, Files: r.got.Files, Existing: existing, Base: r.base})
	if len(r.got.Files) == 0 {
		name, data = uploads.Create, uploads.Data{Ref: r.ref}
	}
	return contract.NewCommand(name, r.id, account, u.Now(), data)
}

// receiving shows an upload whose files are not unpacked yet.
func (u *Uploads) receiving(c *web.Call, status int, uploadID, ref string, notes []string) error {
	res, err := u.resource(c.Context(), uploads.Upload{Ref: ref}, uploadID)
	if err != nil {
		return err
	}
	res.Status, res.ExpiresAt = string(uploads.Receiving), nil
	res.Notes = append(notes, "The files have arrived and are still being unpacked; GET this upload to see them.")
	c.Set("Retry-After", "5")
	return c.JSON(status, res)
}

// resource is the Upload resource for the holder of the key.
func (u *Uploads) resource(ctx context.Context, up uploads.Upload, uploadID string) (Resource, error) {
	url, err := u.link(ctx, up.Ref)
	if err != nil {
		return Resource{}, err
	}
	minutes, cmd := int(LinkTTL/time.Minute), command(url)
	res := resourceOf(up)
	res.UploadID, res.UploadURL, res.ExpiresInMinutes, res.Command = &uploadID, &url, &minutes, &cmd
	res.Files, res.LeftOut = Names(up), up.LeftOut
	return res, nil
}

func resourceOf(up uploads.Upload) Resource {
	at := up.ExpiresAt.UTC().Truncate(time.Millisecond)
	return Resource{OK: true, Files: []string{}, ExpiresAt: &at, QuoteTakes: quoteTakes, Status: string(uploads.Open)}
}

// maxID is how many characters an upload_id has at most.
const maxID = 64

// Show answers GET /v1/uploads/{upload_id}.
func (u *Uploads) Show(c *web.Call) error {
	up, err := u.callersUpload(c)
	if err != nil {
		return err
	}
	return u.show(c, up)
}

// callersUpload gives the upload that a call names, if it is the caller's and open, or
// being received.
func (u *Uploads) callersUpload(c *web.Call) (uploads.Upload, error) {
	id, err := c.PathID("upload_id", maxID)
	if err != nil {
		return uploads.Upload{}, err
	}
	up, refusal, found, err := u.read(c.Context(), contract.SecretRef(id))
	switch {
	case err != nil:
		return up, err
	case !found, !strings.HasPrefix(id, contract.UploadPrefix), up.Account != c.Caller.Account:
		return up, design.Unknown()
	case refusal != nil:
		return up, design.RefuseFiles(refusal)
	}
	return up, u.open(up)
}

func (u *Uploads) show(c *web.Call, up uploads.Upload) error {
	if up.Status == uploads.Receiving {
		return u.receiving(c, http.StatusOK, c.Param("upload_id"), up.Ref, nil)
	}
	res, err := u.resource(c.Context(), up, c.Param("upload_id"))
	if err != nil {
		return err
	}
	if len(up.Files) > 0 {
		read, known, err := outcome.Read[boards.ReadFiles](c.Context(), u.Docs, string(contract.BoardAggregate), up.Digest)
		if err != nil {
			return err
		}
		reading := !known
		res.Reading, res.Classified = &reading, read.Files
	}
	return c.JSONSetApart(http.StatusOK, res)
}

// read gives an upload, also one whose files are still being unpacked, or were
// refused after its id was given.
func (u *Uploads) read(ctx context.Context, ref string) (up uploads.Upload, refusal *contract.Refusal, found bool, err error) {
	up, found, err = outcome.Read[uploads.Upload](ctx, u.Docs, string(contract.UploadAggregate), ref)
	if found || err != nil {
		return up, nil, found, err
	}
	arrived, found, err := u.Arrivals.Find(ctx, ref)
	return uploads.Upload{Ref: ref, Account: arrived.Account, Status: uploads.Receiving}, arrived.Refusal, found, err
}

// open refuses an upload that is no longer usable.
func (u *Uploads) open(up uploads.Upload) error {
	switch {
	case up.Status == uploads.Receiving:
		return nil
	case up.Status == uploads.ITARDeclared:
		return problem.New(contract.UploadExpired, "The files of this upload were deleted, because the design was declared ITAR-controlled.")
	case up.Status != uploads.Open || !u.Now().Before(up.ExpiresAt):
		return problem.New(contract.UploadExpired, "The files of this upload were deleted six hours after the last of them arrived. Upload them again.")
	}
	return nil
}
