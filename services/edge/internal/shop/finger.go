package shop

// goldFinish is the finish that covers contacts with gold, too.
const goldFinish = "enig"

// fingers says what the contacts at an edge are covered with, where they would be of gold and
// the price has another finish; else "".
func (s *Shop) fingers(p voice, now facts) string {
	if now.details == nil || now.details.SurfaceFinish == goldFinish {
		return ""
	}
	if kind, _ := now.details.FabOptions["gold_fingers"].(string); kind != "plain" && kind != "bevelled" {
		return ""
	}
	finish := s.nameOf(p, "surface_finish", now.details.SurfaceFinish)
	return p.Text("The contacts at the edge (gold fingers) are priced with the finish of the board, %s, not with gold. For thin gold choose ENIG as the surface finish; for hard gold tick “Something special: our team prices it”.", finish)
}
