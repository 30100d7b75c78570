package main

import (
	"encoding/base64"
	"encoding/hex"
	"io"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

// writeBill writes the programs' bill of materials as CycloneDX. Nothing in it changes from
// one run to the next.
func writeBill(out io.Writer, programs []program) error {
	var components []cdx.Component
	var dependencies []cdx.Dependency
	for _, p := range programs {
		uses := []string{purl(module{Path: "stdlib", Version: p.goVersion})}
		for _, m := range p.modules {
			uses = append(uses, purl(m))
		}
		for _, f := range p.fonts {
			uses = append(uses, f.ref())
		}
		ref := "program:" + p.name
		components = append(components, cdx.Component{Type: cdx.ComponentTypeApplication, BOMRef: ref, Name: p.name})
		dependencies = append(dependencies, cdx.Dependency{Ref: ref, Dependencies: &uses})
	}
	for _, m := range modules(append(programs, standard(programs)...)) {
		c := cdx.Component{Type: cdx.ComponentTypeLibrary, BOMRef: purl(m), Name: m.Path, Version: m.Version, PackageURL: purl(m)}
		if sum := hexSum(m.Sum); sum != "" {
			c.Properties = &[]cdx.Property{{Name: "go:h1", Value: sum}}
		}
		components = append(components, c)
	}
	for _, f := range fonts(programs) {
		components = append(components, cdx.Component{Type: cdx.ComponentTypeData, BOMRef: f.ref(), Name: f.name, Properties: &[]cdx.Property{{Name: "sha256", Value: f.sum}}})
	}
	bill := cdx.NewBOM()
	bill.Components, bill.Dependencies = &components, &dependencies
	return cdx.NewBOMEncoder(out, cdx.BOMFileFormatJSON).SetPretty(true).Encode(bill)
}

// standard is Go's own library, as the programs have it.
func standard(programs []program) []program {
	var out []program
	for _, p := range programs {
		out = append(out, program{modules: []module{{Path: "stdlib", Version: p.goVersion}}})
	}
	return out
}

func purl(m module) string { return "pkg:golang/" + m.Path + "@" + m.Version }

// hexSum is the hash of a module's files as go.sum has it, in hex digits.
func hexSum(sum string) string {
	raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(sum, "h1:"))
	if err != nil {
		return ""
	}
	return hex.EncodeToString(raw)
}
