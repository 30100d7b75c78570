//go:build ignore

// A quote whose questions are answered with what is usual.
//
//	BOARD_URL=… BOARD_API_KEY=… go run answer_questions.go FOLDER
package main

import (
	"context"
	"errors"
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
	request := client.QuoteRequest{UploadID: upload.UploadID, Quantity: 10}
	for {
		quote, err := c.Quote(ctx, request)
		if err == nil {
			fmt.Println(quote.Total, quote.CheckoutURL)
			return
		}
		var open *client.Error
		if !errors.As(err, &open) || open.Class != client.NeedsAnswers || len(open.Reply.Questions) == 0 {
			log.Fatal(err)
		}
		for _, q := range open.Reply.Questions {
			if q.Usual == nil {
				log.Fatalf("%s %v", q.Question, q.Choices) // only people can tell
			}
			fmt.Println(q.Question, q.Usual)
			if request, err = client.ApplyAnswer(request, q.Option, q.Usual); err != nil {
				log.Fatal(err)
			}
		}
	}
}
