package note

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
)

// A reading is what one line says.
type reading struct {
	line       line
	statements []Statement
	unread     bool // it names a subject of fabrication with words that were not understood
	brief      bool // it stands by itself, as notes do, and is no sentence of prose
	aside      bool // it speaks of something else than this board
	special    bool // it names what changes every board's price, in whatever sentence
}

var (
	bullet    = pattern.Lazy(`^[\s>*+•·▪◦#-]*(?:\(?\d{1,2}[.)]\s+)?(?:[*+•·-]\s+)?(?:\[[ x]\]\s*)?`)
	link      = pattern.Lazy(`!?\[([^\]]*)\]\([^)]*\)|https?://\S+`)
	emphasis  = strings.NewReplacer("**", "", "__", "", "`", "", "：", ":", "，", ", ", "；", ";", "、", ", ", "（", "(", "）", ")", "。", ". ", "µ", "u", "μ", "u", "–", "-", "—", "-", "−", "-", "×", "x", "″", `"`, "“", `"`, "”", `"`, "½", "1/2", "p.c.b.", "pcb", "p.c.b", "pcb", "Ω", "ω", "\u00a0", " ", "\u3000", " ", "::", ":", "fr-04", "fr-4", "fr04", "fr4")
	opening   = pattern.Lazy(`^(?:a|an|the|this|that|these|those|it|its|it's|we|our|i|you|your|my|he|she|they|their|there|if|when|while|since|because|although|after|before|unlike|like|how|what|why|where|which|who|as|with|in|on|for|to|and|but|so|then|also)\s`)
	dated     = pattern.Lazy(`^(?:v(?:er(?:sion)?)?\.?\s*\d+(?:\.\d+)*[a-z]?|rev(?:ision)?\.?\s*(?:[a-z]|\d{1,2})(?:\.\d+)?|\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})\s*(?:[:(,-]|\s[a-z])`)
	revising  = pattern.Lazy(`\b(?:changed|increased|decreased|reduced|switched|updated|upgraded|previously|formerly|used to be|no longer|instead of|in the past|earlier (?:version|revision|rev|batch|order|run)s?|(?:old|previous|last|first) (?:version|revision|rev|batch|order|run|prototypes?)s?)\b`)
	another   = pattern.Lazy(`\b(?:daughter|mother|carrier|adapter|adaptor|mating|other|another|second|base|parent|companion|host|breakout|evaluation|dev(?:elopment)?|main|expansion)[ -]?(?:boards?|pcbs?|cards?)\b|\b(?:fits|mates? with|plugs? into|compatible with|sits on|stacks on)\b`)
	object    = pattern.Lazy(`\b(?:case|enclosure|housing|lid|acrylic|plexiglas?s?|pmma|pla|petg|abs|3d[ -]?print\w*|stencil|spacers?|standoffs?|cable|wires?|stickers?|knobs?|keycaps?|magnets?|gasket|foam|lens|paint|leds?|resistors?|capacitors?|screws?|connectors?)\b`)
	boardWord = pattern.Lazy(`\b(?:pcbs?|boards?|solder ?mask|soldermask|silkscreen|surface finish|fr-?4|copper|enig|hasl|vias?)\b`)
	fileName  = pattern.Lazy(`(?:^|[\s(."'])[\w-]*\.(?:g[a-z]{1,2}\d?|g\d{1,2}|gm\d+|drl|xln|txt|csv|pdf|gbr|ger|art|xlsx?|zip|kicad_\w+|brd|sch|pcbdoc|dxf|step|stp|png|jpe?g|svg|ncdrill|nc|tap|rou|hex|bin|[ch]pp|c|h|py|js|go|html?|md)\b`)
	joint     = pattern.Lazy(`^(?:(?:please|order|make|made|in|at|of|pcbs?|boards?|with|as|to be) ){0,4}\d+(?:[.,]\d+)?\s*(?:mm|mils?|inch|in|")(?: thick)?\.?$`)
)

