package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestPlacesFile: what lies beside a report of a short, with places beyond those that its page
// brings with it, is as people agreed on it.
func TestPlacesFile(t *testing.T) {
	t.Parallel()
	const file = "testdata/places.golden.json"
	b, found := gaps(22)
	var got bytes.Buffer
	if err := json.Indent(&got, reportOf(t, b, found).Places, "", "\t"); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(file, got.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got.String()); diff != "" {
		t.Errorf("places of 22 gaps (-want +got):\n%s", diff)
	}
}
