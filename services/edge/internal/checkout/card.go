package checkout

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/language"
	"boardorder/pkg/phrase"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/web"
)

// A cardView is what others show of a buy link's board in a frame.
type cardView struct {
	shownView
	Style      template.CSS
	Name, Shop string
	Mark       template.HTML
	Icon       string // its address
	Picture    string // its address, or ""
	Link       string
	Size       string
	Layers     int
	Boards     string
	Delivery   string
	AsOf       string // of a price that could not be made anew
	Ended      string // why there is nothing, or ""
	Priced     bool
}

// loadCards gives the card's template in each language, and the rule by which its style may be used.
func loadCards() (cards map[string]*template.Template, style template.CSS, err error) {
	css, err := buttonFiles.ReadFile("button/card.css")
	if err != nil {
		return nil, "", fmt.Errorf("card: %w", err)
	}
	cards = map[string]*template.Template{}
	for _, l := range language.List() {
		cards[l.Code], err = template.New("card.html").Funcs(languageFuncs(l)).ParseFS(buttonFiles, "button/card.html")
		if err != nil {
			return nil, "", fmt.Errorf("card: %w", err)
		}
	}
	return cards, template.CSS(css), nil // #nosec G203 -- our own file
}

// cardPolicy lets the card be framed by anybody, and load nothing but its own style and our pictures. A frame
// without an origin of its own, as sandboxes make it, is not 'self'.
func cardPolicy(style template.CSS, origin string) string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; img-src " + origin + "; base-uri 'none'; form-action 'none'; frame-ancestors *"
}

// card answers GET /buy/{link}/card: a page for a frame on pages of others, without scripts and cookies. All
// that it can do is lead the whole window to the link's own page, so nothing is won by covering it.
func (p *Pages) card(c *web.Call) error {
	l := languageOf(c)
	v, keep := cardView{Style: p.cardStyle, Shop: p.Shop, Mark: p.mark, Icon: p.origin + p.asset("mark.svg")}, keepShown
	link, err := p.link(c)
	if err == nil {
		v.Link, v.Name = p.PublicURL+"/buy/"+link.ID, l.Text("Printed circuit board")
		if link.Request.ProjectName != nil {
			v.Name = *link.Request.ProjectName
		}
		if chosen, given := c.Query(web.LanguageField); given && language.Find(chosen).Code == chosen {
			v.Link += "?" + web.LanguageField + "=" + chosen
		}
		v.shownView, err = p.readShown(c, l, link)
	}
	if err == nil {
		b, failed := p.offerBoard(c.Context(), link)
		if b.Top != "" {
			v.Picture = p.PublicURL + "/buy/" + link.ID + "/board.png?side=top&small=1"
		}
		d := p.requestDetails(link.Request, b)
		if v.Layers = d.Layers; d.WidthMM != 0 && d.HeightMM != 0 {
			v.Size = l.Size(d.WidthMM, d.HeightMM)
		}
		err = failed
	}
	if err != nil {
		failure := problem.Find(err)
		if failure.Refusal.Code != contract.LinkExpired && failure.Refusal.Code != contract.NotFound {
			return err
		}
		v.Ended = failure.Refusal.Message
	}
	if v.At.IsZero() || v.Late {
		keep = keepLate
	}
	if v.Priced = v.Amount != ""; v.Priced {
		v.Boards, v.Delivery = l.Boards(v.Quantity), phrase.Translate(l, v.ShownPrice.Delivery)
	}
	if v.Late {
		v.AsOf = l.Day(v.At)
	}
	var out bytes.Buffer
	if err := p.cards[l.Code].Execute(&out, v); err != nil {
		return fmt.Errorf("card: %w", err)
	}
	c.Set("Content-Security-Policy", cardPolicy(p.cardStyle, p.origin))
	c.Set("X-Robots-Tag", "noindex, nofollow")
	return sendShown(c, keep, "text/html; charset=utf-8", l.Tighten(untrusted.IsolatePage(out.Bytes())))
}

// markAt is the shop's mark as a part of another drawing.
func markAt(mark []byte, x, y, size float64) (template.HTML, error) {
	const begin = "<svg "
	if !bytes.HasPrefix(mark, []byte(begin)) {
		return "", fmt.Errorf("the mark does not begin with %q", begin)
	}
	return template.HTML(fmt.Sprintf(`<svg x="%g" y="%g" width="%g" height="%g" aria-hidden="true" `, x, y, size, size) + strings.TrimPrefix(string(mark), begin)), nil // #nosec G203 -- our own file
}
