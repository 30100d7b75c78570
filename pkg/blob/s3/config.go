package s3

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"boardorder/pkg/trace"
)

// retries is how often a request is tried that failed for no lasting reason;
// the caller's context bounds how long.
const retries = 5

// A Config says which bucket to use.
type Config struct {
	Host        string // host or host:port
	Bucket      string
	Key, Secret string // both "" to take them from the environment or the machine's role
	TLS         bool
	Region      string      // "" lets the server say
	Lookup      string      // how the bucket is addressed: "path", "dns", or "" to decide by host
	TLSConfig   *tls.Config // roots and certificate to use; nil for the system's and none
	Spool       string      // folder for contents on their way; "" for the system's
}

// Parse reads the form
//
//	s3://key:secret@host:port/bucket?tls=off&region=eu-central-1&lookup=path&spool=/var/tmp
//
// in which all but host and bucket may be left out. The schemes https and http
// stand for s3 with TLS on and off. Errors do not show the secret.
func Parse(text string) (Config, error) {
	u, err := url.Parse(text)
	if err != nil {
		return Config{}, errors.New("S3 URL cannot be read: it must be s3://key:secret@host:port/bucket, with special characters percent-encoded")
	}
	c := Config{Host: u.Host, Bucket: strings.Trim(u.Path, "/"), Key: u.User.Username(), TLS: u.Scheme != "http"}
	c.Secret, _ = u.User.Password()
	query := u.Query()
	for name, values := range query {
		if err := c.set(name, values[len(values)-1]); err != nil {
			return Config{}, fmt.Errorf("S3 URL %s: %w", u.Redacted(), err)
		}
	}
	if problem := c.problem(u.Scheme); problem != "" {
		return Config{}, fmt.Errorf("S3 URL %s: %s", u.Redacted(), problem)
	}
	return c, nil
}

func (c *Config) set(name, value string) error {
	allowed := func(target *string, values ...string) error {
		if !slices.Contains(values, value) {
			return fmt.Errorf("%s=%s is not one of %s", name, value, strings.Join(values, ", "))
		}
		*target = value
		return nil
	}
	switch name {
	case "region":
		c.Region = value
	case "spool":
		c.Spool = value
	case "lookup":
		return allowed(&c.Lookup, "path", "dns")
	case "tls":
		var tls string
		err := allowed(&tls, "on", "off")
		c.TLS = tls == "on"
		return err
	default:
		return fmt.Errorf("there is no parameter %q: use region, lookup, tls, spool", name)
	}
	return nil
}

func (c *Config) problem(scheme string) string {
	switch {
	case !slices.Contains([]string{"s3", "http", "https"}, scheme):
		return "scheme is not s3, http or https"
	case c.Host == "":
		return "host is missing"
	case c.Bucket == "" || strings.Contains(c.Bucket, "/"):
		return "path is not one bucket's name"
	case (c.Key == "") != (c.Secret == ""):
		return "key and secret must both be given, or neither"
	}
	return ""
}

func (c *Config) options() (*minio.Options, error) {
	transport, err := minio.DefaultTransport(c.TLS)
	if err != nil {
		return nil, err
	}
	if c.TLSConfig != nil {
		transport.TLSClientConfig = c.TLSConfig
	}
	o := &minio.Options{
		Creds:      credentials.NewStaticV4(c.Key, c.Secret, ""),
		Secure:     c.TLS,
		Region:     c.Region,
		Transport:  trace.Transport(transport),
		MaxRetries: retries,
		BucketLookup: map[string]minio.BucketLookupType{
			"path": minio.BucketLookupPath, "dns": minio.BucketLookupDNS,
		}[c.Lookup],
	}
	if c.Key == "" {
		o.Creds = credentials.NewChainCredentials([]credentials.Provider{
			&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{},
		})
	}
	return o, nil
}
