package web

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"strings"

	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/partlist"
	"boardorder/services/console/internal/plain"
)

// maxNumber bounds a part number, as the pricing service does.
const maxNumber = 120

// Pickable are the lines of a review that the team chooses parts for: those that
// name none by number, once the customer asked for the review and until it is
// priced.
func (v reviewView) Pickable() []assemblies.Part {
	if !v.Asked.StaffPicksParts || v.Assembly == nil || v.Standing != quotes.SourcingRequested {
		return nil
	}
	var out []assemblies.Part
	for _, p := range v.Reply.Parts {
		if p.Picked && p.Fitting == assemblies.Fitted {
			out = append(out, p)
		}
	}
	return out
}

// pickPart has suppliers asked about a part, and puts it into a line's place.
func (s *Server) pickPart(c *call) error {
	v, err := s.reviewView(c)
	if err != nil {
		return err
	}
	data := quotes.PickPartData{
		Quote: v.Ref, Operator: c.session.Operator.Name, Reference: c.r.PostFormValue("reference"),
		MPN: strings.TrimSpace(plain.Line(c.r.PostFormValue("mpn"), maxNumber)), Manufacturer: strings.TrimSpace(plain.Line(c.r.PostFormValue("manufacturer"), maxNumber)),
	}
	if data.MPN == "" {
		err = contract.Refuse(contract.InvalidRequest, "Nothing was done: please write the part number.")
	} else {
		r := audits.Record{Action: "chose a part", Kind: "quote", ID: v.Ref, After: map[string]string{"line": plain.Line(data.Reference, 200), "part": data.MPN}}
		if data.Manufacturer != "" {
			r.After["manufacturer"] = data.Manufacturer
		}
		err = c.command(r, quotes.PickPart, c.r.PostFormValue("request"), v.Account, data)
	}
	return v.answer(c, err, "picked")
}

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

// sendPicked gives the package for whoever assembles, with a list that has the
// parts that the team chose after the package was made.
func (c *call) sendPicked(q *quotes.Quote, name string) error {
	if err := c.saw(audits.Record{Action: "downloaded a package", Kind: "board", ID: q.Digest}); err != nil {
		return err
	}
	body, _, err := c.s.Blobs.Get(c.r.Context(), q.Assembly.Package)
	if errors.Is(err, blob.ErrNotFound) {
		return missing("package")
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
	c.w.Header().Set("Content-Type", "application/zip")
	c.w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	_, err = c.w.Write(out)
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
