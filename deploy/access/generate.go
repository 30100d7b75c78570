package access

// Generated gives the generated files by their path from the repository's root.
func Generated(parts Parts) map[string][]byte {
	return map[string][]byte{
		"deploy/nats/users.conf":  Broker(parts),
		"deploy/mongodb/users.js": DocumentUsers(),
		"deploy/s3/policy.json":   FilePolicy(),
	}
}
