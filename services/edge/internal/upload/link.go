package upload

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/design"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// Subject gives the ref of the upload that a call's signed link is for.
func (u *Uploads) Subject(c *web.Call) (ref string, err error) {
	subject, _, err := u.Secrets.OpenLink(LinkPurpose, c.Param("token"), u.Now())
	switch {
	case errors.Is(err, secret.ErrExpired):
		return "", problem.New(contract.LinkExpired, "This link took files for two hours and has expired. GET the upload to have a new one.")
	case err != nil:
		return "", problem.New(contract.LinkInvalid, "This link was altered or is incomplete.")
	}
	ref, version, _ := strings.Cut(subject, "-")
	hold, err := u.Links.Hold(c.Context(), ref, version)
	if err != nil {
		return "", problem.Unavailable(err)
	}
	if !hold {
		return "", problem.New(contract.LinkExpired, "This link was revoked. GET the upload to have a new one.")
	}
	return ref, nil
}

// link signs the right to add files to an upload.
func (u *Uploads) link(ctx context.Context, ref string) (url string, err error) {
	version, err := u.Links.Version(ctx, ref)
	if err != nil {
		return "", problem.Unavailable(err)
	}
	return u.PublicURL + "/u/" + u.Secrets.Link(LinkPurpose, ref+"-"+version, u.Now().Add(LinkTTL)), nil
}

// Revoke answers POST /v1/uploads/{upload_id}/revoke-links: every link given so
// far ends, also those to pictures and reports, and the reply has a new one.
func (u *Uploads) Revoke(c *web.Call) error {
	up, err := u.callersUpload(c)
	if err != nil {
		return err
	}
	if err := u.Links.Revoke(c.Context(), up.Ref); err != nil {
		return problem.Unavailable(err)
	}
	return u.show(c, up)
}

// Add answers POST to an upload's signed link, which needs no key. The reply
// covers nothing but what came with the request.
func (u *Uploads) Add(c *web.Call) error {
	AllowBrowsers(c)
	ref, err := u.Subject(c)
	if err != nil {
		return err
	}
	up, err := u.uploadOfLink(c.Context(), ref)
	if err != nil {
		return err
	}
	c.Keep()
	got, err := u.receive(c, sender{contract.DeriveID("account", up.Account), u.Quotas.Network(c), nil})
	if err != nil {
		return err
	}
	if len(got.Files) == 0 {
		return refuseEmpty()
	}
	r := request{id: u.NewRequest(), ref: ref, got: got}
	out, err := u.carryOut(c, r, up.Account, true)
	if err != nil {
		return err
	}
	if out == nil {
		res := resourceOf(up)
		res.Status, res.Notes = string(uploads.Receiving), append(got.Notes, "The files have arrived and are still being unpacked.")
		return c.JSON(http.StatusAccepted, res)
	}
	after, err := outcome.Decode[uploads.Upload](out.Doc)
	if err != nil {
		return err
	}
	res := resourceOf(after)
	res.Files, res.Notes = filesOfRequest(after, r.id), got.Notes
	return c.JSONSetApart(http.StatusOK, res)
}

// patience is how long files for a link wait for those that came before them.
const patience = 20 * time.Second

// uploadOfLink gives the upload of a link, if it takes files.
func (u *Uploads) uploadOfLink(ctx context.Context, ref string) (uploads.Upload, error) {
	up, refusal, found, err := u.read(ctx, ref)
	if err == nil && found && refusal == nil && up.Status == uploads.Receiving {
		waiting := design.Designs{Client: u.Client, Arrivals: u.Arrivals}
		if _, err = waiting.AwaitUnpacked(ctx, up.Account, ref, patience); err == nil {
			up, refusal, found, err = u.read(ctx, ref)
		}
	}
	switch {
	case err != nil:
		return up, err
	case !found:
		return up, problem.New(contract.UploadNotFound, "The upload of this link does not exist.")
	case refusal != nil:
		return up, design.RefuseFiles(refusal)
	}
	return up, u.open(up)
}

// AllowBrowsers lets pages of any origin send files to a link and read the reply.
func AllowBrowsers(c *web.Call) {
	c.Set("Access-Control-Allow-Origin", "*")
	c.Set("Access-Control-Expose-Headers", "Request-Id, Retry-After, RateLimit, RateLimit-Policy")
	c.Set("Cross-Origin-Resource-Policy", "cross-origin")
}

// Preflight answers OPTIONS of a link.
func Preflight(c *web.Call) error {
	AllowBrowsers(c)
	c.Set("Access-Control-Allow-Methods", "POST, OPTIONS")
	c.Set("Access-Control-Allow-Headers", "Content-Type")
	c.Set("Access-Control-Max-Age", "86400")
	c.Set("Allow", "POST, OPTIONS")
	c.Fiber.Status(http.StatusNoContent)
	return nil
}
