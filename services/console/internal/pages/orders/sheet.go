package orders

import (
	"fmt"
	"strconv"
	"strings"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract/orders"
	"boardorder/pkg/contract/wording"
)

// sheetName is the sheet's name in the package of an order: what to order, for
// whoever does it by hand.
const sheetName = "ORDER.txt"

// orderSheet says all that is ordered beside what the files say.
func orderSheet(o orders.Order) string {
	var b strings.Builder
	row := func(name, value string) {
		if value = untrusted.Line(value, 2000); value != "" {
			fmt.Fprintf(&b, "%-22s %s\n", name+":", value)
		}
	}
	number := func(v float64, unit string) string {
		if v == 0 {
			return ""
		}
		return strconv.FormatFloat(v, 'f', -1, 64) + unit
	}
	row("Order", o.Ref)
	row("Boards", strconv.Itoa(o.Quantity))
	row("Board", o.Board)
	if d := o.Sold.Reply.BoardDetails; d != nil {
		row("Layers", strconv.Itoa(d.Layers))
		row("Size", number(d.WidthMM, "")+" x "+number(d.HeightMM, " mm"))
		row("Thickness", number(d.ThicknessMM, " mm"))
		row("Outer copper", number(d.CopperOz, " oz"))
		if d.InnerCopperOz != nil {
			row("Inner copper", number(*d.InnerCopperOz, " oz"))
		}
		row("Material", d.Material)
		row("Surface finish", d.SurfaceFinish)
		row("Solder mask", d.SolderMask)
		row("Vias", d.ViaProcess)
		if d.ImpedanceControlled {
			row("Impedance", "controlled")
		}
		row("Stackup", d.FabStackup)
		if len(d.FabOptions) > 0 {
			row("Options", wording.Value(map[string]any(d.FabOptions)))
		}
	}
	paper := o.Sold.Paper()
	row("Described stackup", paper.Stackup)
	row("Separate boards", paper.Separate)
	if paper.Assembled > 0 {
		row("Assembled", strconv.Itoa(paper.Assembled)+" boards; list, placements and choices are in assembly/")
		row("Left off", strings.Join(paper.LeftOff, ", "))
		row("Sent by the customer", strings.Join(paper.Supplied, ", "))
		row("Replaced", strings.Join(paper.Replaced, "; "))
	}
	row("Not in the price", strings.Join(o.Sold.Reply.NotIncluded, "; "))
	for _, words := range []struct{ title, text string }{{"The customer's notes", paper.Notes}, {"What the team wrote to the customer", o.Sold.TeamNote}} {
		if words.text != "" {
			fmt.Fprintf(&b, "\n%s:\n%s\n", words.title, untrusted.Block(words.text, 5000))
		}
	}
	return b.String()
}
