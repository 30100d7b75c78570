package pcbway_test

import (
	"net/http/httptest"
	"testing"

	simulated "boardorder/deploy/simulator/pcbway"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/fabricator/pcbway"
)

// TestAdapterOverStandIn: the shipping adapter gets prices of the stand-in that grow with the
// boards, and an unknown key gets none.
func TestAdapterOverStandIn(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(simulated.Handler())
	t.Cleanup(s.Close)
	for _, tt := range []struct {
		key      string
		quantity int
		want     int64 // cents of the boards
		kind     fabricator.Kind
	}{
		{simulated.APIKey, 10, 680, ""},
		{simulated.APIKey, 100, 2300, ""},
		{"another", 10, 0, fabricator.Internal},
	} {
		c, err := pcbway.New(pcbway.Config{Name: "far_east", URL: s.URL, APIKey: tt.key, PerSecond: 1000})
		if err != nil {
			t.Fatal(err)
		}
		p, err := c.Price(t.Context(), fabricator.Spec{
			Layers: 2, Quantity: tt.quantity, Width: 50_000_000, Height: 30_000_000, Thickness: 1_600_000, OuterCopper: 1, Material: "FR-4", Finish: "hasl", Mask: "White",
			ViaProcess: "tented", MinTrack: 200_000, MinSpace: 200_000, MinHole: 300_000, To: fabricator.Destination{Country: "US"},
		})
		if tt.kind != "" {
			if fabricator.KindOf(err) != tt.kind || err == nil {
				t.Errorf("with the key %q: %+v, %v; want %s", tt.key, p, err, tt.kind)
			}
			continue
		}
		if err != nil || p.Boards() != tt.want || len(p.Builds) != 2 || len(p.Shipping) != 1 {
			t.Errorf("%d boards: %+v, %v; want %d cents, two builds, one way", tt.quantity, p, err, tt.want)
		}
	}
}