// wordParts and shortWords are parts of words and words, one of which is in every line that
// says something: most lines of a text are passed over for having none.
var (
	wordParts = append([]string{
		"mask", "resist", "silk", "legend", "finish", "surface", "plating", "coating", "enig", "epig", "immersion", "gold", "hasl", "sn/pb", "pb/sn", "chem", "thick", "layer",
		"stack", "size", "dimension", "copper", "oz", "ounce", "foil", "weight", "material", "laminat", "substrat", "dielectric", "fr4", "fr-4", "fr-1", "fr-2", "cem",
		"rogers", "ro3", "ro4", "isola", "fr408", "fr-408", "370hr", "s1000", "s1141", "it-1", "it1", "kb", "np-1", "tu-", "em-", "vt-4", "megtron", "nelco", "n4000", "arlon", "taconic", "rf-35",
		"tly", "astra", "i-speed", "ispeed", "tera", "ptfe", "teflon", "duroid", "polyimide", "kapton", "alumin", "metal core", "mcpcb", "bt epoxy", "vippo", "resin",
		"tent", "color", "colour", "pcb", " x ", "mm x", "mmx", "logo", "date code", "chamfer", "mouse", "tab", "x-out", "test", "tdr", "coupon", "warpage", "bow and",
	}, markParts()...)
	shortWords = []string{"osp", "hal", "lpi", "cu", "tg", "via", "vias", "ul", "dk", "base", "mask"}
)

// plain gives a line in lower case, without marks of lists and emphasis, in English.
func plain(text string) string {
	s := emphasis.Replace(strings.ToLower(strings.TrimSpace(text)))
	s = link().ReplaceAllString(s, "$1")
	s = s[len(bullet().FindString(s)):]
	return strings.TrimSpace(emphasis.Replace(english(s)))
}

// read finds what one line says.
func (l line) read() reading {
	r := reading{line: l, aside: l.aside}
	s := plain(l.text)
	if s == "" || len(s) > maxLine || !hasAny(s, wordParts...) && !slices.ContainsFunc(shortWords, func(w string) bool { return word(s, w) }) {
		return r
	}
	r.brief = len(strings.Fields(s)) <= 16 && !opening().MatchString(s)
	r.brief = r.brief || orderSentence().MatchString(s)
	r.aside = r.aside || dated().MatchString(s) || revising().MatchString(s) || another().MatchString(s)
	if object().MatchString(s) && !boardWord().MatchString(s) {
		return r
	}
	decided := openSubjects().ReplaceAllString(s, "")
	open := decided != s
	s = insertColon(decided)
	r.statements = marksIn(s)
	if strings.HasSuffix(s, "not required") || strings.HasSuffix(s, "not required.") {
		return r
	}
	if m := perPanel().FindStringSubmatch(s); m != nil {
		if n, _ := strconv.Atoi(m[1]); n > 1 {
			r.statements = append(r.statements, Statement{Topic: PerPanel, Number: n})
		}
	}
	p := parser{items: itemsOf(s)}
	p.run()
	r.statements = append(r.statements, p.statements...)
	r.special = special().MatchString(s) && !fileName().MatchString(s)
	r.unread = (p.unread || open) && !r.aside && !perPanel().MatchString(s) && !fileName().MatchString(s)
	return r
}

// orderSentence begins a sentence that says how to order, whatever follows it.
var orderSentence = pattern.Lazy(`(?:^|[.!] )(?:please )?order(?: it| them| this| these)?(?: the| your)?(?: pcbs?| boards?)? (?:with|in|as|at)\b`)

// special are words that no text has beside a board for another reason than how it is made: what a
// plain board cannot be, and a thickness with its length. A sentence of any text that has them
// and says nothing that is understood is named.
var special = pattern.Lazy(`\b(?:castellat\w*|half[ -]holes?|edge[ -]plat(?:ing|ed)|gold[ -]fingers?|bevel(?:l?ing|l?ed edges?)?|v[ -]?scor(?:e[sd]?|ing)|v[ -]?cuts?|v[ -]?grooves?|(?:blind|buried|micro) ?-?vias?|back[ -]?drill\w*|coverlays?|stiffe?ners?|controlled[ -]impedance|impedance[ -]controlled)\b|\b(?:pcb|board) thickness\b[^.;]{0,40}\d\s*(?:mm|mils?|inch)|\b\d+(?:[.,]\d+)?\s?mm[ -](?:thick[ -])?(?:pcbs?|boards?|fr-?4)\b`)

