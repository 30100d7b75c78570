package quotes

import (
	"boardorder/services/console/internal/page"
)

// Outlines shows where the parts of one side lie, for over the board's picture.
func (s *Section) Outlines(c *page.Call) error {
	q, _, _, err := Read(c.R.Context(), s.Docs, c.R.PathValue("ref"))
	if err != nil {
		return err
	}
	key := ""
	if a := q.Assembly; a != nil {
		key = map[string]string{"top": a.TopSVG, "bottom": a.BottomSVG}[c.R.PathValue("side")]
	}
	if key == "" {
		return page.Missing("picture")
	}
	c.W.Header().Set("Content-Type", "image/svg+xml")
	c.W.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox")
	c.W.Header().Set("Cache-Control", "private, max-age=300")
	return s.Files.Send(c, key, "picture")
}

// AssemblyPackage gives what whoever assembles the boards needs: list, placements
// and choices.
func (s *Section) AssemblyPackage(c *page.Call) error {
	q, _, _, err := Read(c.R.Context(), s.Docs, c.R.PathValue("ref"))
	if err != nil {
		return err
	}
	key := ""
	if q.Assembly != nil {
		key = q.Assembly.Package
	}
	name := "assembly-" + q.Ref[:min(10, len(q.Ref))] + ".zip"
	if key != "" && hasPicks(q.Reply.Parts) {
		return s.sendPicked(c, q, name)
	}
	return s.Files.SendPackage(c, key, q.Digest, name)
}
