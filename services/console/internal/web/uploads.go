package web

import (
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/operator"
)

type uploadRow struct {
	*uploads.Upload
	Name  string
	Bytes int64
	Files int
	Names []string // only for those who may see designs
}

type uploadsView struct {
	page
	side
	Rows     []uploadRow
	Status   string
	Statuses []uploads.Status
	Next     string
}

// uploads lists uploads, newest first.
func (s *Server) uploads(c *call) error {
	ask := c.r.URL.Query()
	v := uploadsView{page: c.page("uploads", "Uploads"), side: sideOf(c.r), Status: ask.Get("status"),
		Statuses: []uploads.Status{uploads.Open, uploads.Expired, uploads.ITARDeclared}}
	found, next, err := listOf(c.r.Context(), s.Docs, contract.UploadAggregate, v.side, v.Status,
		projection.Page{Limit: perPage, Cursor: ask.Get("cursor")}, func(u *uploads.Upload) string { return u.Account })
	if err != nil {
		return err
	}
	for _, u := range found {
		v.Rows = append(v.Rows, c.uploadRow(u))
	}
	v.Next = next
	return c.show("uploads", v)
}

// maxNames bounds how many names a row shows.
const maxNames = 60

// uploadRow leaves out what the operator may not see: names of files show
// the design, and those of controlled designs are for few.
func (c *call) uploadRow(u *uploads.Upload) uploadRow {
	row := uploadRow{Upload: u, Name: c.accountName(u.Account), Files: len(u.Files)}
	for _, f := range u.Files {
		row.Bytes += f.Size
	}
	controlled := u.Status == uploads.ITARDeclared
	if !c.can(operator.SeeDesigns) || controlled && !c.can(operator.SeeControlled) {
		return row
	}
	for _, f := range u.Files[:min(maxNames, len(u.Files))] {
		row.Names = append(row.Names, f.Name)
	}
	return row
}
