package cli

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"boardorder/pkg/client"

	"github.com/spf13/cobra"
)

func (s *session) quoteCommand() *cobra.Command {
	d := &design{}
	var quantity int
	var most, keep string
	var browse bool
	c := &cobra.Command{
		Use: "quote [PATH...]", Short: "A delivered price of a design",
		Long: "Finds the design in a folder (without PATH in this one), an archive or files, sends it, asks what is open, and prints the price and where it is paid.\n" +
			"Nothing is ordered.",
		Example: "  board quote .\n  board quote -n 50 --to DE,10115 --standard hardware\n  board quote --max-total 80EUR --to DE --standard gerbers.zip",
		RunE: func(cmd *cobra.Command, paths []string) error {
			ctx := cmd.Context()
			limit, err := parseLimit(most)
			if err != nil {
				return err
			}
			service, upload, request, err := s.prepare(ctx, d, paths)
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("quantity") || !statesOrder(upload) {
				request["quantity"] = quantity
			}
			if d.shipTo != "" {
				request["ship_to"] = parseShipTo(d.shipTo)
			}
			body, err := s.resolve(ctx, request, func(request map[string]any, body *json.RawMessage) error {
				return service.Await(ctx, "/v1/quotes", "/v1/quote-requests/", request, nil, client.Raw(body), s.progress())
			})
			if err != nil {
				return err
			}
			var quote client.QuoteReply
			if err := json.Unmarshal(body, &quote); err != nil {
				return err
			}
			if s.json {
				err = s.printBody(body)
			} else {
				s.printQuote(&quote)
			}
			if err == nil && keep != "" {
				err = s.keepOrder(keep, quote.BoardOrder)
			}
			if err == nil && browse {
				err = openBrowser(ctx, quote.CheckoutURL)
			}
			if err == nil && limit != nil {
				err = s.holdTo(*limit, &quote)
			}
			return err
		},
	}
	d.addFlags(c)
	c.Flags().IntVarP(&quantity, "quantity", "n", 10, "boards; where board-order.json is among the files, it says how many")
	c.Flags().StringVar(&d.shipTo, "to", "", "where the boards go: `COUNTRY[,POSTAL CODE[,STATE]]`")
	c.Flags().BoolVar(&d.standard, "standard", false, "take what is usual for all that the files leave open")
	c.Flags().BoolVar(&d.assembly, "assembly", false, "with the parts on the boards")
	c.Flags().StringVar(&most, "max-total", "", "exit with 1 where the boards cost more, such as `80EUR`")
	c.Flags().StringVar(&keep, "save", "", "write what was asked for and decided to `FOLDER`/board-order.json: whoever sends that folder is asked nothing and is given the same boards")
	c.Flags().BoolVar(&browse, "open", false, "open the page where it is paid")
	return c
}

// keepOrder writes board-order.json into a folder, in place of one that is there. A link
// of that name is refused: a repository may be a stranger's, and point at a file of the user's.
func (s *session) keepOrder(folder string, order map[string]any) error {
	if order == nil {
		return errors.New("the service gave no board-order.json to save")
	}
	text, err := json.MarshalIndent(order, "", "  ")
	if err != nil {
		return fmt.Errorf("encode board-order.json: %w", err)
	}
	name := filepath.Join(folder, orderFile)
	if at, err := os.Lstat(name); err == nil && !at.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file: remove it, and save again", name)
	}
	if err := os.WriteFile(name, append(text, '\n'), 0o644); err != nil { //nolint:gosec // it lies beside a design, for whoever reads that
		return err
	}
	s.say("Saved " + name + ".")
	return nil
}

func parseLimit(text string) (*client.Money, error) {
	if text == "" {
		return nil, nil
	}
	m, err := client.ParseMoney(text)
	if err != nil {
		return nil, fmt.Errorf("--max-total: %w", err)
	}
	return &m, nil
}

// holdTo compares what a quote costs with a limit, in the limit's currency.
func (s *session) holdTo(limit client.Money, quote *client.QuoteReply) error {
	price, priced := quote.Price()
	if !priced {
		return fmt.Errorf("there is no price to compare with %s: the team prices this board", limit)
	}
	if price.Currency != limit.Currency && quote.InYourCurrency.Currency == limit.Currency {
		price = client.Money{Minor: quote.InYourCurrency.TotalMinor, Currency: limit.Currency}
	}
	if price.Currency != limit.Currency {
		return fmt.Errorf("the price is in %s and cannot be compared with %s; --to a country that pays in %s has it too", price.Currency, limit, limit.Currency)
	}
	if price.Minor > limit.Minor {
		return fmt.Errorf("%s is more than %s", price, limit)
	}
	return nil
}

