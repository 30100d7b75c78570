package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"boardorder/pkg/client"
)

// How much of what was found a comment has.
const (
	maxReported = 20
	maxLetters  = 300
)

// marker begins the comment of a design, so that the next run finds it.
func marker(name string) string {
	sum := sha256.Sum256([]byte(name))
	return "<!-- board ci " + hex.EncodeToString(sum[:8]) + " -->"
}

// codeSpan sets foreign words apart in Markdown: within such a span nothing is markup, an address, a mention or a command.
func codeSpan(text string) string {
	text = strings.ReplaceAll(shorten(harmless(text), maxLetters), "`", "'")
	if text = strings.TrimSpace(text); text == "" {
		return ""
	}
	return "`" + text + "`"
}

// harmless gives foreign words on a line, without what a runner takes for a command.
func harmless(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(line(text), "##[", "# #["), "::", ": :")
}

// link writes a link to an address of the service, or nothing where it is none.
func link(text, address string) string {
	if checkLink(address) != nil || strings.ContainsAny(address, "<>()[]`\"'\\ \n\r\t|") {
		return ""
	}
	return "[" + text + "](" + address + ")"
}

// markdown is what reviewers read: our own words, and those of the design set apart.
func (r *ciResult) markdown() string {
	var b strings.Builder
	b.WriteString(marker(r.Name) + "\n### Boards")
	if r.Name != "" {
		b.WriteString(" " + codeSpan(r.Name))
	}
	b.WriteString("\n\n")
	r.writePrice(&b)
	r.writeFindings(&b)
	r.writeChanges(&b)
	for _, f := range r.Failures {
		b.WriteString("- **Fails:** " + codeSpan(f) + "\n")
	}
	if r.Commit != "" {
		b.WriteString("\n<sub>Commit " + r.Commit[:min(len(r.Commit), 12)] + "</sub>\n")
	}
	return b.String()
}

// amounts says a price, and what it is in the currency of whoever gets the boards.
func amounts(q *client.QuoteReply) string {
	price, priced := q.Price()
	if !priced {
		return "priced by the team"
	}
	text := "**" + price.String() + "**"
	if own := q.InYourCurrency; own.Currency != "" && own.Currency != price.Currency {
		text += " (" + client.Money{Minor: own.TotalMinor, Currency: own.Currency}.String() + ")"
	}
	return text
}

func (r *ciResult) writePrice(b *strings.Builder) {
	switch q := r.Quote; {
	case q != nil:
		fmt.Fprintf(b, "%s for %d boards, delivered", amounts(q), q.Quantity)
		if r.To != "" {
			b.WriteString(" to " + codeSpan(r.To))
		} else {
			b.WriteString(" to a country that stands for an example")
		}
		b.WriteString("\n\n")
		if q.Board != "" {
			b.WriteString("- " + codeSpan(q.Board) + "\n")
		}
		if q.Delivery != "" {
			b.WriteString("- " + codeSpan(q.Delivery) + "\n")
		}
		for _, why := range q.CustomQuoteReasons {
			b.WriteString("- " + codeSpan(why) + "\n")
		}
	case r.Refused != nil:
		b.WriteString("**No price:** " + codeSpan(r.Refused.Message) + "\n\n")
		for i, q := range r.Refused.Reply.Questions {
			if i == maxReported {
				break
			}
			b.WriteString("- " + codeSpan(q.Question) + "\n")
		}
	}
	switch {
	case r.Base != nil && r.Quote != nil:
		b.WriteString("- Base branch: " + strings.ReplaceAll(amounts(r.Base), "**", ""))
		was, before := r.Base.Price()
		if now, after := r.Quote.Price(); before && after && was.Currency == now.Currency {
			more := client.Money{Minor: now.Minor - was.Minor, Currency: now.Currency}
			switch {
			case more.Minor > 0:
				b.WriteString(", so **+" + more.String() + "**")
			case more.Minor < 0:
				b.WriteString(", so **" + more.String() + "**")
			default:
				b.WriteString(", the same")
			}
		}
		b.WriteString("\n")
	case r.BaseNote != "":
		b.WriteString("- Not compared with the base branch: " + codeSpan(r.BaseNote) + "\n")
	}
}

func (r *ciResult) writeFindings(b *strings.Builder) {
	if r.Report == nil {
		return
	}
	fmt.Fprintf(b, "- Check: %d must be fixed, %s, %s", r.count(levels[0]), countOf(r.count(levels[1]), "warning"), countOf(r.count(levels[2]), "note"))
	if report := link("report", r.Report.ReportURL); report != "" {
		b.WriteString(" – " + report)
	}
	b.WriteString("\n")
	n := 0
	for _, level := range levels[:2] {
		for _, f := range r.Report.Findings {
			if f.Level != level {
				continue
			}
			if n++; n > maxReported {
				continue
			}
			fmt.Fprintf(b, "  - %s: %s", strings.ReplaceAll(string(level), "_", " "), codeSpan(f.What))
			if file := strings.Trim(strings.TrimSpace(place(f.File, f.Line)), "()"); file != "" {
				b.WriteString(" " + codeSpan(file))
			}
			if picture := link("picture", f.ImageURL); picture != "" {
				b.WriteString(" – " + picture)
			}
			b.WriteString("\n")
		}
	}
	if n > maxReported {
		fmt.Fprintf(b, "  - and %d more\n", n-maxReported)
	}
}

func countOf(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func (r *ciResult) writeChanges(b *strings.Builder) {
	if c := r.Comparison; c != nil {
		switch {
		case c.SameFiles:
			b.WriteString("- The files are those of the base branch.\n")
		default:
			fmt.Fprintf(b, "- Files that differ from the base branch: %d", len(c.Files))
			if copper := link("what changed in copper", c.CopperURL); r.Links && copper != "" {
				b.WriteString(" – " + copper)
			}
			b.WriteString("\n")
			for i, f := range c.Files {
				if i == maxReported {
					fmt.Fprintf(b, "  - and %d more\n", len(c.Files)-i)
					break
				}
				b.WriteString("  - " + codeSpan(f.Name) + "\n")
			}
		}
	}
	if r.Quote == nil {
		return
	}
	if pay := link("Price in detail, and ordering", r.Quote.CheckoutURL); r.Links && pay != "" {
		b.WriteString("- " + pay + "\n")
	}
	var pictures []string
	for _, p := range []struct {
		alt string
		of  *client.QuoteReply
	}{{"Base branch", r.Base}, {"This design", r.Quote}} {
		if p.of != nil && (p.of == r.Quote || r.Comparison != nil && !r.Comparison.SameFiles) {
			if text := link(p.alt, p.of.BoardImageURL); text != "" {
				pictures = append(pictures, "!"+text)
			}
		}
	}
	if len(pictures) > 0 {
		b.WriteString("\n" + strings.Join(pictures, " ") + "\n\n")
	}
}
