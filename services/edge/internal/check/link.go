package check

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

const (
	linkPurpose = "design-check"
	// linkLife is how long links outlive the upload that they were given for:
	// what was made of its files is kept on if they were quoted.
	linkTTL = 7 * 24 * time.Hour
)

// address is the signed address below which what was made of a check, or of a
// refused request, may be seen: the same for the same upload until its links are
// revoked.
func (k *Checks) address(ctx context.Context, id, upload string, expires time.Time) (string, error) {
	version, err := k.Links.Version(ctx, upload)
	if err != nil {
		return "", problem.Unavailable(err)
	}
	return k.base(k.Secrets.Link(linkPurpose, id+"-"+upload+"-"+version, expires.Add(linkTTL))), nil
}

// ReportPage answers GET /design-checks/{token}/report.html.
func (k *Checks) ReportPage(c *web.Call) error {
	check, err := k.open(c)
	if err != nil {
		return err
	}
	if running(check) {
		c.Set("Cache-Control", "no-store")
		return c.HTML(http.StatusAccepted, waitPolicy, []byte(waitPage))
	}
	return k.page(c, check.Report, check.PagePolicy())
}

// ReportData answers GET /design-checks/{token}/report.json: the report as the API
// gives it, for who holds the link to its page.
func (k *Checks) ReportData(c *web.Call) error {
	check, err := k.open(c)
	if err != nil {
		return err
	}
	c.Set("Cache-Control", "private, max-age=3600")
	c.Set("Content-Disposition", `attachment; filename="design-check.json"`)
	r := reportOf(*check, k.base(c.Param("token")))
	switch {
	case check.Refusal != nil:
		return problem.NewFromRefusal(check.Refusal)
	case running(check):
		r.Status, r.BoardCheck = designchecks.Running, k.progress(check)
		r.RetryAfterS = retryAfter(time.Duration(r.BoardCheck.ElapsedS) * time.Second)
		c.Set("Retry-After", strconv.Itoa(r.RetryAfterS))
		c.Set("Cache-Control", "no-store")
	}
	return c.JSON(http.StatusOK, r)
}

// Picture answers GET /design-checks/{token}/{image}.png.
func (k *Checks) Picture(c *web.Call) error {
	check, err := k.open(c)
	if err != nil {
		return err
	}
	text, _ := strings.CutSuffix(c.Param("image"), ".png")
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n >= len(check.Findings) || strconv.Itoa(n) != text {
		return problem.New(contract.NotFound, "There is no such picture.")
	}
	c.Set("Cross-Origin-Resource-Policy", "cross-origin")
	c.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	return k.send(c, check.Findings[n].Image, "image/png")
}

// base is the address below which what was made of a check lies.
func (k *Checks) base(token string) string { return k.PublicURL + "/design-checks/" + token + "/" }

// open gives the check of a signed link, as long as it and its upload's design
// may be shown. It may be running.
func (k *Checks) open(c *web.Call) (*designchecks.DesignCheck, error) {
	subject, _, err := k.Secrets.OpenLink(linkPurpose, c.Param("token"), k.Now())
	switch {
	case errors.Is(err, secret.ErrExpired):
		return nil, problem.New(contract.LinkExpired, "This link has expired. Check the design again for a new one.")
	case err != nil:
		return nil, problem.New(contract.LinkInvalid, "This link was altered or is incomplete.")
	}
	id, rest, _ := strings.Cut(subject, "-")
	ref, version, _ := strings.Cut(rest, "-")
	hold, err := k.Links.Hold(c.Context(), ref, version)
	switch {
	case err != nil:
		return nil, problem.Unavailable(err)
	case !hold:
		return nil, problem.New(contract.LinkExpired, "This link was revoked. Check the design again for a new one.")
	}
	declared, err := k.designs().IsDeclared(c.Context(), ref)
	if err != nil {
		return nil, err
	}
	if declared {
		return nil, expiryError()
	}
	if strings.HasPrefix(id, contract.RequestPrefix) {
		return k.refusalCheck(c, id)
	}
	check, found, err := outcome.Read[designchecks.DesignCheck](c.Context(), k.Docs, string(contract.DesignCheckAggregate), id)
	switch {
	case err != nil:
		return nil, err
	case !found || check.Status == designchecks.Gone:
		return nil, expiryError()
	}
	return &check, nil
}

// maxPage bounds what of a stored page is held in memory to pack it, in bytes.
const maxPage = 8 << 20

// page sends a stored page, packed where the client takes that: pages are mostly
// the coordinates of drawings, which pack to a fifth.
func (k *Checks) page(c *web.Call, key, policy string) error {
	if key == "" {
		return expiryError()
	}
	if c.AnswerNotModified(`"` + contract.DeriveID(key) + `"`) {
		return nil
	}
	r, _, err := k.Blobs.Get(c.Context(), key)
	if errors.Is(err, blob.ErrNotFound) {
		return expiryError()
	}
	if err != nil {
		return problem.Unavailable(err)
	}
	defer r.Close()
	body, err := io.ReadAll(io.LimitReader(r, maxPage))
	if err != nil {
		return problem.Unavailable(err)
	}
	c.Set("Cache-Control", "private, max-age=3600")
	return c.HTML(http.StatusOK, policy, body)
}

func (k *Checks) send(c *web.Call, key, kind string) error {
	if key == "" {
		return expiryError()
	}
	if c.AnswerNotModified(`"` + contract.DeriveID(key) + `"`) {
		return nil
	}
	r, info, err := k.Blobs.Get(c.Context(), key)
	if errors.Is(err, blob.ErrNotFound) {
		return expiryError()
	}
	if err != nil {
		return problem.Unavailable(err)
	}
	c.Set("Content-Type", kind)
	c.Set("Cache-Control", "private, max-age=3600")
	c.Fiber.Status(http.StatusOK)
	return c.Fiber.SendStream(r, int(info.Size)) // closes r when it is sent
}

func expiryError() error {
	return problem.New(contract.LinkExpired, "What this link leads to is no longer kept. Check the design again for a new one.")
}
