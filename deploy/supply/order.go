package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// order is what is asked about keys and images.
type order struct{ key, bill, commit, source, builder, service string }

func (o order) run(verb string, args []string, out io.Writer) error {
	switch {
	case len(args) == 0, verb == "keygen" && len(args) != 1:
		return errors.New(usage)
	case verb == "keygen":
		return keygen(args[0])
	}
	for _, text := range args {
		do := o.verify
		if verb == "sign" {
			do = o.sign
		}
		if err := do(text); err != nil {
			return err
		}
		fmt.Fprintln(out, verb, text)
	}
	return nil
}

func (o order) sign(text string) error {
	d, err := image(text)
	if err != nil {
		return err
	}
	key, err := privateKey(o.key)
	if err != nil {
		return err
	}
	made, err := os.ReadFile(o.bill)
	if err != nil {
		return fmt.Errorf("bill of materials: %w", err)
	}
	var bill cdx.BOM
	if err := cdx.NewBOMDecoder(bytes.NewReader(made), cdx.BOMFileFormatJSON).Decode(&bill); err != nil || bill.BOMFormat != cdx.BOMFormat {
		return fmt.Errorf("%s is no bill of materials: %w", o.bill, cmp.Or(err, errors.New("its format is another one")))
	}
	from, err := provenance(o.service, o.source, o.commit, o.builder)
	if err != nil {
		return err
	}
	return sign(key, d, map[string]json.RawMessage{billKind: made, provenanceKind: from})
}

func (o order) verify(text string) error {
	d, err := image(text)
	if err != nil {
		return err
	}
	key, err := publicKey(o.key)
	if err != nil {
		return err
	}
	return verify(key, d)
}
