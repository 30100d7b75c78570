package check

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/phrase"
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
	c.Set("Access-Control-Allow-Origin", "*") // a later report, of no origin either, compares itself with it
	if running(check) {
		c.Set("Cache-Control", "no-store")
		return c.HTML(http.StatusAccepted, waitPolicy, phrase.TranslatePage(c.Language(), []byte(waitPage)))
	}
	c.KeepLanguage()
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
	if err := k.addPlaces(c.Context(), check, r.Findings); err != nil {
		return err
	}
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

// addPlaces gives findings all their places, of which a check itself has some.
func (k *Checks) addPlaces(ctx context.Context, check *designchecks.DesignCheck, findings []Finding) error {
	if check.Places == "" {
		return nil
	}
	r, _, err := k.Blobs.Get(ctx, check.Places)
	if errors.Is(err, blob.ErrNotFound) {
		return nil
	}
	if err != nil {
		return problem.Unavailable(err)
	}
	defer r.Close()
	var all designchecks.AllPlaces
	if err := json.NewDecoder(io.LimitReader(r, maxPage)).Decode(&all); err != nil {
		return problem.Unavailable(err)
	}
	for i, places := range all.Places {
		if i < len(findings) && len(places) > len(findings[i].Places) {
			findings[i].Places = places
		}
	}
	return nil
}

// Places answers GET /design-checks/{token}/places.json: what the page at the same link
// fetches when somebody goes through all places of a finding. The page is of no origin, for
// it is served in a sandbox, so that any may read what the link alone gives.
func (k *Checks) Places(c *web.Call) error {
	check, err := k.open(c)
	if err != nil {
		return err
	}
	c.Set("Access-Control-Allow-Origin", "*")
	return k.pack(c, check.Places, "application/json")
}

// Search answers GET /design-checks/{token}/search.json: the names of nets, parts and pads, which
// the page at the same link fetches when somebody searches.
func (k *Checks) Search(c *web.Call) error {
	check, err := k.open(c)
	if err != nil {
		return err
	}
	c.Set("Access-Control-Allow-Origin", "*")
	return k.pack(c, check.Search, "application/json")
}

// Nets answers GET /design-checks/{token}/nets-{file}.json: the copper of some nets, of which one
// was found.
func (k *Checks) Nets(c *web.Call) error {
	check, err := k.open(c)
	if err != nil {
		return err
	}
	c.Set("Access-Control-Allow-Origin", "*")
	text := c.Param("file")
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 || n >= check.NetFiles || strconv.Itoa(n) != text {
		return problem.New(contract.NotFound, "There is no such file of nets.")
	}
	return k.pack(c, path.Join(path.Dir(check.Search), designchecks.NetsName(n)), "application/json")
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

// IsOfCaller reports whether a signed link is for an upload of the caller's account.
func (k *Checks) IsOfCaller(c *web.Call, token string) (bool, error) {
	subject, _, err := k.Secrets.OpenLink(linkPurpose, token, k.Now())
	if err != nil {
		return false, nil // it leads nowhere
	}
	_, rest, _ := strings.Cut(subject, "-")
	ref, _, _ := strings.Cut(rest, "-")
	up, found, err := outcome.Read[uploads.Upload](c.Context(), k.Docs, string(contract.UploadAggregate), ref)
	return found && up.Account == c.Caller.Account, err
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

// maxPage bounds what of a stored page, or of a check's places, is held in memory, in bytes.
const maxPage = 16 << 20

// page sends a stored page in the reader's language.
func (k *Checks) page(c *web.Call, key, policy string) error {
	own := c.Language()
	c.Set("Content-Security-Policy", policy)
	c.Set("Content-Language", own.Code)
	err := k.packAs(c, key, "text/html; charset=utf-8", own.Code, func(page []byte) []byte { return phrase.TranslatePage(own, page) })
	c.Set("Vary", "Accept-Encoding, Accept-Language, Cookie")
	return err
}

// pack sends what is stored, packed where the client takes that: pages are mostly the
// coordinates of drawings, which pack to a fifth.
func (k *Checks) pack(c *web.Call, key, kind string) error {
	return k.packAs(c, key, kind, "", func(data []byte) []byte { return data })
}

// packAs is [Checks.pack] of what is made of what is stored; variant tells it from what else may be.
func (k *Checks) packAs(c *web.Call, key, kind, variant string, translate func([]byte) []byte) error {
	if key == "" {
		return expiryError()
	}
	if c.AnswerNotModified(`"` + contract.DeriveID(key, variant) + `"`) {
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
	return c.Compress(http.StatusOK, kind, translate(body))
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
