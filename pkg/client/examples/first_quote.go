//go:build ignore

// From a folder of design files to a price and the page where it is paid.
//
//	BOARD_URL=… BOARD_API_KEY=… go run first_quote.go FOLDER
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"boardorder/pkg/client"
)

func main() {
	ctx := context.Background()
	c, err := client.New(os.Getenv("BOARD_URL"), os.Getenv("BOARD_API_KEY"))
	if err != nil {
		log.Fatal(err)
	}
	upload, err := c.UploadPaths(ctx, os.Args[1:])
	if err != nil {
		log.Fatal(err)
	}
	quote, err := c.Quote(ctx, client.QuoteRequest{
		UploadID: upload.UploadID, Quantity: 10, StandardForUnstated: true,
		ShipTo: client.ShipTo{Country: "DE", PostalCode: "10115", City: "Berlin"},
	}, client.TellProgress(func(p client.Progress) { log.Print(p.Text) }))
	if err != nil {
		log.Fatal(err)
	}
	if price, ok := quote.Price(); ok {
		fmt.Println(price)
	} else {
		fmt.Println("The team prices this board once that is asked for at:")
	}
	fmt.Println(quote.CheckoutURL)
}
