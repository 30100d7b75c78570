package access

import (
	"encoding/json"
	"strings"

	"boardorder/pkg/blob/s3"
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
	Condition map[string]map[string][]string `json:",omitempty"`
}

// FilePolicy writes the policy of the bucket: for each service and action the
// prefixes below which it may do that. Who reads may list, below the same prefixes,
// because a bucket says of a file that is not there only to who may list that it is
// not there. Every service sees whether the bucket answers, which /readyz asks by a
// list of a prefix that holds nothing.
func FilePolicy() []byte {
	p := policy{Version: "2012-10-17"}
	allow := func(users []string, action string, resources []string, condition map[string]map[string][]string) {
		s := statement{Effect: "Allow", Action: []string{action}, Resource: resources, Condition: condition}
		s.Principal.AWS = users
		p.Statement = append(p.Statement, s)
	}
	var all []string
	for _, u := range Services() {
		all = append(all, u.Name)
	}
	allow(all, "s3:ListBucket", []string{bucketName}, listCondition(s3.PingPrefix))
	for _, u := range Services() {
		users := []string{u.Name}
		for _, may := range []struct {
			action   string
			prefixes []string
		}{{"s3:GetObject", u.Files.Read}, {"s3:PutObject", u.Files.Put}, {"s3:DeleteObject", u.Files.Delete}} {
			if len(may.prefixes) > 0 {
				allow(users, may.action, objects(may.prefixes), nil)
			}
		}
		if len(u.Files.Read) > 0 {
			allow(users, "s3:ListBucket", []string{bucketName}, listCondition(wildcards(u.Files.Read)...))
		}
	}
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		panic(err) // strings only
	}
	return append(text, '\n')
}

const bucketName = "arn:aws:s3:::" + Bucket

// listCondition holds of a list of keys that begin as one of patterns says. It does
// not hold of a list of all.
func listCondition(patterns ...string) map[string]map[string][]string {
	return map[string]map[string][]string{"StringLike": {"s3:prefix": patterns}}
}

func objects(prefixes []string) []string {
	var out []string
	for _, w := range wildcards(prefixes) {
		out = append(out, bucketName+"/"+w)
	}
	return out
}

func wildcards(prefixes []string) []string {
	var out []string
	for _, p := range prefixes {
		out = append(out, p+"*")
	}
	return out
}
