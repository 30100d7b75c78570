package web

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"strconv"
	"strings"

	"boardorder/pkg/blob"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/wording"
	"boardorder/pkg/partlist"
	"boardorder/services/console/internal/plain"
)

// sheetName is the sheet's name in the package of an order: what to order, for
// whoever does it by hand.
const sheetName = "ORDER.txt"

// orderSheet says all that is ordered beside what the files say.
func orderSheet(o orders.Order) string {
	var b strings.Builder
	row := func(name, value string) {
		if value = plain.Line(value, 2000); value != "" {
			fmt.Fprintf(&b, "%-22s %s\n", name+":", value)
		}
	}
	number := func(v float64, unit string) string {
		if v == 0 {
			return ""
		}
		return strconv.FormatFloat(v, 'f', -1, 64) + unit
	}
	row("Order", o.Ref)
	row("Boards", strconv.Itoa(o.Quantity))
	row("Board", o.Board)
	if d := o.Sold.Reply.BoardDetails; d != nil {
		row("Layers", strconv.Itoa(d.Layers))
		row("Size", number(d.WidthMM, "")+" x "+number(d.HeightMM, " mm"))
		row("Thickness", number(d.ThicknessMM, " mm"))
		row("Outer copper", number(d.CopperOz, " oz"))
		if d.InnerCopperOz != nil {
			row("Inner copper", number(*d.InnerCopperOz, " oz"))
		}
		row("Material", d.Material)
		row("Surface finish", d.SurfaceFinish)
		row("Solder mask", d.SolderMask)
		row("Vias", d.ViaProcess)
		if d.ImpedanceControlled {
			row("Impedance", "controlled")
		}
		row("Stackup", d.FabStackup)
		if len(d.FabOptions) > 0 {
			row("Options", wording.Value(map[string]any(d.FabOptions)))
		}
	}
	paper := o.Sold.Paper()
	row("Described stackup", paper.Stackup)
	row("Separate boards", paper.Separate)
	if paper.Assembled > 0 {
		row("Assembled", strconv.Itoa(paper.Assembled)+" boards; list, placements and choices are in assembly/")
		row("Left off", strings.Join(paper.LeftOff, ", "))
		row("Sent by the customer", strings.Join(paper.Supplied, ", "))
		row("Replaced", strings.Join(paper.Replaced, "; "))
	}
	row("Not in the price", strings.Join(o.Sold.Reply.NotIncluded, "; "))
	for _, words := range []struct{ title, text string }{{"The customer's notes", paper.Notes}, {"What the team wrote to the customer", o.Sold.TeamNote}} {
		if words.text != "" {
			fmt.Fprintf(&b, "\n%s:\n%s\n", words.title, plain.Block(words.text, 5000))
		}
	}
	return b.String()
}

// sendOrderPackage gives what an order is built from: the design files, the sheet,
// and of assembled boards the list, placements and choices.
func (c *call) sendOrderPackage(o orders.Order) error {
	if o.Package == "" {
		return problem{404, "The files of this board are not kept any more."}
	}
	if err := c.saw(audits.Record{Action: "downloaded a package", Kind: "board", ID: o.Digest}); err != nil {
		return err
	}
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	err := c.copyPackage(z, o.Package, "", "")
	if a := o.Sold.Assembly; err == nil && a != nil && a.Package != "" {
		err = c.copyPackage(z, a.Package, "assembly/", partlist.Name)
		if err == nil {
			to, wrong := z.Create("assembly/" + partlist.Name)
			if err = wrong; err == nil {
				err = partlist.Write(to, o.Sold.Reply.Parts)
			}
		}
	}
	if errors.Is(err, blob.ErrNotFound) {
		return c.absent(o.Package, "package")
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
	c.w.Header().Set("Content-Type", "application/zip")
	c.w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": o.Ref + ".zip"}))
	_, err = c.w.Write(out.Bytes())
	return err
}

// maxOrderPackage bounds a package that is put together anew, in bytes.
const maxOrderPackage = 256 << 20

// copyPackage copies the members of a kept package under a folder, but some.
func (c *call) copyPackage(to *zip.Writer, key, folder, but string) error {
	body, _, err := c.s.Blobs.Get(c.r.Context(), key)
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
