// Command openapi writes the description of the interface to its output, as it is
// served: client libraries make their types of it.
package main

import (
	"fmt"
	"os"

	"boardorder/services/edge/internal/openapi"
)

func main() {
	text, err := openapi.JSON("https://api.example.com")
	if err == nil {
		_, err = os.Stdout.Write(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
