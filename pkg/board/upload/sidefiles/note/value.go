package note

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/foil"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
)

var (
	nothing  = pattern.Lazy(`^(?:no|none|not (?:required|needed|used|applicable)|n/?a|nil|false|without|-+|0)\b`)
	openWord = pattern.Lazy(`\b(?:any|default|standard|normal|regular|(?:your|customer'?s|buyer'?s|user'?s) (?:choice|pick|discretion)|(?:no|personal|your) preference|up to you|(?:does not|doesn'?t) matter|optional|tbd|to be (?:defined|determined)|don'?t care|whatever|per|see|as|according|acc|refer|match|same|yes|true|required|both|and|lpi|smobc|ok)\b`)
)

var (
	sideWord = pattern.Lazy(`\b(?:top|bottom|front|back|upper|lower|component|primary|secondary)\b`)
	laidOver = pattern.Lazy(`(?:mask|resist)\s+(?:over|on)\s*$`) // of a mask, which is no finish
)

// readLabelled reads the value of a label.
func (p *parser) readLabelled(l label, value, it string) {
	before := len(p.statements)
	switch l.topic {
	case MaskColour:
		p.mask(value, it)
	case SilkscreenColour:
		if nothing().MatchString(value) && len(coloursIn(value)) == 0 && !sideWord().MatchString(it) {
			p.add(Statement{Topic: NoSilkscreen})
		}
		p.colour(SilkscreenColour, value)
	case Finish:
		p.add(finishesIn(value)...)
	case Material:
		p.material(value, l)
	case Thickness:
		p.thickness(value, l)
	case OuterCopper, InnerCopper, stack:
		p.add(weightsIn(value, l, true)...)
		if len(p.statements) == before && l.topic == OuterCopper && isLayerCount(l, value) {
			p.count(value)
		}
		if layers := layersNamed(it); l.topic == stack && len(layers) > 0 {
			p.last = l
		}
	case Layers:
		p.count(value)
	case ViaProcess:
		p.readVias(it)
		return // of vias the standard applies where nothing is said
	case transition:
		p.transition("tg " + value)
	case Width:
		p.size(value)
		return
	case Panel:
		return // its mark says so
	}
	for i := before; i < len(p.statements); i++ {
		p.statements[i].Labelled = true
		p.statements[i].weak = l.weak && !slices.Contains([]Topic{Finish, Material, transition, OuterCopper, InnerCopper}, l.topic)
	}
	const longestColour = 4 // words; a sentence about the mask names none
	if len(p.statements) > before || l.topic == MaskColour && len(strings.Fields(value)) > longestColour || l.broad || l.topic == stack || l.topic == SilkscreenColour || l.topic == transition || l.topic == Layers ||
		nothing().MatchString(value) || openWord().MatchString(value) && !strings.ContainsAny(value, "0123456789") {
		return
	}
	p.add(Statement{Topic: l.topic, Text: clip(value), Unclear: true, Labelled: true, weak: l.weak})
}

var (
	oneSide  = pattern.Lazy(`\b(?:(?:top|bottom|front|back|component|one)(?: side)? only|only (?:on )?(?:the )?(?:top|bottom|front|back|one)|(?:on )?one side\b|single[ -]sided)`)
	noneOn   = pattern.Lazy(`\b(?:none|no(?:t)?|without)\b.{0,20}\b(?:top|bottom|front|back|one side)\b|\b(?:top|bottom|front|back)\b.{0,12}\b(?:none|no mask)\b`)
	maskSize = pattern.Lazy(`\d\s*(?:mm|mils?|um)\b|\b(?:expansion|clearance|dam|web|swell|relief|opening|opened|defined|coverage|bridge)`)
)

// mask reads what is said of the solder mask.
func (p *parser) mask(value, it string) {
	switch {
	case oneSide().MatchString(it), noneOn().MatchString(value), nothing().MatchString(value) && len(coloursIn(value)) == 0:
		p.add(Statement{Topic: Topic(pcb.PartialMasking)})
	}
	if maskSize().MatchString(value) && len(coloursIn(value)) == 0 {
		p.add(Statement{Topic: ignored})
		return
	}
	p.colour(MaskColour, value)
}

