package manifests

import (
	"math"
	"regexp"
	"strconv"
	"testing"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/registry"
)

var capacityRow = regexp.MustCompile(`(?m)^\| ([A-Z_]+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|`)

// The table of streams names each of them, and its sizes follow from its rates;
// production has space for them, with half as much again.
func TestCapacityFollowsFromRates(t *testing.T) {
	t.Parallel()
	missing := map[string]contract.Stream{}
	for _, s := range registry.Streams() {
		missing[s.Name] = s
	}
	var total float64
	for _, row := range capacityRow.FindAllStringSubmatch(string(file(t, "deploy/handbook/capacity.md")), -1) {
		var n [4]float64
		for i := range n {
			n[i], _ = strconv.ParseFloat(row[2+i], 64) // digits only
		}
		s, known := missing[row[1]]
		if want := math.Round(float64(s.SizeAtLoad()) / 1e6); !known || n[3] != want || n[0] != float64(s.Load.PerDay) || n[1] != float64(s.Load.Bytes) {
			t.Errorf("%s: the contract says %d a day of %d bytes, together %.0f MB", row[1], s.Load.PerDay, s.Load.Bytes, want)
		}
		if want := math.Round(n[0] * n[1] * n[2] / 1e6); n[3] != want {
			t.Errorf("%s: %.0f MB, its numbers make %.0f", row[1], n[3], want)
		}
		delete(missing, row[1])
		total += n[3]
	}
	if len(missing) > 0 {
		t.Errorf("streams without a row: %v", missing)
	}
	space, err := strconv.ParseFloat(configMaps(build(t, "overlays/production"))["boardorder"]["STREAM_MAX_BYTES"], 64)
	if err != nil || space < 1.5*total*1e6 {
		t.Errorf("production gives streams %.0f MB, they are expected to take %.0f: %v", space/1e6, total, err)
	}
}
