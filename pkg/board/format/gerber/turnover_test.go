package gerber

import "testing"

// TestArcsOfTurnedImages: arcs turn the other way where an odd number of mirrors and exchanges of
// the axes turns the image over.
func TestArcsOfTurnedImages(t *testing.T) {
	t.Parallel()
	const arc = "G75*D10*X1000000Y0D02*G03*X0Y1000000I-1000000J0D01*M02*"
	for _, c := range []struct{ name, src, want string }{
		{"as it is", "", "arc D10 1,0 to 0,1 round 0,0 ccw"},
		{"X mirrored", "%MIA1B0*%", "arc D10 -1,0 to 0,1 round 0,0 cw"},
		{"Y mirrored", "%MIA0B1*%", "arc D10 1,0 to 0,-1 round 0,0 cw"},
		{"both", "%MIA1B1*%", "arc D10 -1,0 to 0,-1 round 0,0 ccw"},
		{"axes exchanged", "%ASAYBX*%", "arc D10 0,1 to 1,0 round 0,0 cw"},
		{"axes exchanged and X mirrored", "%ASAYBX*%%MIA1B0*%", "arc D10 0,-1 to 1,0 round 0,0 ccw"},
		{"a quarter turn", "%IR90*%", "arc D10 0,1 to -1,0 round 0,0 ccw turned 90"},
	} {
		f := Read(t.Context(), "x.gbr", []byte(mm+c.src+arc), Options{})
		if got := describe(f); got != c.want {
			t.Errorf("%s: %s draws %s, want %s", c.name, c.src, got, c.want)
		}
	}
}
