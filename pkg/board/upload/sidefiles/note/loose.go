package note

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
)

// loose reads an item that names its subject somewhere among its words.
func (p *parser) loose(it string) {
	before := len(p.statements)
	p.maskWords(it)
	if strings.HasPrefix(it, "no ") || strings.Contains(it, "not required") {
		if noSilkscreen().MatchString(it) {
			p.add(Statement{Topic: NoSilkscreen})
		}
		p.readVias(it)
		return
	}
	p.countWords(it)
	if strings.Contains(it, "thick") && !notBoard().MatchString(it) {
		p.thickness(it, label{})
	}
	if boardOf().MatchString(it) {
		p.add(p.boardLength(it)...)
	}
	p.size(it)
	if silkscreenWord().MatchString(it) && !strings.Contains(it, "mask") {
		p.colour(SilkscreenColour, it)
	}
	p.add(finishesIn(it)...)
	if copperWords().MatchString(it) && (strings.Contains(it, "oz") || strings.Contains(it, "ounce") || umCopper().MatchString(it) && !barrel().MatchString(it)) {
		p.add(p.addInner(weightsIn(it, label{}, false), it)...)
	} else if layers := layersNamed(it); len(layers) > 0 && umOnly().MatchString(it) {
		p.add(weightsIn(it, label{layers: layers}, false)...)
	}
	p.materialWords(it)
	p.readVias(it)
	p.transition(it)
	if len(p.statements) == before {
		return
	}
	if lengths := lengthsIn(it, ""); len(lengths) == 1 && boardWord().MatchString(it) && thicknessRange(lengths[0]) && !sizeWords().MatchString(it) && hasOnlyLayers(p.statements[before:]) {
		p.add(Statement{Topic: Thickness, Length: lengths[0]}) // "4 layer board, 1.6 mm"
	}
}

// boardOf is lettering that says how thick the board is, and nothing else: "0.8mm PCB".
var boardOf = pattern.Lazy(`^\d+(?:[.,]\d+)?\s?mm (?:pcbs?|boards?)\.?$`)

func (p *parser) boardLength(it string) []Statement {
	if v := lengthsIn(it, ""); len(v) == 1 && thicknessRange(v[0]) {
		return []Statement{{Topic: Thickness, Length: v[0]}}
	}
	return nil
}

var (
	layersAfter    = pattern.Lazy(`\b(\d{1,2})[ -]?layers?\b`)
	layersNot      = pattern.Lazy(`\b(?:inner|internal|on|cake|height|signal|plane)\b`)
	perPanel       = pattern.Lazy(`(?:pcs|pieces|boards|units)\s*(?:per|a|/)\s*panel\s*[:=,]?\s*(\d{1,4})`)
	silkscreenWord = pattern.Lazy(`\b(?:silk ?screen|legend)\b`)
	noSilkscreen   = pattern.Lazy(`^no (?:silk ?screen|silk|legend)\.?$`)
	notBoard       = pattern.Lazy(`copper|mask|prepreg|core|foil|stencil|trace|track|pairs|line|gold|nickel|finish(?:es)? thick|plating|dielectric|stiffener|coverlay|wall|barrel|tape|adhesive`)
	umCopper       = pattern.Lazy(`\d\s*um\b.{0,20}\b(?:copper|cu)\b|\b(?:copper|cu)\b(?: weight| thickness| foil)?\s*\(?\d+\s*um\b`)
	umOnly         = pattern.Lazy(`:\s*\d+\s*(?:um|oz)\s*$`)
)

func (p *parser) countWords(it string) {
	m := layersAfter().FindStringSubmatchIndex(it)
	if m == nil || layersNot().MatchString(it) {
		return
	}
	if n, _ := strconv.Atoi(it[m[2]:m[3]]); n >= 1 && n <= 64 {
		p.add(Statement{Topic: Layers, Number: n})
	}
}

// addInner adds the inner layers to a thickness of copper that stands behind their count and
// names none: "4 layers, 35 um copper". Ounces alone are how fabricators call what they sell, by
// its outer layers.
func (p *parser) addInner(weights []Statement, it string) []Statement {
	counted := slices.ContainsFunc(p.statements, func(s Statement) bool { return s.Topic == Layers && s.Number > 2 })
	if len(weights) != 1 || weights[0].Topic != OuterCopper || !counted || isScoped(it) || strings.Contains(it, "oz") {
		return weights
	}
	return append(weights, Statement{Topic: InnerCopper, Ounces: weights[0].Ounces})
}

func thicknessRange(nm int64) bool { return nm >= 200*geom.Micrometre && nm <= 32*geom.Millimetre/10 }

func hasOnlyLayers(s []Statement) bool {
	return slices.ContainsFunc(s, func(s Statement) bool { return s.Topic == Layers }) && !slices.ContainsFunc(s, func(s Statement) bool { return s.Topic == Thickness })
}

