package web

// outlines shows where the parts of one side lie, for over the board's picture.
func (s *Server) outlines(c *call) error {
	q, _, _, err := s.readQuote(c.r.Context(), c.r.PathValue("ref"))
	if err != nil {
		return err
	}
	key := ""
	if a := q.Assembly; a != nil {
		key = map[string]string{"top": a.TopSVG, "bottom": a.BottomSVG}[c.r.PathValue("side")]
	}
	if key == "" {
		return missing("picture")
	}
	c.w.Header().Set("Content-Type", "image/svg+xml")
	c.w.Header().Set("Content-Security-Policy", "default-src 'none'; sandbox")
	c.w.Header().Set("Cache-Control", "private, max-age=300")
	return c.send(key, "picture")
}

// assemblyPackage gives what whoever assembles the boards needs: list, placements
// and choices.
func (s *Server) assemblyPackage(c *call) error {
	q, _, _, err := s.readQuote(c.r.Context(), c.r.PathValue("ref"))
	if err != nil {
		return err
	}
	key := ""
	if q.Assembly != nil {
		key = q.Assembly.Package
	}
	name := "assembly-" + q.Ref[:min(10, len(q.Ref))] + ".zip"
	if key != "" && hasPicks(q.Reply.Parts) {
		return c.sendPicked(q, name)
	}
	return c.sendPackage(key, q.Digest, name)
}
