// Command supply says what the built programs are made of: a bill of materials
// (CycloneDX 1.6), or whether the licence of each module and font may be
// shipped. All that it reads is in the programs, in the module cache and beside the
// fonts; it asks nobody. And it signs images, with that bill and where they come
// from, and verifies them.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "supply:", err)
		os.Exit(1)
	}
}

const usage = "usage: supply sbom|licences|modules PROGRAM… | keygen FILE | sign -key FILE -sbom FILE -commit ID -service NAME IMAGE@sha256:… | verify -key FILE.pub IMAGE@sha256:…"

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("supply", flag.ContinueOnError)
	cache := flags.String("cache", "", "module cache; empty = that of the go command")
	var o order
	flags.StringVar(&o.key, "key", "", "file of the key: the private one signs, the public one verifies")
	flags.StringVar(&o.bill, "sbom", "", "file of the image's bill of materials")
	flags.StringVar(&o.commit, "commit", "", "full id of the commit that the image was built from")
	flags.StringVar(&o.source, "source", "git+https://boardorder.example/source", "repository of that commit")
	flags.StringVar(&o.builder, "builder", "https://boardorder.example/builder", "who built the image")
	flags.StringVar(&o.service, "service", "", "program that the image holds")
	if len(args) == 0 {
		return errors.New(usage)
	}
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	switch args[0] {
	case "keygen", "sign", "verify":
		return o.run(args[0], flags.Args(), out)
	}
	programs, err := read(flags.Args())
	if err != nil {
		return err
	}
	switch args[0] {
	case "sbom":
		return writeBill(out, programs)
	case "modules":
		for _, m := range modules(programs) {
			fmt.Fprintln(out, m.Path, m.Version)
		}
		return nil
	case "licences":
		dir, err := cacheDir(*cache)
		if err != nil {
			return err
		}
		return errors.Join(checkLicences(out, dir, modules(programs)), checkFonts(out, fonts(programs)))
	}
	return errors.New(usage)
}

// cacheDir is where the go command keeps the sources of modules.
func cacheDir(given string) (string, error) {
	if given != "" {
		return given, nil
	}
	text, err := exec.Command("go", "env", "GOMODCACHE").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOMODCACHE: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}