func (p *parser) size(s string) {
	m := sizeWords().FindStringSubmatch(s)
	if m == nil || hasAny(s, "hole", "pad", "drill", "space", "package") {
		return
	}
	w, h := length(m[1], cmp.Or(m[2], m[4])), length(m[3], m[4])
	if min(w, h) < 2*geom.Millimetre || max(w, h) > 2000*geom.Millimetre {
		return
	}
	if strings.Contains(s, "panel") {
		p.add(Statement{Topic: Panel})
		return
	}
	p.add(Statement{Topic: Width, Length: w, weak: true}, Statement{Topic: Height, Length: h, weak: true})
}

var (
	maskWord   = pattern.Lazy(`\b(?:solder[ -]?mask|solder[ -]?resist|mask)\b`)
	otherMask  = pattern.Lazy(`\b(?:paste|peel\w*|carbon|stencil|bit|face)[ -]?(?:off )?(?:solder ?)?mask|\bmask (?:expansion|opening|clearance|dam|web|swell|relief|file|layer)`)
	maskOver   = pattern.Lazy(`\b(?:over|between|under|defined|from|around)\b`)
	colourMask = pattern.Lazy(`\b(?:matte?[ -])?(?:black|white|green|blue|red|yellow|purple|violet|transparent|clear|orange|pink|gr[ae]y)(?:[ -]matte?)?[ -](?:lpi[ -])?(?:solder[ -]?)?(?:mask|resist)\b`)
	colourPCB  = pattern.Lazy(`\b(?:matte?[ -])?(?:black|white|green|blue|red|yellow|purple)[ -](?:pcbs?|soldermask)\b`)
	matteMask  = pattern.Lazy(`\bmatte? (?:solder[ -]?)?(?:mask|resist)\b`)
	noMask     = pattern.Lazy(`^(?:no|without) (?:solder[ -]?mask|solder[ -]?resist)(?: (?:on|at) (?:the )?(?:top|bottom|front|back|both|one|either)(?: sides?)?)?\.?$`)
)

// maskWords reads the mask and its colour in words that name it.
func (p *parser) maskWords(it string) {
	switch {
	case noMask().MatchString(it):
		p.add(Statement{Topic: Topic(pcb.PartialMasking)})
	case otherMask().MatchString(it):
	case maskWord().MatchString(it) && oneSide().MatchString(it):
		p.add(Statement{Topic: Topic(pcb.PartialMasking)})
		p.colour(MaskColour, it)
	case strings.HasPrefix(it, "no "):
	case colourMask().MatchString(it), colourPCB().MatchString(it):
		words := colourMask().FindString(it) + " " + colourPCB().FindString(it)
		p.colour(MaskColour, words)
	case matteMask().MatchString(it) && len(coloursIn(it)) == 0:
		p.add(Statement{Topic: MaskColour, Text: "matte"})
	case maskWord().MatchString(it) && strings.Contains(it, "solder") && !maskOver().MatchString(it) && !silkscreenWord().MatchString(it):
		p.colour(MaskColour, it)
	}
}

// materialWords takes a laminate that is named without a label. Aluminium is one where the
// words speak of a board.
func (p *parser) materialWords(it string) {
	found := materials().FindAllString(it, 8)
	found = slices.DeleteFunc(found, func(m string) bool {
		return strings.HasPrefix(m, "alumin") && !metal().MatchString(it) || strings.HasPrefix(m, "tg") || (m == "rogers" || strings.HasPrefix(m, "arlon") || m == "teflon" || m == "kapton" || m == "polyimide") && !metal().MatchString(it)
	})
	if len(found) == 0 {
		return
	}
	if hybrid().MatchString(it) || isMixed(found) && !strings.Contains(it, " or ") {
		p.add(Statement{Topic: Topic(pcb.HybridStack)})
	}
	text := found[0]
	if m := tgWord().FindStringSubmatch(it); m != nil && plainFR4().MatchString(text) {
		text += " tg" + m[1]
	}
	if at := strings.Index(it, found[0]); isDenied(it[:at], it[at+len(found[0]):]) {
		return
	}
	p.add(Statement{Topic: Material, Text: strings.ToUpper(text)})
}

var (
	viaWords   = pattern.Lazy(`\b(tented|untented|plugged|filled|capped|(?:metal|copper|cu|plated)[ -]caps?|cap[ -]plat(?:ed|ing)|via[- ]in[- ]pads?|vippo|epoxy|resin|opened|open|plated over|plated shut|plugging|filling)\b`)
	untented   = pattern.Lazy(`\b(?:not|no|un|without|don'?t|do not)[ -]?(?:via )?tent(?:ed|ing)?\b|\bno via tenting\b`)
	permission = pattern.Lazy(`\b(?:may|might|can|could)\s+(?:also\s+)?(?:be\s+)?$`) // an allowance orders nothing
	viaType    = pattern.Lazy(`\btype (vii|vi|v|iv|iii|ii|i)(?:[ -]?[ab])?\b`)
	viaCap     = pattern.Lazy(`^(?:capped|(?:metal|copper|cu|plated)[ -]caps?|cap[ -]plat(?:ed|ing))$`)
	copperFill = pattern.Lazy(`\bcopper[ -](?:paste|fill)|\bfill(?:ed|ing)? with copper(?: paste)?(?: and|$|,)|\bcopper.{0,12}\bfilled\b`)
	resin      = pattern.Lazy(`\b(?:plugged|filled) with (?:resin|epoxy)|\b(?:resin|epoxy)[ -](?:plug|fill)`)
)

