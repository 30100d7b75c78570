//go:build ignore

// Follows a quote until its boards are shipped; goes on where it was when it is started again.
//
//	BOARD_URL=… BOARD_API_KEY=… go run follow_order.go QUOTE_ID CURSOR_FILE
package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"

	"boardorder/pkg/client"
)

func main() {
	ctx := context.Background()
	c, err := client.New(os.Getenv("BOARD_URL"), os.Getenv("BOARD_API_KEY"))
	if err != nil {
		log.Fatal(err)
	}
	quoteID, cursorFile := os.Args[1], os.Args[2]
	cursor, err := os.ReadFile(cursorFile)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		log.Fatal(err)
	}
	feed := c.OpenFeed(strings.TrimSpace(string(cursor)))
	for event, err := range feed.Events(ctx) {
		if err != nil {
			log.Fatal(err) // of client.CursorExpired, OldestCursor says where to go on
		}
		if err := os.WriteFile(cursorFile, []byte(feed.Cursor()), 0o600); err != nil { // all before this event is done
			log.Fatal(err)
		}
		if event.Data.QuoteID != quoteID {
			continue
		}
		standing, err := c.GetQuote(ctx, quoteID) // an event says that something changed; this says how it is
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(event.Type, standing.Status, standing.OrderRef)
		if standing.Status == client.QuoteStandingStatusShipped {
			return
		}
	}
}
