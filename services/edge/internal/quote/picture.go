package quote

import (
	"errors"
	"strconv"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/secret"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/picture"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

const pictureLink = "board-image"

// Picture answers GET /board-images/{token}.png for whoever holds the link, in the
// colours of what is quoted, or of the options that the query names, so that a
// preview follows them at once.
func (q *Quotes) Picture(pictures *picture.Pictures) func(*web.Call) error {
	return func(c *web.Call) error {
		token, _ := strings.CutSuffix(c.Param("token"), ".png")
		subject, _, err := q.Secrets.OpenLink(pictureLink, token, q.Now())
		switch {
		case errors.Is(err, secret.ErrExpired):
			return problem.New(contract.LinkExpired, "This link has expired with its quote.")
		case err != nil:
			return problem.New(contract.LinkInvalid, "This link was altered or is incomplete.")
		}
		ref, version, _ := strings.Cut(subject, "-")
		quote, found, err := outcome.Read[quotes.Quote](c.Context(), q.Docs, string(contract.QuoteAggregate), ref)
		if err != nil {
			return err
		}
		if !found {
			return picture.Unknown()
		}
		hold, err := q.Links.Hold(c.Context(), quote.Upload, version)
		switch {
		case err != nil:
			return problem.Unavailable(err)
		case !hold:
			return problem.New(contract.LinkExpired, "This link was revoked. GET the quote's request to have a new one.")
		}
		// Nothing that was made of a design since declared ITAR-controlled is shown.
		declared, err := q.designs().IsDeclared(c.Context(), quote.Upload)
		if err != nil {
			return err
		}
		if declared {
			return picture.Unknown()
		}
		if name := c.Param("picture"); name != "" {
			return pictures.Stream(c, findingPicture(quote, name), true)
		}
		return q.board(c, pictures, quote)
	}
}

// board sends the picture of a quote's board.
func (q *Quotes) board(c *web.Call, pictures *picture.Pictures, quote quotes.Quote) error {
	look, wrong := picture.ApplyChoices(picture.LookOf(quote, q.Rules.Catalog), q.Rules.Catalog, c.Query)
	side, given := c.Query("side")
	if given && side != "top" && side != "bottom" {
		wrong = append(wrong, contract.FieldProblem{Field: "side", Problem: "unsupported", Message: "A board has two sides.", Allowed: []string{"top", "bottom"}})
	}
	if len(wrong) > 0 {
		return problem.Fields(wrong)
	}
	key := quote.Picture
	if side == "bottom" {
		key = picture.Bottom(c.Context(), q.Docs, quote)
	}
	_, small := c.Query("small")
	return pictures.Send(c, picture.View{Key: key, Look: look, Small: small, Shared: true})
}

// findingPicture is the blob key of the picture of a finding's place, by its number
// in the quote.
func findingPicture(q quotes.Quote, name string) string {
	text, isFinding := strings.CutPrefix(strings.TrimSuffix(name, ".png"), "finding-")
	n, err := strconv.Atoi(text)
	if !isFinding || err != nil || n < 0 || n >= len(q.Reply.BoardFindings) {
		return ""
	}
	return q.Reply.BoardFindings[n].Image
}