// isTakenBackIn reports whether a line says that it is without what it names.
func isTakenBackIn(r reading) bool {
	s := plain(r.line.text)
	at := special().FindStringIndex(s)
	return at == nil || isDenied(s[:at[0]], s[at[1]:])
}

// A parser reads the items of a line one by one.
type parser struct {
	items      []string
	statements []Statement
	unread     bool
	last       label  // that the item before it had
	pending    string // a label that waits for its value
	lengths    []int64
	colours    []string
}

func (p *parser) run() {
	stiffener := false
	for _, it := range p.items {
		switch pending := p.pending; {
		case pending == "":
		case strings.HasPrefix(it, "and "), strings.HasPrefix(it, "or "): // the end of a list
			p.pending = ""
		case strings.HasSuffix(it, ":") || labelOf(it).topic != "" || len(marksIn(it)) > 0: // a list of subjects, none of which is the value of another
			p.pending = ""
		default:
			it, p.pending = pending+": "+it, ""
		}
		before := len(p.statements)
		p.item(it)
		if stiffener = stiffener || statesStiffener(it); stiffener {
			p.forgetSheet(before)
		}
	}
	if slices.ContainsFunc(p.items, stackCell().MatchString) {
		p.lengths = nil // of one sheet of the stack
	}
	p.bare()
}

// stackCell is a cell of a table of the stack, which says what a sheet is for.
var stackCell = pattern.Lazy(`^(?:dielectrics?|prepregs?|cores?)$`)

func statesStiffener(it string) bool {
	return slices.ContainsFunc(marksIn(it), func(s Statement) bool { return s.Topic == Topic(pcb.Stiffening) })
}

// forgetSheet takes back what was read of a laminate and its thickness without a label of the
// board's: they are those of the stiffener that the line speaks of.
func (p *parser) forgetSheet(from int) {
	p.statements = append(p.statements[:from], slices.DeleteFunc(p.statements[from:], func(s Statement) bool {
		return !s.Labelled && (s.Topic == Material || s.Topic == Thickness || s.Topic == Topic(pcb.HybridStack))
	})...)
	p.lengths = nil
}

func (p *parser) add(all ...Statement) { p.statements = append(p.statements, all...) }

// item reads one item: a label with its value, or words that name their subject.
func (p *parser) item(it string) {
	before := len(p.statements)
	head, value, found := parseLabel(it)
	l := labelOf(head)
	switch {
	case found && l.topic != "" && value != "":
		p.readLabelled(l, value, it)
		p.last = l
	case l.topic != "" && len(p.items) > 1 && (found && value == "" || !found && labelOf(it).topic != ""):
		p.pending = head
		return
	default:
		if found && value != "" && len(head) < 60 && labelOf(head).topic == "" {
			p.readHeaded(head, value)
		} else {
			p.loose(it)
		}
		if p.last.topic == SilkscreenColour && (len(p.statements) > before || joint().MatchString(it)) {
			p.last = label{} // a colour after it is no silkscreen's
		}
		if len(p.statements) == before {
			p.follow(it)
		}
	}
	if len(p.statements) == before && len(marksIn(it)) == 0 && names(it) {
		p.unread = true
	}
}

// readHeaded reads an item whose label is no subject of its own: that of a list, or of a layer.
func (p *parser) readHeaded(head, value string) {
	if layers := layersNamed(head); len(layers) > 0 && weightWord().MatchString(value) && !dielectric().MatchString(head) {
		p.add(weightsIn(value, label{layers: layers}, true)...)
		return
	}
	before := len(p.statements)
	p.loose(head + ": " + value)
	if len(p.statements) > before {
		return
	}
	if h, v, ok := parseLabel(value); ok && labelOf(h).topic != "" && v != "" {
		p.readLabelled(labelOf(h), v, value)
		return
	}
	p.loose(value)
}

