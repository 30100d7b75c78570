package main

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"strings"
)

// bill is the part of CycloneDX 1.6 that is needed here. Nothing in it changes
// from one run to the next.
type bill struct {
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Version      int          `json:"version"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version,omitempty"`
	PURL       string     `json:"purl,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref  string   `json:"ref"`
	Uses []string `json:"dependsOn"`
}

func writeBill(out io.Writer, programs []program) error {
	b := bill{Format: "CycloneDX", Spec: "1.6", Version: 1}
	for _, p := range programs {
		std := module{Path: "stdlib", Version: p.goVersion}
		d := dependency{Ref: "program:" + p.name, Uses: []string{purl(std)}}
		for _, m := range p.modules {
			d.Uses = append(d.Uses, purl(m))
		}
		for _, f := range p.fonts {
			d.Uses = append(d.Uses, f.ref())
		}
		b.Components = append(b.Components, component{Type: "application", Ref: d.Ref, Name: p.name})
		b.Dependencies = append(b.Dependencies, d)
	}
	for _, m := range modules(append(programs, standard(programs)...)) {
		c := component{Type: "library", Ref: purl(m), Name: m.Path, Version: m.Version, PURL: purl(m)}
		if sum := hexSum(m.Sum); sum != "" {
			c.Properties = []property{{"go:h1", sum}}
		}
		b.Components = append(b.Components, c)
	}
	for _, f := range fonts(programs) {
		b.Components = append(b.Components, component{Type: "data", Ref: f.ref(), Name: f.name, Properties: []property{{"sha256", f.sum}}})
	}
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(b)
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
