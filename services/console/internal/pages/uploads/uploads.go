package uploads

import (
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/operator"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/states"
)

type uploadRow struct {
	*uploads.Upload
	Name  string
	Bytes int64
	Files int
	Names []string // only for those who may see designs
}

type uploadsView struct {
	page.Frame
	states.ModeFilter
	Rows     []uploadRow
	Status   string
	Statuses []uploads.Status
	Next     string
}

// List lists uploads, newest first.
func (s *Section) List(c *page.Call) error {
	ask := c.R.URL.Query()
	v := uploadsView{Frame: c.Frame("uploads", "Uploads"), ModeFilter: states.ReadMode(c.R), Status: ask.Get("status"),
		Statuses: []uploads.Status{uploads.Open, uploads.Expired, uploads.ITARDeclared}}
	found, next, err := states.ListMode(c.R.Context(), s.Docs, contract.UploadAggregate, v.ModeFilter, v.Status,
		projection.Page{Limit: states.PerPage, Cursor: ask.Get("cursor")}, func(u *uploads.Upload) string { return u.Account })
	if err != nil {
		return err
	}
	for _, u := range found {
		v.Rows = append(v.Rows, newRow(c, u))
	}
	v.Next = next
	return c.Show(templates, "uploads", v)
}

// maxNames bounds how many names a row shows.
const maxNames = 60

// newRow leaves out what the operator may not see: names of files show
// the design, and those of controlled designs are for few.
func newRow(c *page.Call, u *uploads.Upload) uploadRow {
	row := uploadRow{Upload: u, Name: c.AccountName(u.Account), Files: len(u.Files)}
	for _, f := range u.Files {
		row.Bytes += f.Size
	}
	controlled := u.Status == uploads.ITARDeclared
	if !c.Can(operator.SeeDesigns) || controlled && !c.Can(operator.SeeControlled) {
		return row
	}
	for _, f := range u.Files[:min(maxNames, len(u.Files))] {
		row.Names = append(row.Names, f.Name)
	}
	return row
}
