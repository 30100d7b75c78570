package quotes

import (
	"archive/zip"
	"boardorder/pkg/blob"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/partlist"
	"boardorder/services/console/internal/page"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
)

func hasPicks(parts []assemblies.Part) bool {
	for _, p := range parts {
		if p.PickedBy != "" {
			return true
		}
	}
	return false
}

// maxPackage bounds a package whose list is written anew, in bytes.
const maxPackage = 64 << 20

// SendPicked gives the package for whoever assembles, with a list that has the
// parts that the team chose after the package was made.
func (s *Section) sendPicked(c *page.Call, q *quotes.Quote, name string) error {
	if err := c.RecordAccess(audits.Record{Action: "downloaded a package", Kind: "board", ID: q.Digest}); err != nil {
		return err
	}
	body, _, err := s.Files.Blobs.Get(c.R.Context(), q.Assembly.Package)
	if errors.Is(err, blob.ErrNotFound) {
		return page.Missing("package")
	}
	if err != nil {
		return fmt.Errorf("read package %s: %w", q.Assembly.Package, err)
	}
	defer func() { _ = body.Close() }()
	data, err := io.ReadAll(io.LimitReader(body, maxPackage+1))
	if err == nil && len(data) > maxPackage {
		err = errors.New("it is too large")
	}
	if err != nil {
		return fmt.Errorf("read package %s: %w", q.Assembly.Package, err)
	}
	out, err := replaceList(data, q.Reply.Parts)
	if err != nil {
		return fmt.Errorf("package %s: %w", q.Assembly.Package, err)
	}
	c.W.Header().Set("Content-Type", "application/zip")
	c.W.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	_, err = c.W.Write(out)
	return err
}

// replaceList is a package with the list of parts written anew; all else stays as it is.
func replaceList(data []byte, parts []assemblies.Part) ([]byte, error) {
	in, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range in.File {
		if f.Name == partlist.Name {
			continue
		}
		if err := z.Copy(f); err != nil {
			return nil, err
		}
	}
	to, err := z.Create(partlist.Name)
	if err == nil {
		err = partlist.Write(to, parts)
	}
	if err := errors.Join(err, z.Close()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
