//go:build ignore

// Prices of several quantities to two countries, and a quote of the cheapest cell.
//
//	BOARD_URL=… BOARD_API_KEY=… go run price_table.go FOLDER
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
	table, err := c.PriceTable(ctx, client.PriceTableRequest{
		UploadID: upload.UploadID, Quantities: []int64{10, 50, 100}, StandardForUnstated: true,
		ShipTo: []client.ShipTo{{Country: "US", State: "CA"}, {Country: "DE"}},
	})
	if err != nil {
		log.Fatal(err)
	}
	var cheapest client.TableCell
	var least client.Money
	for _, cell := range table.Cells {
		price, ok := table.Price(cell)
		if !ok {
			fmt.Println(cell.Quantity, table.Destinations[cell.Destination].Country, cell.Status, cell.Why)
			continue
		}
		fmt.Println(cell.Quantity, table.Destinations[cell.Destination].Country, cell.Build, price)
		if least.Currency == "" || price.Minor < least.Minor {
			cheapest, least = cell, price
		}
	}
	if least.Currency == "" {
		log.Fatal("no cell has a price")
	}
	quote, err := c.Quote(ctx, client.QuoteRequest{
		UploadID: upload.UploadID, StandardForUnstated: true, Quantity: cheapest.QuoteRequest.Quantity,
		ShipTo: cheapest.QuoteRequest.ShipTo, BuildTimeHours: cheapest.QuoteRequest.BuildTimeHours,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(quote.Total, quote.CheckoutURL)
}
