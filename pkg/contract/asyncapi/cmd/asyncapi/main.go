// Command asyncapi writes the description of commands and events to one file, and the
// tables of what is declared to another.
package main

import (
	"fmt"
	"os"

	"boardorder/pkg/contract/asyncapi"
)

func main() {
	text, err := asyncapi.Document()
	if err == nil && len(os.Args) != 3 {
		err = fmt.Errorf("usage: asyncapi DOCUMENT TABLES")
	}
	if err == nil {
		err = os.WriteFile(os.Args[1], text, 0o644)
	}
	if err == nil {
		err = os.WriteFile(os.Args[2], asyncapi.Tables(), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "asyncapi:", err)
		os.Exit(1)
	}
}
