//go:build ignore

// A receiver of webhooks that takes each event once.
//
//	WEBHOOK_SECRET=whsec_… go run webhook_receiver.go 127.0.0.1:9000
package main

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"

	"boardorder/pkg/client"
)

func main() {
	listener, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("listening on", listener.Addr())
	secrets := strings.Fields(os.Getenv("WEBHOOK_SECRET")) // two, while one replaces the other
	var taken sync.Map                                     // in earnest: a table of your database
	log.Fatal(http.Serve(listener, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 64<<10))
		if err != nil {
			return
		}
		event, err := client.VerifyWebhook(body, r.Header, secrets...) // the raw bytes, before anything parses them
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		if _, again := taken.LoadOrStore(event.ID, true); !again {
			fmt.Println(event.Type, event.Data.URL)
		}
		w.WriteHeader(http.StatusNoContent)
	})))
}
