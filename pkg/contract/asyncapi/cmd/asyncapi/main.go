// Command asyncapi writes the description of commands and events to a file.
package main

import (
	"fmt"
	"os"

	"boardorder/pkg/contract/asyncapi"
)

func main() {
	text, err := asyncapi.Document()
	if err == nil && len(os.Args) != 2 {
		err = fmt.Errorf("usage: asyncapi FILE")
	}
	if err == nil {
		err = os.WriteFile(os.Args[1], text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "asyncapi:", err)
		os.Exit(1)
	}
}
