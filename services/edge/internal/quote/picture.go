package quote

import (
	"errors"
	"net/http"
	"strconv"
	"strings"

	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

const pictureLink = "board-image"

// Picture answers GET /board-images/{token}.png for whoever holds the link.
func (q *Quotes) Picture(blobs blob.Store) func(*web.Call) error {
	return func(c *web.Call) error {
		token, _ := strings.CutSuffix(c.Param("token"), ".png")
		ref, _, err := q.Secrets.OpenLink(pictureLink, token, q.Now())
		switch {
		case errors.Is(err, secret.ErrExpired):
			return problem.New(contract.LinkExpired, "This link has expired with its quote.")
		case err != nil:
			return problem.New(contract.LinkInvalid, "This link was altered or is incomplete.")
		}
		quote, found, err := outcome.Read[contract.Quote](c.Context(), q.Docs, string(contract.QuoteAggregate), ref)
		if err != nil {
			return err
		}
		if !found {
			return noPicture()
		}
		// Nothing that was made of a design since declared ITAR-controlled is shown.
		declared, err := q.designs().Declared(c.Context(), quote.Upload)
		if err != nil {
			return err
		}
		if declared {
			return noPicture()
		}
		return send(c, blobs, pictureOf(quote, c.Param("picture")))
	}
}

// pictureOf is the blob key of one of a quote's pictures: of the board, or of a
// finding's place, by its number in the quote.
func pictureOf(q contract.Quote, name string) string {
	if name == "" {
		return q.Picture
	}
	text, isFinding := strings.CutPrefix(strings.TrimSuffix(name, ".png"), "finding-")
	n, err := strconv.Atoi(text)
	if !isFinding || err != nil || n < 0 || n >= len(q.Reply.BoardFindings) {
		return ""
	}
	return q.Reply.BoardFindings[n].Image
}

func send(c *web.Call, blobs blob.Store, key string) error {
	if key == "" {
		return noPicture()
	}
	if c.NotModified(`"` + contract.DeriveID(key) + `"`) {
		return nil
	}
	r, info, err := blobs.Get(c.Context(), key)
	if errors.Is(err, blob.ErrNotFound) {
		return noPicture()
	}
	if err != nil {
		return problem.Unavailable(err)
	}
	c.Set("Content-Type", "image/png")
	c.Set("Cache-Control", "private, max-age=3600")
	c.Set("Cross-Origin-Resource-Policy", "cross-origin")
	c.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	c.Fiber.Status(http.StatusOK)
	return c.Fiber.SendStream(r, int(info.Size)) // closes r when it is sent
}

func noPicture() error { return problem.New(contract.NotFound, "There is no such picture.") }