// ignored is what is understood and decides nothing.
const ignored Topic = "ignored"

func (p *parser) colour(topic Topic, value string) {
	for _, c := range coloursIn(value) {
		p.add(Statement{Topic: topic, Text: c})
	}
}

var colourWord = pattern.Lazy(`\b(?:black|white|green|blue|red|yellow|purple|violet|transparent|clear|orange|pink|gr[ae]y|brown|cyan|teal|magenta)\b`)

// coloursIn lists the colours of a text, each once.
func coloursIn(s string) []string {
	matte := word(s, "matte") || word(s, "matt") || word(s, "mat")
	var out []string
	for _, c := range colourWord().FindAllString(s, 8) {
		if matte {
			c = "matte " + c
		}
		if !slices.Contains(out, c) {
			out = append(out, c)
		}
	}
	return out
}

var (
	finishes = pattern.Lazy(`\b(?:enepig|enig|immersion[ -](?:nickel[ -])?(?:gold|silver|tin|au|ag|sn)|chem(?:ical|ically)?\.?[ -](?:gold|silver|tin)|hard[ -]gold|(?:flash|soft|electrolytic|galvanic|electroplated)[ -](?:hard |soft |nickel )?gold|gold[ -](?:flash|plating|plated)|osp|(?:lead[- ]?free |leaded |lf )?(?:hasl|hal)(?:[- ](?:lead[- ]?)?free|[- ]lf|[- ]snpb|[- ]with lead)?|electroless nickel[ /-]*immersion gold|bare copper|ni ?/ ?au|carbon|sn ?/ ?pb|pb ?/ ?sn)\b`)
	contacts = pattern.Lazy(`\b(?:fingers?|contacts?|edge|selective|connector)\b`)
	leadFree = pattern.Lazy(`\b(?:lead[- ]?free|pb[- ]?free|(?:hasl|hal)[- ]free|lf|rohs)\b`)
	withLead = pattern.Lazy(`\b(?:leaded|with lead|snpb|sn/?pb|tin[- ]lead)\b`)
	tinLead  = pattern.Lazy(`^(?:sn ?/ ?pb|pb ?/ ?sn)$`)
	// tinnedWord are subjects that alloys of tin and lead are a finish of.
	tinnedWord = pattern.Lazy(`\b(?:pads?|finish|surface|plating|coating)\b`)
	finishSay  = pattern.Lazy(`\b(?:finish|surface|plating|coating)\b`)
)

// lesser are the words after which a finish is what another is better than.
var lesser = pattern.Lazy(`\b(?:than|rather than|instead of)\s+(?:plain |standard |usual |leaded )?$`)

