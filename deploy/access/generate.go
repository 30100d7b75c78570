package access

import (
	"fmt"
	"os"
	"path/filepath"
)

// Generated gives the generated files by their path from the repository's root.
// The scalers' file is written by people but for its triggers.
func Generated(root string, parts Parts) (map[string][]byte, error) {
	scalers, err := os.ReadFile(filepath.Join(root, scalingFile))
	if err != nil {
		return nil, fmt.Errorf("scalers: %w", err)
	}
	return map[string][]byte{
		"deploy/nats/users.conf":  Broker(parts),
		"deploy/mongodb/users.js": DocumentUsers(),
		"deploy/s3/policy.json":   FilePolicy(),
		scalingFile:               Scaling(scalers, parts),
	}, nil
}
