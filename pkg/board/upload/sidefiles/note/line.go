package note

import (
	"strconv"
	"strings"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/internal/pattern"
)

var (
	layersAfter  = pattern.Lazy(`\b(\d{1,2})[ -]?layers?\b(?: (?:pcb|board)s?)?`)
	layersBefore = pattern.Lazy(`\b(?:number of )?(?:copper )?layers?(?: count)?\s*[:=,]\s*(\d{1,2})\b`)
	lengthWord   = pattern.Lazy(`(\d+(?:[.,]\d+)?)\s*(mm|mils?|inch(?:es)?|in\b|"|thou)`)
	sizeWords    = pattern.Lazy(`(\d+(?:\.\d+)?)\s*(mm|mils?|inch(?:es)?|")?\s*[x×*]\s*(\d+(?:\.\d+)?)\s*(mm|mils?|inch(?:es)?|")`)
	ounceWord    = pattern.Lazy(`\b(\d(?:\.\d+)?)\s*oz\b`)
	halfOunce    = pattern.Lazy(`\b(?:1/2|½)\s*oz\b`)
	perPanel     = pattern.Lazy(`(?:pcs|pieces|boards|units)\s*(?:per|a|/)\s*panel\s*[:=,]?\s*(\d{1,4})`)
	finishes     = pattern.Lazy(`\b(enepig|enig|hard gold|immersion (?:gold|silver|tin)|immersion-(?:gold|silver|tin)|osp|(?:lead[- ]?free |leaded )?hasl(?:[- ]lead[- ]?free|[- ]lf)?|electroless nickel[ /]immersion gold)\b`)
	materials    = pattern.Lazy(`\b(isola [a-z0-9-]+|fr-?408(?:hr)?|370hr|s1000-?2m?|s1141|it-?180a?|tg ?1[3-9]0|rogers ?[a-z]*\d{4}[a-z]?|ro\d{4}[a-z]?|polyimide|alumini?um(?: core)?|fr-?4(?: tg ?1[3-9]0)?)\b`)
	viaWords     = pattern.Lazy(`\b(tented|plugged|filled|capped|via[- ]in[- ]pad|epoxy)\b`)
)

var colours = []string{
	"matte black", "matt black", "matte green", "matt green", "black", "white", "green", "blue", "red", "yellow", "purple", "violet", "transparent", "clear", "orange",
}

// statements finds what one line, in lower case, says.
func statements(s string) []Statement {
	out := Marks(s)
	if strings.HasPrefix(s, "no ") || strings.Contains(s, "not required") {
		return out
	}
	add := func(v Statement, ok bool) {
		if ok {
			out = append(out, v)
		}
	}
	add(layers(s))
	add(thickness(s))
	out = append(out, size(s)...)
	add(colour(s))
	add(finish(s))
	out = append(out, copper(s)...)
	add(material(s))
	add(viaProcess(s))
	if m := perPanel().FindStringSubmatch(s); m != nil {
		n, _ := strconv.Atoi(m[1])
		add(Statement{Topic: PerPanel, Number: n}, n > 1)
	}
	return out
}

func layers(s string) (Statement, bool) {
	m := layersBefore().FindStringSubmatch(s)
	if m == nil {
		m = layersAfter().FindStringSubmatch(s)
	}
	if m == nil {
		return Statement{}, false
	}
	n, _ := strconv.Atoi(m[1])
	return Statement{Topic: Layers, Number: n}, n >= 1 && n <= 64
}

// thickness takes lines on the board's own, not on that of copper or mask.
func thickness(s string) (Statement, bool) {
	if !strings.Contains(s, "thick") || hasAny(s, "copper", "mask", "prepreg", "core", "foil", "stencil", "trace", "track", "pairs", "line") {
		return Statement{}, false
	}
	m := lengthWord().FindStringSubmatch(s)
	if m == nil {
		return Statement{}, false
	}
	nm := length(m[1], m[2])
	return Statement{Topic: Thickness, Length: nm}, nm >= 100*geom.Micrometre && nm <= 10*geom.Millimetre
}

