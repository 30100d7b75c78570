// Package download sends files and pictures of designs to operators.
package download

import (
	"boardorder/pkg/projection"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/boards"
	"boardorder/services/console/internal/design"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/states"

	"go.uber.org/zap"
)

// Files sends what the stores keep of designs.
type Files struct {
	Docs  projection.Store
	Blobs blob.Store
	Log   *zap.Logger
}

// DownloadTime is how long one download may take.
const DownloadTime = 10 * time.Minute

// Send answers with a blob. The content type is set before.
func (f Files) Send(c *page.Call, key, what string) error {
	r, info, err := f.Blobs.Get(c.R.Context(), key)
	if errors.Is(err, blob.ErrNotFound) {
		c.W.Header().Del("Content-Disposition")
		return f.Absent(c, key, what)
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", what, err)
	}
	defer r.Close() //nolint:errcheck // read only
	_ = c.Controller().SetWriteDeadline(time.Now().Add(DownloadTime))
	c.W.Header().Set("Content-Length", strconv.FormatInt(info.Size, 10))
	if _, err := io.Copy(c.W, r); err != nil && c.R.Context().Err() == nil {
		f.Log.Warn("download broke off", zap.String("what", what), zap.Error(err))
	}
	return nil
}

// Absent says why a blob is not there: it may still be made.
func (f Files) Absent(c *page.Call, key, what string) error {
	read, err := states.Get[boards.ReadFiles](c.R.Context(), f.Docs, contract.BoardAggregate, boards.DigestOf(key))
	switch {
	case err != nil:
		return err
	case read == nil || !strings.HasPrefix(key, read.Prefix):
		return page.Missing(what)
	case read.IsMaking():
		c.W.Header().Set("Retry-After", "5")
		return page.Problem{Status: http.StatusServiceUnavailable, Message: "The " + what + " is still being made. Look again in a few seconds."}
	case read.Rest == boards.RestFailed:
		return page.Problem{Status: http.StatusNotFound, Message: "The " + what + " could not be made. The command that makes it, " + boards.Complete.String() + ", is among the dead letters, from where it can be sent again."}
	}
	return page.Missing(what)
}

// SendPackage gives the zip of a set of design files, as a file to keep:
// nothing in it is shown here.
func (f Files) SendPackage(c *page.Call, key, digest, name string) error {
	if key == "" {
		return page.Problem{Status: 404, Message: "The files of this board are no longer stored."}
	}
	if err := c.RecordAccess(audits.Record{Action: "downloaded a package", Kind: "board", ID: digest}); err != nil {
		return err
	}
	c.W.Header().Set("Content-Type", "application/zip")
	c.W.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	return f.Send(c, key, "package")
}

// SendSide sends the picture of the side that the address names.
func (f Files) SendSide(c *page.Call, d design.Design) error {
	key := ""
	if d.Drawn != nil {
		key = map[string]string{"top": d.Drawn.Top, "bottom": d.Drawn.Bottom}[c.R.PathValue("side")]
	}
	if key == "" {
		return page.Missing("picture")
	}
	c.W.Header().Set("Content-Type", "image/png")
	c.W.Header().Set("Cache-Control", "private, max-age=300")
	return f.Send(c, key, "picture")
}
