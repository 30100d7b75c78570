package checkout

import (
	"boardorder/services/edge/internal/picture"
	"boardorder/services/edge/internal/web"
)

// picture answers GET /checkout/{quote_id}/board.png. Unlike the link that
// partners get it holds as long as the page does: an order outlives its quote.
// side=bottom is the other side, small=1 the size that pages show.
func (p *Pages) picture(c *web.Call) error {
	s, err := p.read(c)
	if err != nil {
		return err
	}
	key := s.quote.Picture
	if side, _ := c.Query("side"); side == "bottom" {
		key = s.bottom
	}
	_, small := c.Query("small")
	return p.pictures.Send(c, picture.View{Key: key, Look: picture.LookOf(s.quote, p.Catalog), Small: small})
}

// pictureViews are the sides of the board that there are pictures of.
func (p *Pages) pictureViews(s record) []pictureView {
	if s.quote.Picture == "" {
		return nil
	}
	at := p.self(s.id, "") + "/board.png"
	out := []pictureView{{Side: s.lang.Text("Top"), Alt: s.lang.Text("The top side of your board"), Small: at + "?small=1", Large: at}}
	if s.bottom != "" {
		out = append(out, pictureView{Side: s.lang.Text("Bottom"), Alt: s.lang.Text("The bottom side of your board"), Small: at + "?side=bottom&small=1", Large: at + "?side=bottom"})
	}
	return out
}
