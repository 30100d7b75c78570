// Command openapi writes the description of the interface to its output, as it is
// served: client libraries make their types of it. With "schemas" it is the schemas
// alone, in the form that generators of types read best.
package main

import (
	"fmt"
	"os"
	"slices"

	"boardorder/services/edge/internal/openapi"
)

func main() {
	var text []byte
	var err error
	if slices.Contains(os.Args[1:], "schemas") {
		text, err = openapi.Schemas()
	} else {
		text, err = openapi.JSON("https://api.example.com")
	}
	if err == nil {
		_, err = os.Stdout.Write(text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