// finishesIn lists the finishes that a text names. Hard gold beside another finish, and
// of contacts, is no finish of the board.
func finishesIn(s string) []Statement {
	var names []string
	for _, at := range finishes().FindAllStringIndex(s, 8) {
		name := s[at[0]:at[1]]
		tin := tinLead().MatchString(name)
		if tin && (strings.Contains(s, "hasl") || !tinnedWord().MatchString(s)) {
			continue // it says more of a finish that is named, or is that of a solder
		}
		if isDenied(s[:at[0]], s[at[1]:]) || lesser().MatchString(s[:at[0]]) || name == "carbon" && !finishSay().MatchString(s) || name == "bare copper" && laidOver().MatchString(s[:at[0]]) {
			continue
		}
		switch {
		case tin:
			name = "leaded HASL"
		case strings.Contains(name, "hasl") || strings.Contains(name, "hal"):
			switch {
			case leadFree().MatchString(s):
				name = "HASL lead free"
			case withLead().MatchString(s):
				name = "leaded HASL"
			default:
				name = "HASL"
			}
		case strings.Contains(name, "electroless"), name == "ni/au", name == "ni / au":
			name = "ENIG"
		case name == "enig", name == "enepig", name == "osp":
			name = strings.ToUpper(name)
		case strings.HasPrefix(name, "chem"):
			name = "immersion " + name[strings.LastIndexAny(name, " -")+1:]
		}
		if name = sameFinish(name); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	hard := func(n string) bool { return strings.Contains(n, "hard gold") || strings.HasPrefix(n, "gold pl") }
	if contacts().MatchString(s) {
		names = slices.DeleteFunc(names, hard)
	}
	var out []Statement
	for _, n := range names {
		out = append(out, Statement{Topic: Finish, Text: n})
	}
	return out
}

// metals are what finishes call gold, silver and tin by their symbols.
var metals = strings.NewReplacer("immersion au", "immersion gold", "immersion ag", "immersion silver", "immersion sn", "immersion tin")

// sameFinish gives immersion gold its usual name: ENIG (immersion gold) is one finish.
func sameFinish(name string) string {
	if name = metals.Replace(strings.Replace(name, "immersion-", "immersion ", 1)); name == "immersion gold" {
		return "ENIG"
	}
	return name
}

var (
	materials = pattern.Lazy(`\b(?:isola [a-z0-9-]+|fr-?408(?:hr)?|370hr|s1000-?2?[mh]?|s1141|it-?1[458]\d[a-z]?|kb-?61\d\d|np-?1\d\d[a-z]?|tu-?\d{3}|em-?\d{3}|vt-?4\d[a-z0-9]*|megtron ?-?\d?|nelco(?: ?n?[0-9-]+)?|n4000-\d+|arlon ?\w*|taconic ?[a-z0-9-]*|rf-35|tly-?\d|astra ?\w*|i-?speed|i-?tera|ptfe|teflon|duroid(?: ?\d+)?|rogers ?[a-z]*\d{4}[a-z]*|rogers|ro\d{4}[a-z]*|rt ?/? ?duroid|polyimide|kapton|alumini?um(?: core)?|copper core|metal core|mcpcb|cem-?[13]|fr-?[12]\b|bt epoxy|(?:high[ -]?tg )?fr-?4(?:[ -]?tg ?-?1[3-9]0)?|tg ?1[3-9]0)\b`)
	fr4Word   = pattern.Lazy(`^(?:high[ -]?tg )?fr-?4|^tg|^s1|^it|^kb|^np|^370|^tu|^em|^vt|^isola|^fr-?408`)
	hybrid    = pattern.Lazy(`\bhybrid\b|\bmixed (?:dielectric|laminate|material)s?\b`)
	metal     = pattern.Lazy(`\b(?:pcbs?|boards?|core|base|substrate|material|laminate|mcpcb)\b`)
)

// material reads the value of a label for the laminate. FR-4 and another sheet are a
// build of their own.
func (p *parser) material(value string, l label) {
	found := materials().FindAllString(value, 8)
	if hybrid().MatchString(value) || len(found) > 1 && isMixed(found) && !strings.Contains(value, " or ") {
		p.add(Statement{Topic: Topic(pcb.HybridStack)})
	}
	lengths := lengthsIn(value, "")
	if len(lengths) == 1 && boardThickness(lengths[0]) {
		p.add(Statement{Topic: Thickness, Length: lengths[0]})
		value = strings.TrimSpace(lengthWord().ReplaceAllString(value, ""))
	}
	switch {
	case len(found) > 0 && !slices.ContainsFunc(found, func(m string) bool { return !strings.HasPrefix(m, "tg") }):
		p.transition("tg " + strings.TrimLeft(found[0], "tg ")) // of a sheet that is not named
	case len(found) > 0, highTg().MatchString(value):
		p.add(Statement{Topic: Material, Text: strings.ToUpper(clip(value))})
	}
}

// IsMixed reports whether words name sheets of several kinds, FR-4 and another.
func IsMixed(words string) bool {
	found := materials().FindAllString(strings.ToLower(words), 16)
	return len(found) > 1 && isMixed(found)
}

func isMixed(found []string) bool {
	fr4 := fr4Word().MatchString(found[0])
	return slices.ContainsFunc(found, func(m string) bool { return fr4Word().MatchString(m) != fr4 })
}

var (
	lengthWord = pattern.Lazy(`(\d+(?:[.,]\d+)?)\s*(mm|mils?\b|inch(?:es)?|in\b|"|thou)`)
	span       = pattern.Lazy(`\d\s*(?:mm|mils?|inch|")?\s*(?:-|to|\.\.\.?|~|or)\s*\d`)
	tolerance  = pattern.Lazy(`\s*(?:±|\+\s*/?\s*-|-\s*/?\s*\+|\(?\+/-|tol(?:erance)?\b).*$`)
	bareNumber = pattern.Lazy(`^~?(\d+(?:[.,]\d+)?)\s*(?:$|[(,])`)
	sizeWords  = pattern.Lazy(`(\d+(?:[.,]\d+)?)\s*(mm|mils?|inch(?:es)?|")?\s*[x*]\s*(\d+(?:[.,]\d+)?)\s*(mm|mils?|inch(?:es)?|")`)
)

// lengthsIn lists the lengths of a text that differ, without its tolerance. unit is that
// of a number without one.
func lengthsIn(s, unit string) []int64 {
	s = tolerance().ReplaceAllString(s, "")
	var out []int64
	add := func(nm int64) {
		if nm > 0 && !slices.ContainsFunc(out, func(o int64) bool { return math.Abs(float64(nm-o)) < 0.06*float64(o) }) {
			out = append(out, nm)
		}
	}
	for _, m := range lengthWord().FindAllStringSubmatch(s, 8) {
		add(length(m[1], m[2]))
	}
	if m := bareNumber().FindStringSubmatch(strings.TrimSpace(s)); len(out) == 0 && m != nil {
		add(length(m[1], unit))
	}
	return out
}

func length(number, unit string) int64 {
	v, err := strconv.ParseFloat(strings.Replace(number, ",", ".", 1), 64)
	if err != nil || v > 1e5 {
		return 0
	}
	switch {
	case unit == "mm":
		return geom.MM(v)
	case strings.HasPrefix(unit, "mil"), unit == "thou":
		return geom.MM(v * 0.0254)
	case unit == "um":
		return geom.MM(v / 1000)
	case unit != "":
		return geom.Inches(v)
	case v >= 0.1 && v <= 6.5:
		return geom.MM(v)
	case v >= 15 && v <= 250: // 62 means mil
		return geom.MM(v * 0.0254)
	}
	return 0
}

func boardThickness(nm int64) bool { return nm >= 100*geom.Micrometre && nm <= 10*geom.Millimetre }

// thickness reads the value of a label for the board's thickness. A range is none.
func (p *parser) thickness(value string, l label) {
	lengths := lengthsIn(value, l.unit)
	if span().MatchString(tolerance().ReplaceAllString(value, "")) && len(lengths) < 2 && !strings.Contains(value, "x") {
		if v := lengthsIn(strings.NewReplacer("~", " ", "-", " ").Replace(value), l.unit); len(v) != 1 || !sameSpan(value, v[0]) {
			p.add(Statement{Topic: Thickness, Text: clip(value), Unclear: true})
			return
		}
	}
	for _, nm := range lengths {
		if boardThickness(nm) {
			p.add(Statement{Topic: Thickness, Length: nm})
		}
	}
}

// sameSpan reports whether the first number of a range is the length itself: "62-62 mil".
func sameSpan(value string, nm int64) bool {
	first := lengthsIn(strings.TrimSpace(value[:strings.IndexAny(value+" ", " -~")]), "mm")
	return len(first) == 1 && first[0] == nm
}

var (
	weightWord  = pattern.Lazy(`(\d+(?:[.,]\d+)?(?:/\d)?)\s*(oz\b|ounces?\b|um\b|microns?\b)`)
	innerWord   = pattern.Lazy(`\b(?:inner|internal|inside)\b`)
	outerWord   = pattern.Lazy(`\b(?:outer|external|outside|top|bottom)\b`)
	allWord     = pattern.Lazy(`\b(?:all|every|each|both inner and outer)\b`)
	layerList   = pattern.Lazy(`\b(?:layers?|l)\s?(\d{1,2}(?:\s*(?:,|and|&|\+)\s*l?\d{1,2})*)\b`)
	leadNumber  = pattern.Lazy(`^(?:l\s?)?(\d{1,2})[\s.:)-]+(\S+)`)
	digitsWord  = pattern.Lazy(`\d{1,2}`)
	barrel      = pattern.Lazy(`\b(?:barrel|holes?|wall|pth|vias?|gold|nickel|au|ni|finger|clearance|spacing|space|gap|annular|trace|track|drill|prepreg|core|dielectric|mask)\b`)
	copperWords = pattern.Lazy(`\b(?:copper|cu|foil|ounces?)\b|\d ?oz\b`)
)

// layersNamed lists the copper layers that words name by their numbers.
func layersNamed(s string) []int {
	var out []int
	if m := layerList().FindStringSubmatch(s); m != nil && !innerWord().MatchString(s) {
		for _, d := range digitsWord().FindAllString(m[1], 16) {
			n, _ := strconv.Atoi(d)
			out = append(out, n)
		}
	} else if m := leadNumber().FindStringSubmatch(s); m != nil && !weightWord().MatchString(m[1]+" "+m[2]) && !strings.HasPrefix(m[2], "layer") {
		n, _ := strconv.Atoi(m[1])
		out = append(out, n)
	}
	return slices.DeleteFunc(out, func(n int) bool { return n < 1 || n > 64 })
}

// thinnest is below the lightest foil in ounces: what is lighter weighs something else, as
// the weight of a part.
const thinnest = 0.05

// usualWeight is a number that is written as weights in ounces are, and counts nothing.
var usualWeight = pattern.Lazy(`^(?:0[.,]5|[1-4][.,][05])$`)

// weightsIn lists the weights of copper that an item gives, each for the layers that it
// names beside the weight or before it.
func weightsIn(s string, l label, labelled bool) []Statement {
	if dielectric().MatchString(s) {
		return nil // a sheet between two copper layers is as thick as heavy copper
	}
	if m := leadNumber().FindStringSubmatch(s); m != nil && len(l.layers) == 0 {
		l.layers = layersNamed(s)
	}
	matches := weightWord().FindAllStringSubmatchIndex(s, 16)
	if len(matches) == 0 {
		if v := lengthsIn(s, l.unit); labelled && len(v) == 1 && v[0] < geom.Millimetre/2 && strings.Contains(s, "mm") {
			return scopeWeight(foil.Inner(v[0]), "", l)
		}
		if m := bareNumber().FindStringSubmatch(s); m != nil && (l.unit == "oz" || labelled && !l.counts && usualWeight().MatchString(m[1])) {
			if usualWeight().MatchString(m[1]) {
				l.layers = nil // its digits are those of no layer
			}
			return scopeWeight(ounces(m[1], "oz"), "", l)
		}
		return nil
	}
	var out []Statement
	weights := weighings(s, matches)
	last := weights[len(weights)-1]
	named := isScoped(s[:weights[0].begin]) || !isScoped(s[last.end:]) // outer 2 oz, inner 1 oz
	scope, begin := "", 0
	for i, w := range weights {
		before, end := s[begin:w.begin], len(s)
		begin = w.end
		if i+1 < len(weights) {
			end = weights[i+1].begin
		}
		switch after := s[w.end:end]; {
		case len(weights) == 1:
			scope = s
		case named && (i == 0 || isScoped(before)):
			scope = before
		case named: // goes on with what was named
		case isScoped(after):
			scope = after
		default:
			scope = before
		}
		if w.oz < thinnest || w.oz > 20 {
			continue
		}
		for _, st := range scopeWeight(w.oz, scope, l) {
			if !slices.ContainsFunc(out, st.same) {
				out = append(out, st)
			}
		}
	}
	return out
}

// A weighing is a weight of copper within an item, and where it stands.
type weighing struct {
	oz         float64
	begin, end int
}

var inOtherUnit = pattern.Lazy(`^\s*[(=]\s*$`)

// weighings gives the weights of an item by their matches, one that follows in another unit as
// one with that before it: 1 oz (35 um).
func weighings(s string, matches [][]int) []weighing {
	var out []weighing
	for _, m := range matches {
		w := weighing{ounces(s[m[2]:m[3]], s[m[4]:m[5]]), m[0], m[1]}
		if n := len(out) - 1; n >= 0 && inOtherUnit().MatchString(s[out[n].end:w.begin]) && math.Abs(w.oz-out[n].oz) < 0.15*w.oz {
			out[n].end = w.end
			continue
		}
		out = append(out, w)
	}
	return out
}

func isScoped(s string) bool {
	return innerWord().MatchString(s) || outerWord().MatchString(s) || layerList().MatchString(s) || allWord().MatchString(s)
}

// scopeWeight states a weight for the layers that words name, those of the label where they
// name none.
func scopeWeight(oz float64, words string, l label) []Statement {
	layers := layersNamed(strings.TrimSpace(words))
	if len(layers) == 0 {
		layers = l.layers
	}
	var out []Statement
	for _, n := range layers {
		out = append(out, Statement{Topic: LayerCopper, Number: n, Ounces: oz})
	}
	inner, outer := innerWord().MatchString(words), outerWord().MatchString(words)
	switch {
	case len(layers) > 0:
		return out
	case allWord().MatchString(words), inner && outer:
		return []Statement{{Topic: OuterCopper, Ounces: oz}, {Topic: InnerCopper, Ounces: oz}}
	case inner, l.topic == InnerCopper && !outer:
		return []Statement{{Topic: InnerCopper, Ounces: oz}}
	}
	return []Statement{{Topic: OuterCopper, Ounces: oz}}
}

func ounces(number, unit string) float64 {
	number = strings.Replace(number, ",", ".", 1)
	top, under, ratio := strings.Cut(number, "/")
	v, err := strconv.ParseFloat(top, 64)
	if u, e := strconv.ParseFloat(under, 64); ratio && e == nil && u > 0 {
		v /= u
	}
	if err != nil {
		return 0
	}
	if strings.HasPrefix(unit, "o") {
		return v
	}
	return foil.Inner(int64(v * 1000))
}

var tgWord = pattern.Lazy(`\btg\b[^0-9]{0,20}(1[0-9]\d|2\d\d)\b`)
var highTg = pattern.Lazy(`\bhigh[ -]?tg\b`)

func (p *parser) transition(s string) {
	switch m := tgWord().FindStringSubmatch(s); {
	case m != nil:
		n, _ := strconv.Atoi(m[1])
		p.add(Statement{Topic: transition, Number: n})
	case highTg().MatchString(s):
		p.add(Statement{Topic: transition, Number: 170})
	}
}

// isLayerCount reports whether a label for copper is followed by how many layers of it there
// are: "Copper: 2 layers", "Copper layers: 2".
func isLayerCount(l label, value string) bool {
	return layersAfter().MatchString(value) && !layersNot().MatchString(value) || l.counts && bareNumber().MatchString(value)
}

var dielectric = pattern.Lazy(`\b(?:dielectrics?|prepregs?|isolation|insulation)\b`)

var countWord = pattern.Lazy(`^(\d{1,2})\s*(?:$|[(,;]|layers?\b|copper\b|-layer)`)

func (p *parser) count(value string) {
	if m := countWord().FindStringSubmatch(value); m != nil {
		if n, _ := strconv.Atoi(m[1]); n >= 1 && n <= 64 {
			p.add(Statement{Topic: Layers, Number: n})
		}
	}
}
