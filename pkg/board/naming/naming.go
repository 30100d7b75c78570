// Package naming decides how a sentence of ours says what somebody called something.
package naming

import (
	"regexp"
	"strconv"
	"strings"
)

// Said is what something is called, as a sentence of ours says it: in quotes
// unless it is Usual.
func Said(name string) string {
	if Usual(name) {
		return name
	}
	return strconv.Quote(name)
}

// Usual tells what can be no instruction, whoever chose it: a designator such as
// R12, or what is made of a few words of the closed list below, as most nets,
// layers and files of real designs are. Nothing else is: not one word more.
func Usual(text string) bool {
	if !shape.MatchString(text) {
		return false
	}
	words := run.FindAllString(text, maxWords+1)
	if len(words) > maxWords {
		return false
	}
	letters := 0
	for _, w := range words {
		switch {
		case len(w) == 1:
			letters++
		case !known[strings.ToLower(w)]:
			return designator.MatchString(text)
		}
	}
	return letters <= maxLetters // more would spell something
}

const maxWords, maxLetters = 5, 2

var (
	shape      = regexp.MustCompile(`^[A-Za-z0-9_+~./(){}|#-]{1,40}$`)
	run        = regexp.MustCompile(`[A-Za-z]+`)
	designator = regexp.MustCompile(`^[A-Z]{1,3}[0-9]{1,5}[A-Z]?(-[A-Z]{0,2}[0-9]{1,4})?$`)
)

// known are the names of supplies, buses, layers and kinds of files: nouns and
// abbreviations that ask for nothing, however they are put together.
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
	`) {
		out[w] = true
	}
	return out
}()