// follow reads an item that goes on with the subject of the one before it: "black top,
// white bottom".
func (p *parser) follow(it string) {
	switch p.last.topic {
	case MaskColour, SilkscreenColour:
		for _, c := range coloursIn(it) {
			p.add(Statement{Topic: p.last.topic, Text: c, Labelled: true, weak: p.last.weak})
		}
	case OuterCopper, InnerCopper, stack:
		p.add(weightsIn(it, p.last, true)...)
	case Material:
		if m := materials().FindString(it); m != "" && !isDenied(it[:strings.Index(it, m)], "") {
			p.add(Statement{Topic: Material, Text: strings.ToUpper(m), Labelled: true})
		}
	}
	if joint().MatchString(it) {
		if v := lengthsIn(it, ""); len(v) == 1 {
			p.lengths = append(p.lengths, v[0])
		}
	}
	if colourOnly().MatchString(it) && p.last.topic != SilkscreenColour {
		p.colours = append(p.colours, coloursIn(it)...)
	}
}

// bare takes lengths and colours that stand by themselves in a list of options.
func (p *parser) bare() {
	strong := slices.ContainsFunc(p.statements, func(s Statement) bool { return !s.weak && !s.Unclear })
	has := func(t Topic) bool {
		return slices.ContainsFunc(p.statements, func(s Statement) bool { return s.Topic == t })
	}
	if !strong || len(p.items) > 12 {
		return
	}
	if len(p.lengths) == 1 && !has(Thickness) && boardThickness(p.lengths[0]) {
		p.add(Statement{Topic: Thickness, Length: p.lengths[0]})
	}
	if len(p.colours) == 1 && !has(MaskColour) {
		p.add(Statement{Topic: MaskColour, Text: p.colours[0]})
	}
}

var (
	innerLabel = pattern.Lazy(`\b(?:(?:inner|outer|internal|external|base|finished|board|pcb|surface|solder|copper|material|final|min(?:imum)?)\s+){0,3}(?:thickness|soldermask|mask|resist|silkscreen|legend|finish|material|laminate|copper|weight|layers|colou?r|vias|impedance)(?:\s+colou?r)?\s*:`)
	colourOnly = pattern.Lazy(`^(?:in )?(?:(?:matte?|glossy|gloss)\s+)?(?:black|white|green|blue|red|yellow|purple|violet)(?:\s+(?:matte?|pcbs?|boards?|colou?r))?\.?$`)
)

// itemsOf parts a line at commas, semicolons, bars, tabs, blank-edged slashes and the ends
// of sentences, and before a label that follows a value. What stands in brackets stays.
func itemsOf(s string) []string {
	var out []string
	depth, begin := 0, 0
	cut := func(end, next int) {
		if it := strings.TrimSpace(s[begin:end]); it != "" {
			out = append(out, it)
		}
		begin = next
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '(' || c == '[':
			depth++
		case (c == ')' || c == ']') && depth > 0:
			depth--
		case depth > 0:
		case c == ';', c == '\t', c == '|', c == '!' && !strings.HasPrefix(s[i:], "!="),
			c == ',' && !decimalComma(s, i),
			c == '.' && strings.HasPrefix(s[i+1:], " ") && !abbreviation().MatchString(s[begin:i]),
			c == '/' && i > 0 && s[i-1] == ' ' && strings.HasPrefix(s[i+1:], " ") && !dielectric().MatchString(s[begin:i]): // thicknesses of sheets stand with slashes between
			cut(i, i+1)
		}
	}
	cut(len(s), len(s))
	var parted []string
	for _, it := range out {
		parted = append(parted, divideItem(it, innerLabel())...)
	}
	return parted
}

var abbreviation = pattern.Lazy(`(?:^|\s)(?:approx|min|max|no|nom|incl|e\.g|i\.e|etc|ca|chem|thk|imm|temp|ref|rev|vs|\d)$`)

// decimalComma reports whether the comma at i is within a number: 0,8 but not "4,0.8".
func decimalComma(s string, i int) bool {
	digit := func(k int) bool { return k >= 0 && k < len(s) && s[k] >= '0' && s[k] <= '9' }
	if !digit(i-1) || !digit(i+1) {
		return false
	}
	k := i + 1
	for digit(k) {
		k++
	}
	return k == len(s) || s[k] != '.'
}

// divideItem cuts an item before each label but the one that it begins with.
func divideItem(it string, labels *regexp.Regexp) []string {
	var out []string
	begin := 0
	for _, at := range labels.FindAllStringIndex(it, -1) {
		if at[0] > begin && strings.ContainsAny(it[begin:at[0]], ":=") && strings.TrimSpace(it[strings.LastIndexAny(it[:at[0]], ":=")+1:at[0]]) != "" {
			out = append(out, strings.TrimSpace(it[begin:at[0]]))
			begin = at[0]
		}
	}
	return append(out, strings.TrimSpace(it[begin:]))
}

