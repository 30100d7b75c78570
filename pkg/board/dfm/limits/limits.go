// Package limits holds what fabricators publish about what they build: one file of
// figures each, with its source and the day it was seen there. A new limit of a
// fabricator has its place here and nowhere else.
package limits

import (
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"boardorder/pkg/board/dfm"
)

//go:embed primary.json partners/*.json
var figures embed.FS

var readPrimary = sync.OnceValues(func() (*dfm.Capability, error) {
	c, err := read("primary.json")
	if err == nil {
		c.AddPractice()
	}
	return c, err
})

// Primary is what the primary fabricator publishes, and where it publishes nothing what
// fabricators commonly give.
func Primary() (*dfm.Capability, error) { return readPrimary() }

// Partners are what the partner fabricators publish, in order of their files' names.
// The error names the file that cannot be relied on.
func Partners() ([]*dfm.Capability, error) {
	names, err := fs.Glob(figures, "partners/*.json")
	if err != nil {
		return nil, fmt.Errorf("listing fabricators: %w", err)
	}
	var out []*dfm.Capability
	for _, name := range names {
		c, err := read(name)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// Standard gives the primary fabricator's limits for a board of so many copper
// layers with so much copper outside (0 takes the usual). A test holds that the
// figures can be read.
func Standard(layers int, copperOz float64) dfm.Limits {
	c, err := Primary()
	if err != nil {
		return dfm.Limits{}
	}
	return c.Limits(dfm.Build{Layers: layers, CopperOz: copperOz})
}

func read(name string) (*dfm.Capability, error) {
	data, err := figures.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	c, err := dfm.ReadCapability(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}
