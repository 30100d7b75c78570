package shop

import (
	"net/http"
	"net/url"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/quotes"
	"boardorder/services/edge/internal/limit"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/picture"
	"boardorder/services/edge/internal/web"
)

// pictureView is one side of the board.
type pictureView struct{ Side, Alt, Small, Large string }

// lookQuery names the colours of a board, as an address has them.
func (s *Shop) lookQuery(f choices, now facts) url.Values {
	q := url.Values{}
	for _, o := range picture.Choices(s.Catalog) {
		v := map[string]string{"solder_mask": now.mask, "surface_finish": now.finish, "material": now.material}[o.Field]
		if v == "" {
			v = f.get(o.Field)
		}
		for _, known := range o.Values {
			if v == known {
				q.Set(o.Field, v)
			}
		}
	}
	return q
}

// pictureViews are the sides of a board that there are pictures of. What was read together
// with answers is another reading, which their address names.
func pictureViews(p voice, at string, b boards.Board, look url.Values, files, reading string) []pictureView {
	var out []pictureView
	for _, side := range []struct{ name, alt, side, key string }{
		{p.Text("Top"), p.Text("The top side of your board"), "top", b.Top}, {p.Text("Bottom"), p.Text("The bottom side of your board"), "bottom", b.Bottom},
	} {
		if side.key == "" {
			continue
		}
		q := url.Values{"side": {side.side}, "board": {b.Name}}
		for name, v := range look {
			q[name] = v
		}
		if reading != files {
			q.Set("reading", reading[len(files)+1:])
		}
		large := at + "/board.png?" + q.Encode()
		out = append(out, pictureView{side.name, side.alt, large + "&small=1", large})
	}
	return out
}

// picture answers GET /order/{upload_id}/board.png: a side of a board, in the colours that
// its address names.
func (s *Shop) picture(c *web.Call) error {
	_, up, err := s.upload(c)
	if err != nil {
		return err
	}
	digest := up.Digest
	if reading, _ := c.Query("reading"); contract.ValidToken(reading) {
		digest += "-" + reading
	}
	read, _, err := outcome.Read[boards.ReadFiles](c.Context(), s.Docs, string(contract.BoardAggregate), digest)
	if err != nil {
		return err
	}
	name, _ := c.Query("board")
	b, found := read.BoardNamed(name)
	look, wrong := picture.ApplyChoices(picture.LookOf(quotes.Quote{}, s.Catalog), s.Catalog, c.Query)
	if !found || len(wrong) > 0 {
		return picture.Unknown()
	}
	key := b.Top
	if side, _ := c.Query("side"); side == "bottom" {
		key = b.Bottom
	}
	_, small := c.Query("small")
	return s.Pictures.Send(c, picture.View{Key: key, Look: look, Small: small})
}

// report answers GET /order/{upload_id}/report: it leads to the page with every finding.
func (s *Shop) report(c *web.Call) error {
	id, up, err := s.upload(c)
	if err != nil {
		return err
	}
	if err := s.take(c, limit.ShopChecks, s.Network(c)); err != nil {
		return err
	}
	if err := s.CountOwner(c, limit.DesignChecksDay); err != nil {
		return err
	}
	asked, body := choicesFor(c, up).body(id), map[string]any{"upload_id": id}
	for _, name := range []string{"board", "copper_oz", "thickness_mm", boards.FileAnswers} {
		if v, given := asked[name]; given {
			body[name] = v
		}
	}
	at, err := s.Checks.ReportURL(c, body)
	if err != nil {
		return err
	}
	c.Fiber.Status(http.StatusSeeOther)
	c.Set("Location", at)
	return nil
}