var twoColumns = pattern.Lazy(`^([a-z][a-z ./&()-]{1,40}?) {2,}([^ ].*)$`)

// subjectColour is a line of a mask or silkscreen and its colour, and nothing else.
var subjectColour = pattern.Lazy(`^((?:solder ?)?(?:mask|resist)|silk(?: ?screen)?|legend|(?:pcb|board|solder ?mask) colou?r)\s+((?:matte? )?(?:black|white|green|blue|red|yellow|purple))\.?$`)

// insertColon puts a colon between the columns of a line that has two, a subject and a value
// that is known.
func insertColon(s string) string {
	if m := subjectColour().FindStringSubmatch(s); m != nil {
		return m[1] + ": " + m[2]
	}
	m := twoColumns().FindStringSubmatch(s)
	if m == nil || strings.Contains(m[2], "   ") || fileName().MatchString(m[2]) {
		return s
	}
	with := m[1] + ": " + m[2]
	if labelOf(m[1]).topic == "" {
		if len(marksIn(m[1])) > 0 && (nothing().MatchString(m[2]) || word(m[2], "yes")) {
			return with
		}
		return s
	}
	p := parser{items: itemsOf(with)}
	if p.run(); slices.ContainsFunc(p.statements, func(s Statement) bool { return s.Unclear }) {
		return s
	}
	return with
}

var separator = pattern.Lazy(`\s*(?:[:=]+|\s-{1,2}\s|\.{3,}|->)\s*|\s(?:is|are|to be|must be|should be|shall be)\s`)

// inches is a value that ends with the mark of inches behind its number, which is no quotation's.
var inches = pattern.Lazy(`^[^"]*\d"[\s.,:]*$`)

// parseLabel parts an item at the first separator of a label and its value.
func parseLabel(it string) (head, value string, ok bool) {
	at := separator().FindStringIndex(it)
	if at == nil || at[0] == 0 {
		return it, "", false
	}
	const around = " \t.,:\"'"
	value = strings.Trim(it[at[1]:], around)
	if rest := strings.TrimLeft(it[at[1]:], around); inches().MatchString(rest) {
		value = strings.TrimRight(rest, " \t.,:")
	}
	return strings.TrimSpace(it[:at[0]]), value, true
}

// A label is the subject that words before a value name.
type label struct {
	topic  Topic
	unit   string // of the value, where the label names it
	weak   bool   // it may be of something else than a board
	sides  string // "top" or "bottom", of one that speaks of a side
	counts bool   // a number alone behind it is one of layers
	broad  bool   // it may begin a sentence on anything: a value that is none asks nothing
	layers []int
}

// filler are words of labels that do not tell their subject.
var filler = func() map[string]bool {
	out := map[string]bool{}
	for _, w := range strings.Fields(`pcb board boards the our your final finished total overall target desired required preferred nominal type name spec
		option selection value of in on for top bottom both side sides front back fab fabrication order ordered outer inner external internal and all layer's ink lpi pads pad process treatment`) {
		out[w] = true
	}
	return out
}()