// viaTypes are the types of IPC-4761 that an order can name by their numerals.
var viaTypes = map[string]string{"i": "tented", "iii": "plugged", "iv": "plugged", "v": "filled", "vi": "filled", "vii": "filled and capped"}

// readVias reads what is done to the vias.
func (p *parser) readVias(s string) {
	s = fileName().ReplaceAllString(s, " ")
	alone := word(s, "vippo") || resin().MatchString(s)
	if !word(s, "via") && !word(s, "vias") && !alone && !word(s, "via-in-pad") {
		return
	}
	stated := map[string]bool{}
	for _, at := range viaWords().FindAllStringIndex(s, 8) {
		is := !isDenied(s[:at[0]], s[at[1]:]) && !permission().MatchString(s[:at[0]])
		switch w := s[at[0]:at[1]]; {
		case viaCap().MatchString(w):
			stated["capped"] = stated["capped"] || is
		case strings.HasPrefix(w, "via"):
			stated["via in pad"] = stated["via in pad"] || is
		default:
			stated[w] = is
		}
	}
	inPad := stated["via in pad"] || stated["vippo"] || stated["plated over"] || stated["plated shut"]
	filled := stated["filled"] || stated["epoxy"] || stated["resin"] || stated["filling"] || inPad
	plugged := stated["plugged"] || stated["plugging"]
	t := viaType().FindStringSubmatch(s)
	text := ""
	switch { // what goes farther includes what goes less far
	case untented().MatchString(s) && !filled, stated["untented"], stated["opened"], stated["open"]:
		text = "untented"
	case filled && stated["capped"] && copperFill().MatchString(s):
		text = "copper_paste_filled_capped"
	case filled && stated["capped"], inPad, t != nil && t[1] == "vii":
		text = "filled and capped"
	case t != nil && strings.Contains(s, "4761"):
		text = viaTypes[t[1]]
	case filled:
		text = "filled"
	case stated["capped"]:
		text = "capped"
	case plugged:
		text = "plugged"
	case stated["tented"]:
		text = "tented"
	}
	if text != "" && !(strings.HasPrefix(s, "no ") && text != "untented") {
		p.add(Statement{Topic: ViaProcess, Text: text})
	}
}

func hasAny(s string, parts ...string) bool {
	for _, p := range parts {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// word tells whether w stands in s by itself.
func word(s, w string) bool {
	for i := 0; ; {
		k := strings.Index(s[i:], w)
		if k < 0 {
			return false
		}
		i += k
		end := i + len(w)
		if (i == 0 || !alphanumeric(s[i-1])) && (end == len(s) || !alphanumeric(s[end])) {
			return true
		}
		i = end
	}
}

func alphanumeric(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }

var subjects = pattern.Lazy(`\b(?:solder[ -]?mask|solder[ -]?resist|surface finish|copper weight|copper thickness|laminate|base material|impedance|ohms?|castell\w*|half[ -]holes?|edge plat\w*|gold fingers?|bevel\w*|chamfer\w*|paneli[sz]\w*|panels?|v-?scor\w*|v-?cuts?|v-?groov\w*|tab[ -]rout\w*|mouse[ -]?bites?|blind|buried|micro ?vias?|vippo|plugged|back[ -]?drill\w*|counter[ -]?(?:sink|sunk|bor)\w*|cavit(?:y|ies)|peelable|coverlay|stiffener|tg|cti|halogen\w*|ipc-?(?:6012|6013|a-?600)|class [123]|ul (?:mark\w*|logo)|logo|date code|warpage|bow and twist|flatness|x-?outs?|barrel|press[ -]?fit|hard gold|selective|heat ?sinks? bonded|copper coins?|semi-?flex|rigid-?flex|electrical(?:ly)? test\w*|e-?test|tdr|coupons?|dielectric constant|dk|loss tangent|thickness)\b`)

// asNeeded are words that leave the sheets to the fabricator, or speak of the assembly.
var asNeeded = pattern.Lazy(`\b(?:prepreg|core)s? as (?:needed|required)\b|\bipc-?a-?610\b`)

// names reports whether an item names a subject of fabrication and says something of it:
// a subject by itself says nothing.
func names(it string) bool {
	at := subjects().FindStringIndex(it)
	if at == nil || asNeeded().MatchString(it) || isTakenBack(it[:at[0]], it[at[1]:]) {
		return false
	}
	rest := strings.Trim(it[:at[0]]+it[at[1]:], " :.=-")
	return len(strings.Fields(rest)) > 0 && !openValue(it)
}

// openValue reports whether a label is followed by no more than that nothing is asked.
func openValue(it string) bool {
	_, value, found := parseLabel(it)
	return found && (value == "" || nothing().MatchString(value) || len(strings.Fields(value)) <= 4 && openWord().MatchString(value) && !strings.ContainsAny(value, "0123456789"))
}
