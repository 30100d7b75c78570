package web

import (
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

	"go.uber.org/zap"
)

// downloadTime is how long one download may take.
const downloadTime = 10 * time.Minute

// send answers with a blob. The content type is set before.
func (c *call) send(key, what string) error {
	r, info, err := c.s.Blobs.Get(c.r.Context(), key)
	if errors.Is(err, blob.ErrNotFound) {
		c.w.Header().Del("Content-Disposition")
		return c.absent(key, what)
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", what, err)
	}
	defer r.Close() //nolint:errcheck // read only
	_ = c.controller().SetWriteDeadline(time.Now().Add(downloadTime))
	c.w.Header().Set("Content-Length", strconv.FormatInt(info.Size, 10))
	if _, err := io.Copy(c.w, r); err != nil && c.r.Context().Err() == nil {
		c.s.Log.Warn("download broke off", zap.String("what", what), zap.Error(err))
	}
	return nil
}

// absent says why a blob is not there: it may still be made.
func (c *call) absent(key, what string) error {
	read, err := get[boards.ReadFiles](c.r.Context(), c.s.Docs, contract.BoardAggregate, boards.DigestOf(key))
	switch {
	case err != nil:
		return err
	case read == nil || !strings.HasPrefix(key, read.Prefix):
		return missing(what)
	case read.IsMaking():
		c.w.Header().Set("Retry-After", "5")
		return problem{http.StatusServiceUnavailable, "The " + what + " is still being made. Look again in a few seconds."}
	case read.Rest == boards.RestFailed:
		return problem{http.StatusNotFound, "The " + what + " could not be made. The command that makes it, " + boards.Complete.String() + ", is among the dead letters, from where it can be sent again."}
	}
	return missing(what)
}

// sendPackage gives the zip of a set of design files, as a file to keep:
// nothing in it is shown here.
func (c *call) sendPackage(key, digest, name string) error {
	if key == "" {
		return problem{404, "The files of this board are not kept any more."}
	}
	if err := c.saw(audits.Record{Action: "downloaded a package", Kind: "board", ID: digest}); err != nil {
		return err
	}
	c.w.Header().Set("Content-Type", "application/zip")
	c.w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	return c.send(key, "package")
}
