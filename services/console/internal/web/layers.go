package web

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
)

type layersView struct {
	page
	*quotes.Quote
	design
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
func (s *Server) quoteDesign(ctx context.Context, ref string) (*quotes.Quote, design, error) {
	q, _, _, err := s.readQuote(ctx, ref)
	if err != nil {
		return nil, design{}, err
	}
	d, err := s.readDesign(ctx, q.Digest, q.Board)
	return q, d, err
}

// layers shows a quote's board layer by layer, and what checks found.
func (s *Server) layers(c *call) error {
	q, d, err := s.quoteDesign(c.r.Context(), c.r.PathValue("ref"))
	if err != nil {
		return err
	}
	v := layersView{page: c.page("quotes", "Layers of quote "+id(q.Ref)), Quote: q, design: d, Zoom: zooms[0]}
	if n, err := strconv.Atoi(c.r.URL.Query().Get("zoom")); err == nil && slices.Contains(zooms, n) {
		v.Zoom = n
	}
	v.Shown = selectLayers(d.Drawn, c.r.URL.Query()["layer"])
	if v.Checks, err = s.checksOf(c.r.Context(), q.Digest); err != nil {
		return err
	}
	return c.show("layers", v)
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
func (s *Server) checksOf(ctx context.Context, digest string) ([]*designchecks.DesignCheck, error) {
	found, _, err := list[designchecks.DesignCheck](ctx, s.Docs, contract.DesignCheckAggregate, "digest", digest, projection.Page{Limit: maxChecks})
	var out []*designchecks.DesignCheck
	for _, d := range found {
		if d.Status != designchecks.Gone && d.Status != designchecks.Refused {
			out = append(out, d)
		}
	}
	return out, err
}

// drawLayers has pictures of the layers made.
func (s *Server) drawLayers(c *call) error {
	ref := c.r.PathValue("ref")
	q, _, err := s.quoteDesign(c.r.Context(), ref)
	if err != nil {
		return err
	}
	err = c.command(audits.Record{Action: "had layers drawn", Kind: "board", ID: q.Digest},
		boards.DrawLayers, c.r.PostFormValue("request"), q.Account, boards.DrawLayersData{Digest: q.Digest})
	return c.finish(err, "/quotes/"+ref+"/layers", "drawn")
}

// layerPicture shows one layer of a quote's board.
func (s *Server) layerPicture(c *call) error {
	_, d, err := s.quoteDesign(c.r.Context(), c.r.PathValue("ref"))
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(c.r.PathValue("n"))
	if err != nil || d.Drawn == nil || n < 0 || n >= len(d.Drawn.Layers) {
		return missing("picture")
	}
	c.w.Header().Set("Content-Type", "image/png")
	c.w.Header().Set("Cache-Control", "private, max-age=300")
	return c.send(d.Drawn.Layers[n].Key, "picture")
}

// checkReport shows the report of a design check of a quote's files, as the page
// that it is: with its own scripts, and with nothing of the console's.
func (s *Server) checkReport(c *call) error {
	q, _, err := s.quoteDesign(c.r.Context(), c.r.PathValue("ref"))
	if err != nil {
		return err
	}
	d, err := get[designchecks.DesignCheck](c.r.Context(), s.Docs, contract.DesignCheckAggregate, c.r.PathValue("check"))
	if err != nil {
		return err
	}
	if d == nil || d.Digest != q.Digest || d.Report == "" {
		return missing("report")
	}
	h := c.w.Header()
	h.Set("Content-Security-Policy", d.PagePolicy())
	h.Set("Content-Type", "text/html; charset=utf-8")
	return c.send(d.Report, "report")
}
