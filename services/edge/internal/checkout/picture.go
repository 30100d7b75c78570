package checkout

import (
	"errors"
	"net/http"

	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// picture answers GET /checkout/{quote_id}/board.png. Unlike the link that
// partners get it holds as long as the page does: an order outlives its quote.
func (p *Pages) picture(c *web.Call) error {
	s, err := p.read(c.Context(), c.Param("quote_id"))
	if err != nil {
		return err
	}
	none := problem.New(contract.NotFound, "There is no such picture.")
	if s.quote.Picture == "" {
		return none
	}
	if c.NotModified(`"` + contract.DeriveID(s.quote.Picture) + `"`) {
		return nil
	}
	r, info, err := p.Blobs.Get(c.Context(), s.quote.Picture)
	if errors.Is(err, blob.ErrNotFound) {
		return none
	}
	if err != nil {
		return problem.Unavailable(err)
	}
	c.Set("Cache-Control", "private, max-age=3600")
	c.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	c.Set("Content-Type", "image/png")
	c.Fiber.Status(http.StatusOK)
	return c.Fiber.SendStream(r, int(info.Size)) // closes r when it is sent
}
