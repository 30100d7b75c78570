// Command probe asks one address and ends with status 0 if the answer is 200.
// Container images that hold nothing but a service have it for health checks
// that must be commands:
//
//	probe http://127.0.0.1:9090/readyz
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"time"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: probe URL")
		os.Exit(2)
	}
	if err := ask(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "probe:", err)
		os.Exit(1)
	}
}

const timeout = 4 * time.Second

func ask(url string) error {
	client := http.Client{Timeout: timeout}
	answer, err := client.Get(url)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	why, _ := io.ReadAll(io.LimitReader(answer.Body, 1<<10))
	return fmt.Errorf("%s: %s", answer.Status, why)
}
