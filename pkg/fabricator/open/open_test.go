package open_test

import (
	"strings"
	"testing"
	"time"

	"boardorder/pkg/fabricator/open"
)

func TestOpen(t *testing.T) {
	t.Parallel()
	full := open.Config{Adapter: open.OpenFab, URL: "https://fabricator.test", AppID: "a", AccessKey: "b", SecretKey: "c"}
	noSecret, noURL := full, full
	noSecret.SecretKey, noURL.URL = "", ""
	tests := []struct {
		name string
		in   open.Config
		want string // of the error
	}{
		{"open API", full, ""},
		{"without an address", noURL, "FABRICATOR_URL"},
		{"without a secret", noSecret, "secret key"},
		{"built-in table", open.Config{Adapter: open.Tariff}, ""},
		{"table that is not there", open.Config{Adapter: open.Tariff, Table: "/nowhere/tariff.yaml"}, "/nowhere/tariff.yaml"},
		{"unknown", open.Config{Adapter: "crystal ball"}, "openfab or tariff"},
	}
	for _, tt := range tests {
		f, err := open.Open(tt.in, time.Now)
		switch {
		case tt.want == "" && (err != nil || f == nil):
			t.Errorf("%s: %v", tt.name, err)
		case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
			t.Errorf("%s: %v, want an error with %q", tt.name, err, tt.want)
		}
	}
}
