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
// Those of services in Kubernetes are written by people but for their scalers' triggers.
func Generate(root string, parts Parts) (map[string][]byte, error) {
	files := map[string][]byte{
		"deploy/nats/users.conf":  Broker(parts),
		"deploy/mongodb/users.js": DocumentScript(),
		"deploy/s3/policy.json":   FilePolicy(),
		certificatesFile:          Certificates(),
	}
	for _, p := range Services() {
		path := scalerFile(p.Name)
		text, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return nil, fmt.Errorf("service %s in Kubernetes: %w", p.Name, err)
		}
		files[path] = Scaling(text, parts)
	}
	return files, nil
}
