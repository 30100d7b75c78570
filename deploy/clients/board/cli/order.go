package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"boardorder/pkg/client"

	"github.com/spf13/cobra"
)

// quoteIDs are ids of quotes; everything else names a formal order.
var quoteIDs = regexp.MustCompile(`^[0-9a-f]{64}$`)

func (s *session) orderCommand() *cobra.Command {
	c := &cobra.Command{Use: "order", Short: "How orders stand"}
	var watch bool
	status := &cobra.Command{
		Use: "status QUOTE|ORDER", Short: "How an order stands", Args: cobra.ExactArgs(1),
		Long:    "How an order stands: of a quote by its id, of a formal order by its id or reference.",
		Example: "  board order status --watch 9f86d081…",
		RunE: func(cmd *cobra.Command, args []string) error {
			service, err := s.connect()
			if err != nil {
				return err
			}
			if watch {
				return s.watch(cmd.Context(), service, args[0])
			}
			_, err = s.showStanding(cmd.Context(), service, args[0])
			return err
		},
	}
	status.Flags().BoolVarP(&watch, "watch", "w", false, "show what changes until it is shipped, cancelled or expired")
	list := &cobra.Command{
		Use: "list", Short: "The account's formal orders, newest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			service, err := s.connect()
			if err != nil {
				return err
			}
			if s.json {
				var body json.RawMessage
				err := service.Do(cmd.Context(), "GET", "/v1/orders", nil, nil, nil, client.Raw(&body))
				return s.printReply(body, err)
			}
			t := table{head: []string{"order", "name", ">boards", "status", "submitted"}}
			for o, err := range service.ListOrders(cmd.Context()) {
				if err != nil {
					return err
				}
				t.add(o.OrderRef, shorten(o.Name, 40), fmt.Sprint(o.Qty), string(o.Status), o.Dates.Submitted.Format("2006-01-02"))
			}
			t.print(s.Out)
			return nil
		},
	}
	c.AddCommand(status, list)
	return c
}

func (s *session) printReply(body json.RawMessage, err error) error {
	if err != nil {
		return s.printRefusal(err, body)
	}
	return s.printBody(body)
}

// ends are the states after which nothing more is waited for.
var ends = []string{"shipped", "expired", "delivered", "cancelled"}

// showStanding prints how an order stands and gives its status.
func (s *session) showStanding(ctx context.Context, service *client.Client, id string) (string, error) {
	var body json.RawMessage
	if !quoteIDs.MatchString(id) {
		order, err := service.GetOrder(ctx, id, client.Raw(&body))
		if err != nil || s.json {
			return string(order.Status), s.printReply(body, err)
		}
		fmt.Fprintf(s.Out, "%s  %s  %d boards\n%s\n", line(order.OrderRef), order.Status, order.Qty, order.Next)
		return string(order.Status), nil
	}
	q, err := service.GetQuote(ctx, id, client.Raw(&body))
	if err != nil || s.json {
		return string(q.Status), s.printReply(body, err)
	}
	t := table{head: []string{"", ""}}
	for _, row := range [][]string{
		{"status", string(q.Status)}, {"order", q.OrderRef}, {"board", q.Board}, {"boards", fmt.Sprint(q.Quantity)}, {"total", q.Total},
		{"delivery", q.Delivery}, {"tracking", q.Tracking.Carrier + " " + q.Tracking.Number}, {"cancelled", q.CancelReason},
	} {
		if line(row[1]) != "" {
			t.add(row...)
		}
	}
	t.print(s.Out)
	for _, step := range q.ProductionSteps {
		fmt.Fprintf(s.Out, "  %s  %s\n", step.At.Format("2006-01-02 15:04"), line(step.Name))
	}
	fmt.Fprintln(s.Out, line(q.Next))
	if q.OrderRef == "" {
		fmt.Fprintln(s.Out, q.CheckoutURL)
	}
	if q.CancelReason != "" {
		return "cancelled", nil
	}
	return string(q.Status), nil
}

// watch shows how an order stands each time that something happened to it. The feed is
// opened before the order is first read, so nothing is missed between.
func (s *session) watch(ctx context.Context, service *client.Client, id string) error {
	feed := service.OpenFeed("now")
	for _, err := range feed.Pending(ctx) {
		if err != nil {
			return contextEnded(ctx, err)
		}
	}
	status, err := s.showStanding(ctx, service, id)
	if err != nil || slices.Contains(ends, status) {
		return err
	}
	for event, err := range feed.Events(ctx) {
		if err != nil {
			return contextEnded(ctx, err)
		}
		if !slices.Contains([]string{event.Data.QuoteID, event.Data.OrderID, event.Data.OrderRef}, id) {
			continue
		}
		if !s.json {
			fmt.Fprintf(s.Out, "\n%s  %s\n", event.Timestamp.Format("15:04:05"), event.Type)
		}
		if status, err = s.showStanding(ctx, service, id); err != nil || slices.Contains(ends, status) {
			return err
		}
	}
	return nil
}
