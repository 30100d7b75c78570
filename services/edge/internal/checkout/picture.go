package checkout

import (
	"context"
	"errors"
	"net/http"

	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// picture answers GET /checkout/{quote_id}/board.png. Unlike the link that
// partners get it holds as long as the page does: an order outlives its quote.
// side=bottom is the other side, small=1 the size that pages show.
func (p *Pages) picture(c *web.Call) error {
	s, err := p.read(c.Context(), c.Param("quote_id"))
	if err != nil {
		return err
	}
	key := s.quote.Picture
	if side, _ := c.Query("side"); side == "bottom" {
		key = s.bottom
	}
	if key == "" {
		return noPicture()
	}
	_, small := c.Query("small")
	etag := contract.DeriveID(key)
	if small {
		etag = contract.DeriveID(key, "small")
	}
	if c.NotModified(`"` + etag + `"`) {
		return nil
	}
	c.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	if small {
		return p.sendSmall(c, key)
	}
	return p.sendPicture(c, key)
}

// sendPicture replies with a picture as it is kept.
func (p *Pages) sendPicture(c *web.Call, key string) error {
	r, info, err := p.Blobs.Get(c.Context(), key)
	if errors.Is(err, blob.ErrNotFound) {
		return noPicture()
	}
	if err != nil {
		return problem.Unavailable(err)
	}
	pictureHeaders(c)
	c.Fiber.Status(http.StatusOK)
	return c.Fiber.SendStream(r, int(info.Size)) // closes r when it is sent
}

func (p *Pages) sendSmall(c *web.Call, key string) error {
	data, err := p.pictures.small(c.Context(), p.Blobs, key)
	if errors.Is(err, blob.ErrNotFound) {
		return noPicture()
	}
	if err != nil {
		return problem.Unavailable(err)
	}
	pictureHeaders(c)
	return c.Bytes(http.StatusOK, "image/png", data)
}

func pictureHeaders(c *web.Call) {
	c.Set("Cache-Control", "private, max-age=3600")
	c.Set("Content-Type", "image/png")
}

func noPicture() error { return problem.New(contract.NotFound, "There is no such picture.") }

// bottom is the blob of the picture of the other side, or "". It is looked up in
// what was read of the files, which goes before an order does.
func (p *Pages) bottom(ctx context.Context, s standing) string {
	if s.quote.Digest == "" || s.quote.Picture == "" {
		return ""
	}
	files, found, err := outcome.Read[contract.ReadFiles](ctx, p.Docs, string(contract.BoardAggregate), s.quote.Digest)
	if err != nil || !found {
		return ""
	}
	b, ok := files.BoardNamed(s.quote.Board)
	if !ok || b.Top != s.quote.Picture { // read anew since: of another drawing
		return ""
	}
	return b.Bottom
}

// pictureViews are the sides of the board that there are pictures of.
func (p *Pages) pictureViews(s standing) []pictureView {
	if s.quote.Picture == "" {
		return nil
	}
	at := p.self(s.id, "") + "/board.png"
	out := []pictureView{{Side: "Top", Alt: "The top side of your board", Small: at + "?small=1", Large: at}}
	if s.bottom != "" {
		out = append(out, pictureView{Side: "Bottom", Alt: "The bottom side of your board", Small: at + "?side=bottom&small=1", Large: at + "?side=bottom"})
	}
	return out
}
