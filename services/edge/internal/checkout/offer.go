package checkout

import (
	"cmp"
	"context"
	"net/http"
	"strings"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/language"
	"boardorder/pkg/phrase"
	"boardorder/services/edge/internal/outcome"
	"boardorder/services/edge/internal/picture"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/quote"
	"boardorder/services/edge/internal/web"
)

// offerView is the board that a buy link sells.
type offerView struct {
	Pictures []pictureView
	Rows     []optionRow
}

// offerBoard is what was read of the board that a link sells.
func (p *Pages) offerBoard(ctx context.Context, link buylinks.BuyLink) (boards.Board, error) {
	files, _, err := outcome.Read[boards.ReadFiles](ctx, p.Docs, string(contract.BoardAggregate), link.Digest)
	if err != nil {
		return boards.Board{}, err
	}
	if name := text(link.Request.Board); name != "" {
		b, _ := files.BoardNamed(name)
		return b, nil
	}
	if len(files.Boards) == 1 {
		return files.Boards[0], nil
	}
	return boards.Board{}, nil
}

// offerView shows the board as far as it is known: once it is priced, as it will be built.
func (p *Pages) offerView(l *language.Printer, at string, link buylinks.BuyLink, b boards.Board, priced *quotes.Quote, assembled bool) offerView {
	var v offerView
	for _, side := range []struct{ name, alt, side, key string }{
		{l.Text("Top"), l.Text("The top side of the board"), "top", b.Top}, {l.Text("Bottom"), l.Text("The bottom side of the board"), "bottom", b.Bottom},
	} {
		if side.key != "" {
			large := at + "/board.png?side=" + side.side
			v.Pictures = append(v.Pictures, pictureView{Side: side.name, Alt: side.alt, Small: large + "&small=1", Large: large})
		}
	}
	kind := l.Text("Bare boards")
	if assembled {
		kind = l.Text("With all parts assembled")
	}
	v.Rows = append(v.Rows, optionRow{Name: l.Text("Boards"), Value: kind})
	if priced != nil && priced.Reply.BoardDetails != nil {
		v.Rows = append(v.Rows, p.optionRows(l, *priced.Reply.BoardDetails, nil)...)
	} else {
		v.Rows = append(v.Rows, p.optionRows(l, p.requestDetails(link.Request, b), nil)...)
	}
	if priced != nil && priced.Reply.Fabricator != "" {
		v.Rows = append(v.Rows, optionRow{Name: l.Text("Made by"), Value: makerName(priced.Reply.Fabricator)})
	}
	return v
}

// requestDetails is what files and link say of a board before it is priced.
func (p *Pages) requestDetails(r quotes.Request, b boards.Board) quotes.BoardDetails {
	d := quotes.BoardDetails{SurfaceFinish: text(r.SurfaceFinish), SolderMask: text(r.SolderMask), Material: text(r.Material), ViaProcess: text(r.ViaProcess)}
	d.Layers, d.WidthMM, d.HeightMM = boards.ReadSize(boards.LayersAndSize(b))
	if r.Layers != nil {
		d.Layers = *r.Layers
	}
	if r.ThicknessMM != nil {
		d.ThicknessMM = *r.ThicknessMM
	}
	if r.CopperOz != nil {
		d.CopperOz = *r.CopperOz
	}
	return d
}

// makerName is the public name of a fabricator, as people write it.
func makerName(name string) string {
	words := strings.ReplaceAll(name, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// offerPicture answers GET /buy/{link}/board.png: a side of the board, in the colours that the
// link names or are our standard. The link's card shows it on pages of others.
func (p *Pages) offerPicture(c *web.Call) error {
	link, err := p.link(c)
	if err != nil {
		return err
	}
	b, err := p.offerBoard(c.Context(), link)
	if err != nil {
		return err
	}
	key := b.Top
	if side, _ := c.Query("side"); side == "bottom" {
		key = b.Bottom
	}
	if key == "" {
		return &problem.Problem{Status: http.StatusNotFound, Refusal: *contract.Refuse(contract.NotFound, "There is no such picture.")}
	}
	_, small := c.Query("small")
	return p.pictures.Send(c, picture.View{Key: key, Look: picture.LookOf(quotes.Quote{Request: link.Request}, p.Catalog), Small: small, Shared: true})
}

// buyRow is a line of the table of a buy link.
type buyRow struct {
	quote.LinkPrice
	Local   string // what it is in the shopper's currency: payable, or about
	Arrival string // when it should be there, paid today
}

// areChargeable reports whether all that is priced can be paid in the shopper's currency.
func areChargeable(prices []quote.LinkPrice) bool {
	some := false
	for _, price := range prices {
		if price.Quote == nil || price.Quote.Reply.TotalCents == nil {
			continue
		}
		if some = true; ChargeOf(*price.Quote) == nil {
			return false
		}
	}
	return some
}

func (p *Pages) buyRows(l *language.Printer, prices []quote.LinkPrice, payable bool) []buyRow {
	out := make([]buyRow, len(prices))
	for i, price := range prices {
		out[i] = buyRow{LinkPrice: price}
		if price.Quote == nil {
			continue
		}
		r := price.Quote.Reply
		out[i].Arrival = cmp.Or(shortArrival(l, text(r.Delivery), p.Now()), phrase.Translate(l, price.Delivery))
		out[i].Local = LocalTotal(l, r.InYourCurrency)
		if c := ChargeOf(*price.Quote); c != nil && payable {
			out[i].Local = amountCharged(l, c.Charged)
		}
		if r.TotalCents != nil && r.PerBoardCents != nil && price.Total != "" {
			out[i].Total, out[i].PerBoard = l.Amount(*r.TotalCents, text(r.Currency)), l.Amount(*r.PerBoardCents, text(r.Currency))
		}
	}
	return out
}
