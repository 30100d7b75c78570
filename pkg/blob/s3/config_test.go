package s3

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Config{
		"s3://k:s@host:9000/boards":                         {Host: "host:9000", Bucket: "boards", Key: "k", Secret: "s", TLS: true},
		"s3://k:s@host/boards?tls=off":                      {Host: "host", Bucket: "boards", Key: "k", Secret: "s"},
		"http://k:s@host/boards/":                           {Host: "host", Bucket: "boards", Key: "k", Secret: "s"},
		"https://k:a%2Fb%3F@host/b?region=r&lookup=path":    {Host: "host", Bucket: "b", Key: "k", Secret: "a/b?", TLS: true, Region: "r", Lookup: "path"},
		"s3://host/boards?lookup=dns&spool=/var/tmp&tls=on": {Host: "host", Bucket: "boards", TLS: true, Lookup: "dns", Spool: "/var/tmp"},
	} {
		got, err := Parse(text)
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("Parse(%q) = %v, differs (-want +got):\n%s", text, err, diff)
		}
	}
}

func TestParseErrors(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"s3://k:SECRET@/b":             "host is missing",
		"s3://k:SECRET@host":           "one bucket's name",
		"s3://k:SECRET@host/a/b":       "one bucket's name",
		"s3://k@host/b":                "both be given",
		"ftp://k:SECRET@host/b":        "scheme",
		"s3://k:SECRET@host/b?tls=no":  "on, off",
		"s3://k:SECRET@host/b?zone=1":  `"zone"`,
		"s3://k:SEC/RET@host/b":        "percent-encoded",
		"s3://k:SECRET@host/b?lookup=": "path, dns",
	} {
		_, err := Parse(text)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "SEC") {
			t.Errorf("Parse(%q) = %v; want %q and no secret", text, err, want)
		}
	}
}
