package quotes

import (
	"context"
	"slices"
	"strconv"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/audits"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/projection"
	"boardorder/services/console/internal/design"
	"boardorder/services/console/internal/format"
	"boardorder/services/console/internal/page"
	"boardorder/services/console/internal/states"
)

type layersView struct {
	page.Frame
	*quotes.Quote
	design.Design
	Checks []*designchecks.DesignCheck
	Zoom   int // one of zooms
	Shown  map[int]bool
}

// zooms are how many times as wide as its place on the page the board can be.
var zooms = []int{1, 2, 4, 8}

// Zooms is for templates.
func (layersView) Zooms() []int { return zooms }

// maxChecks bounds how many checks of the same files are shown.
const maxChecks = 20

// quoteDesign finds a quote and what was read of its files.
func (s *Section) quoteDesign(ctx context.Context, ref string) (*quotes.Quote, design.Design, error) {
	q, _, _, err := Read(ctx, s.Docs, ref)
	if err != nil {
		return nil, design.Design{}, err
	}
	d, err := design.Read(ctx, s.Docs, q.Digest, q.Board)
	return q, d, err
}

// Layers shows a quote's board layer by layer, and what checks found.
func (s *Section) Layers(c *page.Call) error {
	q, d, err := s.quoteDesign(c.R.Context(), c.R.PathValue("ref"))
	if err != nil {
		return err
	}
	v := layersView{Frame: c.Frame("quotes", "Layers of quote "+format.ID(q.Ref)), Quote: q, Design: d, Zoom: zooms[0]}
	if n, err := strconv.Atoi(c.R.URL.Query().Get("zoom")); err == nil && slices.Contains(zooms, n) {
		v.Zoom = n
	}
	v.Shown = selectLayers(d.Drawn, c.R.URL.Query()["layer"])
	if v.Checks, err = s.checksOf(c.R.Context(), q.Digest); err != nil {
		return err
	}
	return c.Show(templates, "layers", v)
}

// selectLayers are the layers that were chosen; copper when none was, for it is
// what people look for, and all where there is no copper.
func selectLayers(b *boards.Board, chosen []string) map[int]bool {
	shown := map[int]bool{}
	for _, text := range chosen {
		if n, err := strconv.Atoi(text); err == nil {
			shown[n] = true
		}
	}
	if len(shown) > 0 || b == nil {
		return shown
	}
	for _, copper := range []bool{true, false} {
		for i, l := range b.Layers {
			if !copper || l.Role == "copper" {
				shown[i] = true
			}
		}
		if len(shown) > 0 {
			break
		}
	}
	return shown
}

// checksOf lists the design checks of a set of files that can be shown.
func (s *Section) checksOf(ctx context.Context, digest string) ([]*designchecks.DesignCheck, error) {
	found, _, err := states.List[designchecks.DesignCheck](ctx, s.Docs, contract.DesignCheckAggregate, "digest", digest, projection.Page{Limit: maxChecks})
	var out []*designchecks.DesignCheck
	for _, d := range found {
		if d.Status != designchecks.Gone && d.Status != designchecks.Refused {
			out = append(out, d)
		}
	}
	return out, err
}

// DrawLayers has pictures of the layers made.
func (s *Section) DrawLayers(c *page.Call) error {
	ref := c.R.PathValue("ref")
	q, _, err := s.quoteDesign(c.R.Context(), ref)
	if err != nil {
		return err
	}
	err = c.Command(audits.Record{Action: "had layers drawn", Kind: "board", ID: q.Digest},
		boards.DrawLayers, c.R.PostFormValue("request"), q.Account, boards.DrawLayersData{Digest: q.Digest})
	return c.Finish(err, "/quotes/"+ref+"/layers", "drawn")
}

// LayerPicture shows one layer of a quote's board.
func (s *Section) LayerPicture(c *page.Call) error {
	_, d, err := s.quoteDesign(c.R.Context(), c.R.PathValue("ref"))
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(c.R.PathValue("n"))
	if err != nil || d.Drawn == nil || n < 0 || n >= len(d.Drawn.Layers) {
		return page.Missing("picture")
	}
	c.W.Header().Set("Content-Type", "image/png")
	c.W.Header().Set("Cache-Control", "private, max-age=300")
	return s.Files.Send(c, d.Drawn.Layers[n].Key, "picture")
}

// CheckReport shows the report of a design check of a quote's files, as the page
// that it is: with its own scripts, and with nothing of the console's.
func (s *Section) CheckReport(c *page.Call) error {
	q, _, err := s.quoteDesign(c.R.Context(), c.R.PathValue("ref"))
	if err != nil {
		return err
	}
	d, err := states.Get[designchecks.DesignCheck](c.R.Context(), s.Docs, contract.DesignCheckAggregate, c.R.PathValue("check"))
	if err != nil {
		return err
	}
	if d == nil || d.Digest != q.Digest || d.Report == "" {
		return page.Missing("report")
	}
	h := c.W.Header()
	h.Set("Content-Security-Policy", d.PagePolicy())
	h.Set("Content-Type", "text/html; charset=utf-8")
	return s.Files.Send(c, d.Report, "report")
}
