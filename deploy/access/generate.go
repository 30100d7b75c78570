package access

import (
	"fmt"
	"os"
	"path/filepath"
)

// InitialParts are the streams that production and Compose begin with in parts:
// the largest at a start after a power cut, when a stream's blocks are read one
// after another, and those that every quote writes to. Parts can neither be joined
// nor split again without a stop, so they are there from the first day.
func InitialParts() Parts {
	return Parts{"EVENTS_BOARD": 4, "EVENTS_ORDER": 4, "EVENTS_QUOTE": 4, "REQUESTS": 4}
}

// Generate gives the generated files by their path from the repository's root.
// The scalers' file is written by people but for its triggers.
func Generate(root string, parts Parts) (map[string][]byte, error) {
	scalers, err := os.ReadFile(filepath.Join(root, scalingFile))
	if err != nil {
		return nil, fmt.Errorf("scalers: %w", err)
	}
	return map[string][]byte{
		"deploy/nats/users.conf":  Broker(parts),
		"deploy/mongodb/users.js": DocumentScript(),
		"deploy/s3/policy.json":   FilePolicy(),
		scalingFile:               Scaling(scalers, parts),
	}, nil
}
