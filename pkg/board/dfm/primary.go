package dfm

import (
	_ "embed"
	"sync"
)

//go:embed primary.json
var primaryFigures []byte

var readPrimary = sync.OnceValues(func() (*Capability, error) { return ReadCapability(primaryFigures) })

// Primary is what the primary fabricator publishes.
func Primary() (*Capability, error) { return readPrimary() }

// Standard gives the primary fabricator's limits for a board of so many copper
// layers with so much copper outside (0 takes the usual). A test holds that the
// figures can be read.
func Standard(layers int, copperOz float64) Limits {
	c, err := Primary()
	if err != nil {
		return Limits{}
	}
	return c.Limits(Build{Layers: layers, CopperOz: copperOz})
}