func size(s string) []Statement {
	m := sizeWords().FindStringSubmatch(s)
	if m == nil || hasAny(s, "hole", "pad", "drill", "space", "package") {
		return nil
	}
	w, h := length(m[1], m[4]), length(m[3], m[4])
	if min(w, h) < 2*geom.Millimetre || max(w, h) > 2000*geom.Millimetre {
		return nil
	}
	if strings.Contains(s, "panel") {
		return []Statement{{Topic: Panel}}
	}
	return []Statement{{Topic: Width, Length: w}, {Topic: Height, Length: h}}
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
	}
	return geom.Inches(v)
}

func colour(s string) (Statement, bool) {
	topic := Topic("")
	switch {
	case hasAny(s, "solder mask", "soldermask", "solder resist", "solder-mask"):
		topic = MaskColour
	case hasAny(s, "silkscreen", "silk screen", "legend"):
		topic = LegendColour
	default:
		return Statement{}, false
	}
	for _, c := range colours {
		if word(s, c) {
			return Statement{Topic: topic, Text: strings.Replace(c, "matt ", "matte ", 1)}, true
		}
	}
	return Statement{}, false
}

func finish(s string) (Statement, bool) {
	m := finishes().FindString(s)
	if m == "" || hasAny(s, "no "+m, "not "+m) {
		return Statement{}, false
	}
	switch {
	case strings.Contains(m, "hasl") && hasAny(s, "lead free", "lead-free", "leadfree", "lf"):
		m = "HASL lead free"
	case strings.Contains(m, "electroless"):
		m = "ENIG"
	case strings.Contains(m, "hasl"), m == "enig", m == "enepig", m == "osp":
		m = strings.ToUpper(m)
	}
	return Statement{Topic: Finish, Text: m}, true
}

func copper(s string) []Statement {
	if !hasAny(s, "copper", "cu ", "oz") {
		return nil
	}
	v := 0.0
	if m := ounceWord().FindStringSubmatch(s); m != nil {
		v, _ = strconv.ParseFloat(m[1], 64)
	} else if halfOunce().MatchString(s) {
		v = 0.5
	}
	if v <= 0 || v > 9 {
		return nil
	}
	if hasAny(s, "inner", "internal") && !hasAny(s, "outer", "all") {
		return []Statement{{Topic: InnerCopper, Ounces: v}}
	}
	return []Statement{{Topic: OuterCopper, Ounces: v}}
}

func material(s string) (Statement, bool) {
	m := materials().FindString(s)
	if m == "" || strings.HasPrefix(m, "tg") && !hasAny(s, "material", "laminate", "fr") {
		return Statement{}, false
	}
	return Statement{Topic: Material, Text: strings.ToUpper(m)}, true
}

func viaProcess(s string) (Statement, bool) {
	if !word(s, "via") && !word(s, "vias") {
		return Statement{}, false
	}
	said := map[string]bool{}
	for _, at := range viaWords().FindAllStringIndex(s, 8) {
		said[s[at[0]:at[1]]] = !isDenied(s[:at[0]], s[at[1]:])
	}
	inPad := said["via in pad"] || said["via-in-pad"]
	filled := said["filled"] || said["epoxy"] || inPad
	text := ""
	switch { // what goes farther includes what goes less far
	case filled && said["capped"] && strings.Contains(s, "copper"):
		text = "copper_paste_filled_capped"
	case filled && said["capped"], inPad:
		text = "filled and capped"
	case filled:
		text = "filled"
	case said["capped"]:
		text = "capped"
	case said["plugged"]:
		text = "plugged"
	case said["tented"]:
		text = "tented"
	}
	return Statement{Topic: ViaProcess, Text: text}, text != ""
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
