// Command access writes the files that are generated from package access, below
// the repository's root. STREAM_PARTS says which streams are split, as for the
// program that makes the streams.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"boardorder/deploy/access"
)

func main() {
	root := flag.String("root", filepath.Join("..", ".."), "the repository")
	flag.Parse()
	if err := write(*root, os.Getenv("STREAM_PARTS")); err != nil {
		fmt.Fprintln(os.Stderr, "access:", err)
		os.Exit(1)
	}
}

func write(root, split string) error {
	parts, err := access.ParseParts(split)
	if err != nil {
		return err
	}
	for path, text := range access.Generated(parts) {
		if err := os.WriteFile(filepath.Join(root, path), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
