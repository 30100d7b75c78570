package orders

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"

	"boardorder/pkg/blob"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/partlist"
	"boardorder/services/console/internal/page"
)

// sendPackage gives what an order is built from: the design files, the sheet,
// and of assembled boards the list, placements and choices.
func (s *Section) sendPackage(c *page.Call, o orders.Order) error {
	if o.Package == "" {
		return page.Problem{Status: 404, Message: "The files of this board are no longer stored."}
	}
	if err := c.RecordAccess(audits.Record{Action: "downloaded a package", Kind: "board", ID: o.Digest}); err != nil {
		return err
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	err := s.copyPackage(c.R.Context(), z, o.Package, "", "")
	if a := o.Sold.Assembly; err == nil && a != nil && a.Package != "" {
		err = s.copyPackage(c.R.Context(), z, a.Package, "assembly/", partlist.Name)
		if err == nil {
			to, wrong := z.Create("assembly/" + partlist.Name)
			if err = wrong; err == nil {
				err = partlist.Write(to, o.Sold.Reply.Parts)
			}
		}
	}
	if errors.Is(err, blob.ErrNotFound) {
		return s.Files.Absent(c, o.Package, "package")
	}
	if err == nil {
		to, wrong := z.Create(sheetName)
		if err = wrong; err == nil {
			_, err = io.WriteString(to, orderSheet(o))
		}
	}
	if err := errors.Join(err, z.Close()); err != nil {
		return fmt.Errorf("package of order %s: %w", o.Ref, err)
	}
	c.W.Header().Set("Content-Type", "application/zip")
	c.W.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": o.Ref + ".zip"}))
	_, err = c.W.Write(out.Bytes())
	return err
}

// maxOrderPackage bounds a package that is put together anew, in bytes.
const maxOrderPackage = 256 << 20

// copyPackage copies the members of a kept package under a folder, but some.
func (s *Section) copyPackage(ctx context.Context, to *zip.Writer, key, folder, but string) error {
	body, _, err := s.Files.Blobs.Get(ctx, key)
	if err != nil {
		return err
	}
	defer body.Close() //nolint:errcheck // read only
	data, err := io.ReadAll(io.LimitReader(body, maxOrderPackage+1))
	if err == nil && len(data) > maxOrderPackage {
		err = errors.New("it is too large")
	}
	if err != nil {
		return err
	}
	in, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	for _, f := range in.File {
		if f.Name == but {
			continue
		}
		head := f.FileHeader
		head.Name = folder + f.Name
		w, err := to.CreateRaw(&head)
		if err != nil {
			return err
		}
		r, err := f.OpenRaw()
		if err == nil {
			_, err = io.Copy(w, r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