// labels are subjects by what is left of a label without its filler.
var labels = map[string]label{
	"solder mask": {topic: MaskColour}, "soldermask": {topic: MaskColour}, "solder resist": {topic: MaskColour}, "solderresist": {topic: MaskColour},
	"solder stop": {topic: MaskColour}, "solder stop mask": {topic: MaskColour}, "mask": {topic: MaskColour}, "resist": {topic: MaskColour},
	"colour":     {topic: MaskColour, weak: true},
	"silkscreen": {topic: SilkscreenColour}, "silk screen": {topic: SilkscreenColour}, "silk": {topic: SilkscreenColour}, "legend": {topic: SilkscreenColour},
	"surface finish": {topic: Finish}, "surface": {topic: Finish, weak: true}, "finish": {topic: Finish, weak: true}, "surface plating": {topic: Finish},
	"plating": {topic: Finish, weak: true}, "coating": {topic: Finish, weak: true}, "finishing": {topic: Finish, weak: true}, "copper finish": {topic: Finish},
	"thickness": {topic: Thickness, weak: true}, "thick": {topic: Thickness, weak: true},
	"material": {topic: Material, weak: true}, "base material": {topic: Material}, "laminate": {topic: Material}, "substrate": {topic: Material, weak: true},
	"base": {topic: Material, weak: true}, "core material": {topic: Material, weak: true}, "dielectric material": {topic: Material}, "dielectric": {topic: Material, weak: true},
	"copper": {topic: OuterCopper}, "copper weight": {topic: OuterCopper}, "copper thickness": {topic: OuterCopper}, "cu": {topic: OuterCopper}, "cu weight": {topic: OuterCopper},
	"cu thickness": {topic: OuterCopper}, "copper foil": {topic: OuterCopper}, "foil": {topic: OuterCopper, weak: true}, "oz copper": {topic: OuterCopper}, "base copper": {topic: OuterCopper},
	"copper layers": {topic: OuterCopper, counts: true}, "weight": {topic: OuterCopper, weak: true}, "copper foil thickness": {topic: OuterCopper}, "layers": {topic: Layers},
	"layer":       {topic: OuterCopper, weak: true},
	"layer count": {topic: Layers}, "layers count": {topic: Layers}, "number layers": {topic: Layers}, "no layers": {topic: Layers}, "number copper layers": {topic: Layers},
	"copper layer count": {topic: Layers}, "layer number": {topic: Layers}, "layers number": {topic: Layers},
	"via": {topic: ViaProcess}, "vias": {topic: ViaProcess}, "via covering": {topic: ViaProcess}, "via protection": {topic: ViaProcess}, "via tenting": {topic: ViaProcess},
	"tenting": {topic: ViaProcess}, "via filling": {topic: ViaProcess}, "via plugging": {topic: ViaProcess}, "via fill": {topic: ViaProcess}, "via holes": {topic: ViaProcess},
	"size": {topic: Width}, "dimensions": {topic: Width}, "panel size": {topic: Panel}, "panel dimensions": {topic: Panel},
	"tg": {topic: transition}, "minimum tg": {topic: transition}, "min tg": {topic: transition}, "min. tg": {topic: transition}, "glass transition": {topic: transition}, "glass transition temperature": {topic: transition},
	"stackup": {topic: stack}, "layer stack": {topic: stack}, "stack": {topic: stack}, "layer stackup": {topic: stack}, "stack up": {topic: stack},
}

// stack is the subject of a list of layers.
const stack Topic = "stack"

var (
	bracketed = pattern.Lazy(`\s*[(\[][^)\]]*[)\]]`)
	unitWord  = pattern.Lazy(`\b(mm|mils?|inch(?:es)?|um|oz)\b`)
)

// labelOf finds the subject of a label.
func labelOf(head string) label {
	unit := unitWord().FindString(head)
	if strings.EqualFold(strings.Trim(head, " .:#*-"), "layer(s)") {
		head = "layers"
	}
	head = bracketed().ReplaceAllString(head, "")
	if len(head) > 60 {
		return label{}
	}
	var kept []string
	inner, outer, side, coloured := false, false, "", false
	for _, w := range strings.Fields(strings.Trim(head, " .:#*-")) {
		switch w = strings.Trim(w, ".,'\""); w {
		case "inner", "internal":
			inner = true
		case "outer", "external":
			outer = true
		case "top", "bottom":
			side = w
		case "color", "colour", "colors", "colours":
			coloured = true
			continue
		case "mm", "mil", "mils", "inch", "um":
			continue
		}
		if !filler[w] {
			kept = append(kept, w)
		}
	}
	words := strings.Join(kept, " ")
	switch {
	case words == "" && coloured:
		words = "colour"
	case words == "" && strings.Contains(head, "lpi"):
		words = "solder mask"
	}
	l := labels[words]
	if words == "layers" && (inner || outer) || l.topic == OuterCopper && words == "layer" && !inner && !outer {
		if words == "layer" {
			return label{}
		}
		l = label{topic: OuterCopper, broad: true}
	}
	if l.topic == OuterCopper && inner && !outer {
		l.topic = InnerCopper
	}
	if strings.Contains(head, "pcb") || strings.Contains(head, "board") {
		l.weak = false
	}
	l.unit, l.sides = unit, side
	return l
}