func (s *session) printQuote(q *client.QuoteReply) {
	if q.Board != "" {
		fmt.Fprintln(s.Out, line(q.Board))
	}
	var assumed []string
	for _, option := range listKeys(q.BoardDetailsFrom) {
		if q.BoardDetailsFrom[option] == "standard" {
			assumed = append(assumed, strings.TrimSuffix(option, "_mm"))
		}
	}
	if len(assumed) > 0 {
		fmt.Fprintln(s.Out, "Assumed, since the files do not say it:", strings.ReplaceAll(strings.Join(assumed, ", "), "_", " "))
	}
	fmt.Fprintln(s.Out)
	if price, priced := q.Price(); priced {
		t := table{head: []string{"", ">"}}
		for _, l := range q.Lines {
			t.add(shorten(l.Label, 64), client.Money{Minor: l.Cents, Currency: q.Currency}.String())
		}
		t.add(fmt.Sprintf("%d boards, delivered", q.Quantity), price.String())
		t.add("each", q.PerBoard)
		if q.InYourCurrency.Total != "" {
			t.add("in your currency, for information", q.InYourCurrency.Total)
		}
		t.print(s.Out)
		fmt.Fprintln(s.Out)
		fmt.Fprintln(s.Out, line(q.Delivery))
	} else {
		fmt.Fprintln(s.Out, "The team prices this board, once you ask for it at the address below.")
		for _, why := range q.CustomQuoteReasons {
			fmt.Fprintln(s.Out, "  "+line(why))
		}
	}
	s.printFindings(slices.DeleteFunc(slices.Clone(q.BoardFindings), func(f client.Finding) bool {
		return slices.Contains(q.Notes, f.What) || f.Level == client.FindingLevelNote && f.Check != "note_unread" && f.Check != "files_unread"
	}), true)
	for _, n := range q.Notes {
		fmt.Fprintln(s.Out, "  note:", line(n))
	}
	s.printNamed(s.Out, q.Named)
	fmt.Fprintln(s.Out, "\n"+q.CheckoutURL)
}

func (s *session) tableCommand() *cobra.Command {
	d := &design{}
	var quantities []int
	var to []string
	c := &cobra.Command{
		Use: "table [PATH...]", Short: "Prices of several quantities, build times and destinations",
		Example: "  board table -n 10,50,100 --to DE --to US,,CA --standard hardware",
		RunE: func(cmd *cobra.Command, paths []string) error {
			ctx := cmd.Context()
			service, _, request, err := s.prepare(ctx, d, paths)
			if err != nil {
				return err
			}
			request["quantities"] = quantities
			var destinations []any
			for _, t := range to {
				destinations = append(destinations, parseShipTo(t))
			}
			if len(destinations) > 0 {
				request["ship_to"] = destinations
			}
			body, err := s.resolve(ctx, request, func(request map[string]any, body *json.RawMessage) error {
				return service.Await(ctx, "/v1/price-tables", "/v1/price-tables/", request, nil, client.Raw(body), s.progress())
			})
			if err != nil || s.json {
				return errors.Join(err, s.printIf(err == nil, body))
			}
			var prices client.PriceTable
			if err := json.Unmarshal(body, &prices); err != nil {
				return err
			}
			s.printTable(&prices)
			return nil
		},
	}
	d.addFlags(c)
	c.Flags().IntSliceVarP(&quantities, "quantities", "n", []int{10, 50, 100}, "boards")
	c.Flags().StringArrayVar(&to, "to", nil, "where the boards go: `COUNTRY[,POSTAL CODE[,STATE]]`; up to three times")
	c.Flags().BoolVar(&d.standard, "standard", false, "take what is usual for all that the files leave open")
	c.Flags().BoolVar(&d.assembly, "assembly", false, "with the parts on the boards")
	return c
}

func (s *session) printIf(wanted bool, body json.RawMessage) error {
	if !wanted {
		return nil
	}
	return s.printBody(body)
}

func (s *session) printTable(p *client.PriceTable) {
	fmt.Fprintln(s.Out, line(p.Board))
	for i, to := range p.Destinations {
		where := strings.Join(slices.DeleteFunc([]string{to.Country, to.State, to.PostalCode}, func(s string) bool { return s == "" }), " ")
		if to.Assumed {
			where += ", an example"
		}
		fmt.Fprintf(s.Out, "\nTo %s\n", line(where))
		t := table{head: []string{">boards", "build", ">each", ">total", "arrives"}}
		for _, cell := range p.Cells {
			if int(cell.Destination) != i {
				continue
			}
			quantity := fmt.Sprint(cell.Quantity)
			if price, priced := p.Price(cell); priced {
				t.add(quantity, cell.Build, cell.PerBoard, price.String(), cell.ArrivesFrom+" to "+cell.ArrivesTo)
			} else {
				t.add(quantity, cell.Build, "", string(cell.Status), cell.Why)
			}
		}
		t.print(s.Out)
	}
	for _, n := range p.Notes {
		fmt.Fprintln(s.Out, "  note:", line(n))
	}
	fmt.Fprintf(s.Out, "\nThe prices hold until %s.\n", p.ExpiresAt.Format("2006-01-02 15:04 MST"))
}

// contextEnded tells the end of a command from a failure.
func contextEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return errCancelled
	}
	return err
}
