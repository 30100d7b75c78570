package untrusted

import (
	"strings"
	"unicode/utf8"
)

// known are the names of supplies, buses, layers and kinds of files, of where parts are
// bought, and of what boards are made of and coated with: nouns and abbreviations that ask for nothing, however they are put together.
var known = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(`
		gnd agnd dgnd pgnd gnda gndd vcc vccio vcca vdd vdda vddio vss vssa vbus vbat vin vout vref vee avcc avdd dvdd vsys
		sda scl mosi miso sck cs sclk sdi sdo mclk bclk lrclk tx rx txd rxd rts cts usb can spi uart i2c i2s jtag swd swdio swclk swo tck tms tdi tdo
		clk xtal xin xout osc rst nrst adc dac pwm gpio io dp dm dn cc sbu mdi mdio mdc ddr dq dqs lvds hdmi rgmii
		net pad unconnected pin via mm mil oz
		cu top bottom bot inner in mask smask soldermask silk silks silkscreen legend paste adhes adhesive edge cuts outline profile board pcb
		copper signal gnds courtyard fab crtyd margin user eco dwgs cmts layer layers
		pth npth plated drl drill drills xln txt gbr ger gerber gerbers gbl gtl gbs gts gbo gto gbp gtp gko gml gm gp gpt gpb gbrjob job
		art kicad pcbnew brd sch zip tgz tar gz rar csv xlsx pdf ipc odb xml bom cpl pos xy placement assembly rev ver
		cam fabrication stackup panel
		nonplated component glue overlay mechanical fiducial drawing assemblydrawing fabricationdrawing drillmap viafill plane mixed blind buried
		pro prj lib rou tap dri drr rep rpt pho ncd cmp sol stc sts plc tsm bsm svg png json log
		gbx grb asc extrep apt apr rul ldp out outjob prjpcb pcbdoc schdoc pcblib slash backslash vpp mclr vscore vcut
		distributor aggregator
		immersion silver gold tin nickel palladium enig enepig osp hasl hal matte matt glossy green blue red white black yellow purple
		rogers isola polyimide ptfe teflon aluminum aluminium laminate epoxy tented untented plugged
	`) {
		out[w] = true
	}
	return out
}()

// isKnown reports whether a word is one of those, in capitals or not.
func isKnown(word string) bool {
	var lower [longestKnown]byte
	if len(word) > len(lower) {
		return known[strings.ToLower(word)]
	}
	for i := range len(word) {
		switch c := word[i]; {
		case c >= utf8.RuneSelf: // some have small ASCII letters
			return known[strings.ToLower(word)]
		case capital(c):
			lower[i] = c | 0x20
		default:
			lower[i] = c
		}
	}
	return known[string(lower[:len(word)])] // without a copy of the word
}

// longestKnown is more letters than any known word has.
const longestKnown = 32
