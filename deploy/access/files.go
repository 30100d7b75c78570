package access

import (
	"encoding/json"
	"slices"
	"strings"
)

// Bucket is the one bucket of the files.
const Bucket = "boardorder"

// FilesVariable is the environment variable that holds an S3 user's secret key.
func FilesVariable(user string) string {
	return "S3_" + strings.ToUpper(strings.ReplaceAll(user, "-", "_")) + "_SECRET"
}

type policy struct {
	Version   string
	Statement []statement
}

type statement struct {
	Effect    string
	Principal struct{ AWS []string }
	Action    []string
	Resource  []string
}

// FilePolicy writes the policy of the bucket: every service sees whether the
// bucket is there, which /readyz asks, and reaches its own prefixes only.
func FilePolicy() []byte {
	const bucket = "arn:aws:s3:::" + Bucket
	p := policy{Version: "2012-10-17"}
	allow := func(users, prefixes []string, actions ...string) {
		s := statement{Effect: "Allow", Action: actions}
		s.Principal.AWS = users
		for _, prefix := range prefixes {
			s.Resource = append(s.Resource, bucket+prefix)
		}
		p.Statement = append(p.Statement, s)
	}
	var all []string
	for _, u := range FileUsers() {
		all = append(all, u.Name)
	}
	allow(all, []string{""}, "s3:ListBucket", "s3:GetBucketLocation")
	for _, u := range FileUsers() {
		users := []string{u.Name}
		if read := slices.Concat(u.Files.Read, u.Files.Write); len(read) > 0 {
			allow(users, objects(read), "s3:GetObject")
		}
		if len(u.Files.Write) > 0 {
			allow(users, objects(u.Files.Write), "s3:PutObject", "s3:DeleteObject", "s3:AbortMultipartUpload", "s3:ListMultipartUploadParts")
		}
	}
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		panic(err) // strings only
	}
	return append(text, '\n')
}

// FileUsers are the programs that open the bucket: all services.
func FileUsers() []Program { return services() }

func objects(prefixes []string) []string {
	var out []string
	for _, p := range prefixes {
		out = append(out, "/"+p+"*")
	}
	return out
}
