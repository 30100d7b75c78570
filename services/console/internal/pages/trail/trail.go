package trail

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"time"

	"boardorder/pkg/contract/audits"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/audit"
	"boardorder/services/console/internal/download"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/states"
)

type auditRow struct {
	audits.Entry
	audits.Record
	Changes []auditChange
	To      string // the page of what it was done to
}

// auditChange is one thing that was different after than before.
type auditChange struct{ Name, Before, After string }

type auditView struct {
	page.Frame
	Rows       []auditRow
	Key, Value string // the filter
	Filters    []string
	Next       string
	Verified   *audit.Report
}

// auditFilters are what entries are listed by.
var auditFilters = []string{"operator", "action", "account", "about"}

// Show shows what operators did, newest first.
func (s *Section) Show(c *page.Call) error {
	query := c.R.URL.Query()
	v := auditView{Frame: c.Frame("audit", "Audit trail"), Key: query.Get("by"), Value: query.Get("value"), Filters: auditFilters}
	if v.Value == "" || !slices.Contains(auditFilters, v.Key) {
		v.Key, v.Value = "", ""
	}
	docs, next, err := s.Docs.List(c.R.Context(), audits.DocumentKind, v.Key, v.Value, projection.Page{Limit: states.PerPage, Cursor: query.Get("cursor")})
	if err != nil {
		return fmt.Errorf("list audit entries: %w", err)
	}
	for _, doc := range docs {
		e, err := states.Decode[audits.Entry](doc)
		if err != nil {
			return err
		}
		r, err := e.Read()
		if err != nil {
			return err
		}
		if hidden, err := c.HidesEntry(r); err != nil {
			return err
		} else if !hidden {
			v.Rows = append(v.Rows, auditRow{*e, r, changes(r), auditPath(r)})
		}
	}
	v.Next = next
	return c.Show(templates, "audit", v)
}

func changes(r audits.Record) []auditChange {
	names := map[string]bool{}
	for name := range r.Before {
		names[name] = true
	}
	for name := range r.After {
		names[name] = true
	}
	var out []auditChange
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if r.Before[name] != r.After[name] {
			out = append(out, auditChange{name, r.Before[name], r.After[name]})
		}
	}
	return out
}

func auditPath(r audits.Record) string {
	switch r.Kind {
	case "order":
		return "/orders/" + r.ID
	case "quote":
		return "/quotes/" + r.ID
	case "central-order":
		return "/central/" + r.ID
	case "account":
		return "/accounts/" + r.ID
	case "key":
		return "/accounts/" + r.Account
	}
	return ""
}

// Verify follows the whole chain, from the stream itself.
func (s *Section) Verify(c *page.Call) error {
	v := auditView{Frame: c.Frame("audit", "Audit trail"), Filters: auditFilters}
	_ = c.Controller().SetWriteDeadline(time.Now().Add(download.DownloadTime))
	r, err := audit.Verify(c.R.Context(), s.Bus)
	if err != nil {
		return err
	}
	v.Verified = &r
	return c.Show(templates, "audit", v)
}

// writeEntry adds an entry to a file. Of one that is not shown to the operator its
// number and both hashes stand there: the chain can be followed over it.
func (s *Section) writeEntry(c *page.Call, w audit.Writer, e audits.Entry) error {
	r, err := e.Read()
	if err != nil {
		return err
	}
	hidden, err := c.HidesEntry(r)
	if err != nil {
		return err
	}
	if hidden {
		e.Record = json.RawMessage(`{"withheld":true}`)
	}
	return w.Write(e)
}

// File exports the whole trail.
func (s *Section) File(c *page.Call) error {
	format := c.R.PathValue("format")
	if !slices.Contains(audit.Formats(), format) {
		return page.Missing("format")
	}
	if err := c.RecordAccess(audits.Record{Action: "exported the audit trail", Kind: "format", ID: format}); err != nil {
		return err
	}
	c.W.Header().Set("Content-Type", map[string]string{"csv": "text/csv; charset=utf-8", "json": "application/x-ndjson"}[format])
	c.W.Header().Set("Content-Disposition", `attachment; filename="audit.`+format+`"`)
	_ = c.Controller().SetWriteDeadline(time.Now().Add(download.DownloadTime))
	w, err := audit.NewWriter(c.W, format)
	if err != nil {
		return err
	}
	var broken error
	err = audit.Read(c.R.Context(), s.Bus, func(e audits.Entry) {
		if broken == nil {
			broken = s.writeEntry(c, w, e)
		}
	})
	if err != nil || broken != nil || w.Close() != nil {
		panic(http.ErrAbortHandler) // a file that ends early must not look whole
	}
	return nil
}
