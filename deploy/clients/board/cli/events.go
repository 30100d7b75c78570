package cli

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/client"

	"github.com/spf13/cobra"
	webhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

func (s *session) eventsCommand() *cobra.Command {
	var follow bool
	var types []string
	var after string
	c := &cobra.Command{
		Use: "events", Short: "What happened to quotes, orders and checks", Args: cobra.NoArgs,
		Long: "What happened to what the account has, oldest first; with --json each event on a line. With --follow it goes on as it happens, and begins now unless --after says since when.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			service, err := s.connect()
			if err != nil {
				return err
			}
			if follow && after == "" {
				after = "now"
			}
			feed := service.OpenFeed(after, types...)
			events := feed.Pending(ctx)
			if follow {
				events = feed.Events(ctx)
			}
			for event, err := range events {
				if err != nil {
					return contextEnded(ctx, err)
				}
				if s.json {
					err = s.printBody(feed.Raw())
				} else {
					_, err = fmt.Fprintln(s.Out, describeEvent(event))
				}
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVarP(&follow, "follow", "f", false, "go on as it happens")
	c.Flags().StringSliceVar(&types, "types", nil, "only these, such as quote.priced,order.shipped")
	c.Flags().StringVar(&after, "after", "", "a cursor to go on from")
	return c
}

func describeEvent(e client.Event) string {
	about := e.ID
	for _, id := range []string{e.Data.OrderRef, e.Data.QuoteID, e.Data.OrderID, e.Data.CheckID, e.Data.BuyLinkID, e.Data.UploadDigest, e.Data.EndpointID, e.Data.KeyID} {
		if id != "" {
			about = id
			break
		}
	}
	text := fmt.Sprintf("%s  %-24s  %s  %s", e.Timestamp.Format(time.DateTime), e.Type, about, e.Data.Status)
	if e.Data.TotalCents != 0 {
		text += "  " + client.Money{Minor: e.Data.TotalCents, Currency: e.Data.Currency}.String()
	}
	return strings.TrimRight(clean(text), " ")
}

func (s *session) listenCommand() *cobra.Command {
	var target, secret string
	var types []string
	c := &cobra.Command{
		Use: "listen --forward-to URL", Short: "Send events to a program on this machine, as webhooks", Args: cobra.NoArgs,
		Long: "Follows the events of the account from now on and sends each to a URL, signed as webhooks are, so that a receiver can be written without a public address.\n" +
			"The secret to verify them with is printed; BOARD_WEBHOOK_SECRET gives one of yours.\n" +
			"An event that is not taken is sent again after 1, 2, 4, 8 and 15 seconds, and then left; those that follow wait for it, so that each object's come in their order.",
		Example: "  board listen --forward-to http://127.0.0.1:9000/webhooks",
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			if err := checkLink(target); err != nil {
				return fmt.Errorf("--forward-to: %w", err)
			}
			if secret = s.Getenv("BOARD_WEBHOOK_SECRET"); secret == "" {
				secret = newSecret()
			}
			signer, err := webhooks.NewWebhook(secret)
			if err != nil {
				return fmt.Errorf("BOARD_WEBHOOK_SECRET is no secret like whsec_…: %w", err)
			}
			service, err := s.connect()
			if err != nil {
				return err
			}
			feed := service.OpenFeed("now", types...)
			for _, err := range feed.Pending(ctx) { // the service is reached
				if err != nil {
					return contextEnded(ctx, err)
				}
			}
			fmt.Fprintln(s.Out, "Secret:", secret)
			for event, err := range feed.Events(ctx) {
				if err != nil {
					return contextEnded(ctx, err)
				}
				s.sendUntilTaken(ctx, signer, target, event, feed.Raw())
			}
			return nil
		},
	}
	c.Flags().StringVar(&target, "forward-to", "", "where to send them")
	c.Flags().StringSliceVar(&types, "types", nil, "only these, such as quote.priced,order.shipped")
	c.MarkFlagRequired("forward-to") //nolint:errcheck // the flag is there
	return c
}

func newSecret() string {
	key := make([]byte, 32)
	rand.Read(key) //nolint:errcheck // never fails
	return "whsec_" + base64.StdEncoding.EncodeToString(key)
}

// receiver is as webhooks are sent: no redirects, and 15 seconds for an answer.
var receiver = &http.Client{
	Timeout:       15 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// pauses are those before an event is sent again.
var pauses = []time.Duration{time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second, 15 * time.Second}

// sendUntilTaken sends one event until it is taken, and says each time what came back.
func (s *session) sendUntilTaken(ctx context.Context, signer *webhooks.Webhook, target string, event client.Event, body json.RawMessage) {
	for try := 0; ; try++ {
		answer, taken := deliver(ctx, signer, target, event.ID, body)
		again := ""
		switch {
		case taken || ctx.Err() != nil:
		case try < len(pauses):
			again = fmt.Sprintf("  (again in %v)", pauses[try])
		default:
			again = "  (given up)"
		}
		fmt.Fprintf(s.Out, "%s  %-24s  %s%s\n", event.Timestamp.Format(time.DateTime), line(event.Type), line(answer), again)
		if taken || try == len(pauses) {
			return
		}
		select {
		case <-time.After(pauses[try]):
		case <-ctx.Done():
			return
		}
	}
}

// deliver sends one event and says what came back, and whether the receiver has taken it.
func deliver(ctx context.Context, signer *webhooks.Webhook, target, id string, body json.RawMessage) (answer string, taken bool) {
	now := time.Now()
	signature, err := signer.Sign(id, now, body)
	if err != nil {
		return err.Error(), false
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, target, bytes.NewReader(body))
	if err != nil {
		return err.Error(), false
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set(webhooks.HeaderWebhookID, id)
	request.Header.Set(webhooks.HeaderWebhookTimestamp, strconv.FormatInt(now.Unix(), 10))
	request.Header.Set(webhooks.HeaderWebhookSignature, signature)
	response, err := receiver.Do(request)
	if err != nil {
		var failed *url.Error
		if errors.As(err, &failed) {
			err = failed.Err
		}
		return err.Error(), false
	}
	io.Copy(io.Discard, io.LimitReader(response.Body, 64<<10)) //nolint:errcheck // only the status counts
	response.Body.Close()
	return response.Status, response.StatusCode >= 200 && response.StatusCode < 300
}

func (s *session) triggerCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "trigger [ENDPOINT]", Short: "Send a test event to a webhook endpoint", Args: cobra.MaximumNArgs(1),
		Long: "Sends an event of type webhook_endpoint.test to an endpoint of the account, or to the only one where none is named. Other events come about by doing what they tell of; with a test key nothing real happens.",
		RunE: func(cmd *cobra.Command, args []string) error {
			ctx := cmd.Context()
			service, err := s.connect()
			if err != nil {
				return err
			}
			if len(args) == 0 {
				var list client.WebhookEndpointList
				if err := service.Do(ctx, http.MethodGet, "/v1/webhook-endpoints", nil, nil, &list); err != nil {
					return err
				}
				if len(list.Endpoints) != 1 {
					for _, e := range list.Endpoints {
						fmt.Fprintln(s.Err, " ", e.EndpointID, line(e.URL))
					}
					return fmt.Errorf("name an endpoint: the account has %d", len(list.Endpoints))
				}
				args = []string{list.Endpoints[0].EndpointID}
			}
			var tested client.TestedEndpoint
			var body json.RawMessage
			err = service.Do(ctx, http.MethodPost, "/v1/webhook-endpoints/"+url.PathEscape(args[0])+"/test", nil, nil, &tested, client.Raw(&body))
			if err != nil || s.json {
				return s.printReply(body, err)
			}
			fmt.Fprintln(s.Out, "A test event is on its way to", args[0])
			return nil
		},
	}
	return c
}
