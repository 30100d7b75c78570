package document

// The colours of the house, as pages and letters have them.
var (
	green = [3]int{0x0b, 0x6b, 0x4f}
	gold  = [3]int{0xe9, 0xc4, 0x6a}
)

// Of the mark in a square of 32: its traces, and the pads that they end in.
var (
	traces = [][][2]float64{{{9, 9}, {15, 9}, {19, 13}, {19, 19}, {23, 23}}, {{9, 23}, {9, 16}}, {{23, 9}, {23, 14}}}
	pads   = [][2]float64{{8, 9}, {24, 24}, {9, 24}, {23, 8}}
)

// drawMark draws the mark of the house, size mm wide and high.
func (s Sheet) drawMark(x, y, size float64) {
	d, unit := s.pdf, size/32
	before := d.GetLineWidth()
	d.SetFillColor(green[0], green[1], green[2])
	d.RoundedRect(x, y, size, size, 7*unit, "1234", "F")
	d.SetDrawColor(gold[0], gold[1], gold[2])
	d.SetLineWidth(2.2 * unit)
	d.SetLineCapStyle("round")
	d.SetLineJoinStyle("round")
	for _, trace := range traces {
		d.MoveTo(x+trace[0][0]*unit, y+trace[0][1]*unit)
		for _, to := range trace[1:] {
			d.LineTo(x+to[0]*unit, y+to[1]*unit)
		}
		d.DrawPath("D")
	}
	for _, pad := range pads {
		d.Circle(x+pad[0]*unit, y+pad[1]*unit, 2.4*unit, "FD")
	}
	d.SetLineJoinStyle("miter")
	d.SetLineCapStyle("butt")
	d.SetLineWidth(before)
	s.ink([3]int{})
}

// ink sets the colour of what is written next, in letters and in outlines.
func (s Sheet) ink(c [3]int) {
	s.pdf.SetTextColor(c[0], c[1], c[2])
	s.pdf.SetFillColor(c[0], c[1], c[2])
	s.pdf.SetDrawColor(c[0], c[1], c[2])
}
