package classify

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
)

// splitWords takes a name apart at separators, at changes from lower to upper
// case and between letters and digits; the words are lower case.
func splitWords(name string) []string {
	var out []string
	var cur []rune
	flush := func() {
		if len(cur) > 0 {
			out = append(out, strings.ToLower(string(cur)))
			cur = cur[:0]
		}
	}
	prev := rune(0)
	for _, c := range name {
		switch {
		case !unicode.IsLetter(c) && !unicode.IsDigit(c):
			flush()
		case unicode.IsUpper(c) && unicode.IsLower(prev),
			unicode.IsDigit(c) != unicode.IsDigit(prev) && len(cur) > 0:
			flush()
			cur = append(cur, c)
		default:
			cur = append(cur, c)
		}
		prev = c
	}
	flush()
	return joinParts(joinBackDrills(joinScores(out)))
}

// joinBackDrills makes one word of "back drilling" and of "Back_Drill_L6-L3". Back_Drill
// alone may be the drills as seen from the back.
func joinBackDrills(words []string) []string {
	for i := 0; i+1 < len(words); i++ {
		layers := i+2 < len(words) && (words[i+2] == "l" || digits(words[i+2]))
		if words[i] != "back" || words[i+1] != "drilling" && words[i+1] != "drilled" && !(strings.HasPrefix(words[i+1], "drill") && layers) {
			continue
		}
		words = slices.Delete(words, i, i+1)
		words[i] = "backdrill"
	}
	return words
}

// joinParts makes one word of what tells of parts rather than of the board: "3D Body",
// "Component Outline".
func joinParts(words []string) []string {
	for i := 0; i+1 < len(words); i++ {
		switch words[i] + " " + words[i+1] {
		case "d body", "d bodies", "d shell":
			if i > 0 && words[i-1] == "3" {
				words = slices.Delete(words, i-1, i+1)
				words[i-1] = "3dbody"
			}
		case "component outline", "component outlines", "component center", "component centers", "component body", "component bodies",
			"package outline", "package outlines", "part outline", "part outlines", "body outline", "body outlines":
			words = slices.Delete(words, i, i+1)
			words[i] = "partoutline"
		}
	}
	return words
}

// joinScores makes one word of "V-Cut", "V_score" and their like.
func joinScores(words []string) []string {
	for i := 0; i+1 < len(words); i++ {
		if words[i] != "v" {
			continue
		}
		switch words[i+1] {
		case "cut", "cuts", "cutting", "score", "scores", "scor", "scored", "scoring", "groove", "grooves", "grove":
			words = slices.Delete(words, i, i+1)
			words[i] = "vcut"
		}
	}
	return words
}

// recogniseWords reads the words of a name. Words the dictionary does not hold are
// split into words that it does, as in topsoldermask.
func recogniseWords(words []string) (known []string, rest []string) {
	for _, w := range words {
		if _, ok := senses[w]; ok || shorthand[w].Role != pcb.RoleUnknown {
			known = append(known, w)
		} else if parts := segment(w); parts != nil {
			known = append(known, parts...)
		} else if parts := parseSideLetter(w); parts != nil {
			known = append(known, parts...)
		} else {
			rest = append(rest, w)
		}
	}
	return known, rest
}

// parseSideLetter takes the T or B off a word that names a role: silkt, bassy.
func parseSideLetter(w string) []string {
	const least = 4 // letters of the role
	sides := map[byte]string{'t': "top", 'b': "bottom"}
	n := len(w) - 1
	if n < least {
		return nil
	}
	if side := sides[w[n]]; side != "" && senses[w[:n]]&saysLaidOn != 0 {
		return []string{w[:n], side}
	}
	if side := sides[w[0]]; side != "" && senses[w[1:]]&saysLaidOn != 0 {
		return []string{side, w[1:]}
	}
	return nil
}

// laidOn are words that are told from any other, also with letters before them: the
// name of a plot or a board, as in ensilkscreen_top. What is named by a side as well
// may be shorter.
var laidOn = []string{"silkscreen", "soldermask", "solderpaste", "pastemask", "stopmask", "courtyard", "outline", "profile"}
var laidOnSide = []string{"copper", "overlay", "legend", "paste", "silk", "mask", "assy"}

// endsIn is the role word that one of the words ends in or begins with; "" for none.
func endsIn(words []string, sided bool) string {
	look := laidOn
	if sided {
		look = slices.Concat(laidOn, laidOnSide)
	}
	for _, role := range look {
		for _, w := range words {
			if strings.HasSuffix(w, role) || strings.HasPrefix(w, role) {
				return role
			}
		}
	}
	return ""
}

// segment splits a run-together word into dictionary words of three letters or
// more; nil when that leaves a remainder.
func segment(w string) []string {
	if len(w) < 6 || len(w) > 40 {
		return nil
	}
	best := make([][]string, len(w)+1)
	best[0] = []string{}
	for end := 3; end <= len(w); end++ {
		for start := 0; start <= end-3; start++ {
			if _, ok := senses[w[start:end]]; !ok || best[start] == nil {
				continue
			}
			if best[end] == nil || len(best[start])+1 < len(best[end]) {
				best[end] = append(slices.Clone(best[start]), w[start:end])
			}
		}
	}
	return best[len(w)]
}

// padsName has three digits for the layer, or two where people gave planes such names in
// other tools.
var padsName = pattern.Lazy(`^(?:(art|pln|pgp|sst|ssb|smd|sm|dd|adt|adb|drl)(\d{3})(\d{3})?|(pln|pgp)(\d{2}))$`)

// padsNameEvidence reads the names that PADS gives by itself: a kind, the electrical
// layer and the number of the documentation layer.
func padsNameEvidence(stem string) (Evidence, bool) {
	m := padsName().FindStringSubmatch(strings.ToLower(stem))
	if m == nil {
		return Evidence{}, false
	}
	w := Evidence{Weight: weightName + 1, Why: "name as PADS gives it"}
	kind := m[1] + m[4]
	layer, _ := strconv.Atoi(m[2] + m[5])
	w.Side = pcb.Top
	switch m[3] {
	case "022", "028", "029", "030", "122", "128", "129", "130": // documentation layers of the bottom side; 100 more where a design has over 30 layers
		w.Side = pcb.Bottom
	}
	switch kind {
	case "art", "pln", "pgp":
		w.Role, w.Order, w.Side = pcb.RoleCopper, layer, pcb.Inner
		if layer == 1 {
			w.Side = pcb.Top
		}
	case "sst", "ssb":
		w.Role = pcb.RoleSilk
		if kind == "ssb" {
			w.Side = pcb.Bottom
		}
	case "sm":
		w.Role = pcb.RoleMask
	case "smd":
		w.Role = pcb.RolePaste
	case "adt", "adb":
		w.Role = pcb.RoleAssembly
	default:
		w.Role, w.Side = pcb.RoleDrillDrawing, pcb.NoSide
	}
	return w, layer > 0
}

// padsPlane tells whether a file is called as PADS calls planes, which it plots as
// negatives.
func padsPlane(stem string) bool {
	m := padsName().FindStringSubmatch(strings.ToLower(stem))
	return m != nil && m[1]+m[4] == "pgp"
}

// joinWords puts words together that mean something only as one: "metal mask", and
// what a capital letter took apart, as in CrtYd.
func joinWords(words []string) []string {
	for i := len(words) - 1; i > 0; i-- {
		one := words[i-1] + words[i]
		if len(one) > 4 && senses[one] != 0 && (senses[words[i-1]] == 0 || senses[words[i]] == 0) {
			words = slices.Concat(words[:i-1], []string{one}, words[i+1:])
		}
	}
	return words
}

// wordsEvidence is what the words of a name say about the role.
func wordsEvidence(words []string, why string) (Evidence, bool) {
	known, rest := recogniseWords(joinWords(words))
	var all sense
	w := Evidence{Weight: weightName, Why: why}
	odd, aside := pcb.RoleUnknown, pcb.RoleUnknown
	var short Evidence
	if role := endsIn(rest, hasWord(known, sideWords...)); role != "" && !slices.ContainsFunc(known, saysMore) {
		known, w.Weight = append(known, role), weightName-0.5
	}
	for _, k := range known {
		if s, ok := shorthand[k]; ok && senses[k] == 0 {
			short = s
		}
		all |= senses[k]
		if r, ok := oddRoles[k]; ok {
			odd = r
		}
		if r, ok := asideRoles[k]; ok {
			aside = r
		}
	}
	if short.Role != pcb.RoleUnknown && all&saysRole == 0 && odd == pcb.RoleUnknown {
		w.Role, w.Side = short.Role, short.Side
		return w, true
	}
	w.Side = sideOf(all)
	if side := sideBesideRole(words); all&saysTop != 0 && all&saysBottom != 0 && side != 0 {
		all = all&^(saysTop|saysBottom) | side
		w.Side = sideOf(all)
	}
	if w.Side == pcb.NoSide && all&(saysMask|saysPaste|saysSilk) != 0 && words[len(words)-1] == "a" {
		w.Side = pcb.Top // sides called A and B
	}
	if w.Side == pcb.NoSide && all&(saysLaidOn) != 0 && words[len(words)-1] == "t" {
		w.Side, all = pcb.Top, all|saysTop // SilkT beside SilkB
	}
	number, absolute := layerNumber(words)
	if absolute && number > 1 && all&saysRole == 0 && coreSide().MatchString(strings.Join(words, " ")) && !hasWord(known, sideWords...) {
		w.Side, all = pcb.NoSide, all&^(saysTop|saysBottom)|saysCopper
	}
	if n := eagleRoute(words); n > 0 && all&saysRole == saysOutline {
		w.Role, w.Side, w.Order = pcb.RoleCopper, pcb.Inner, n
		return w, true
	}
	if all&saysRole == saysOutline && all&(saysTop|saysBottom|saysInner) != 0 && !slices.ContainsFunc(known, func(k string) bool { return senses[k] == saysOutline && k != "routing" }) {
		all = all&^saysOutline | saysCopper // PADS calls what it routes so; no cut has a side
	}
	switch {
	case all&saysDrawing != 0 && all&saysDrill != 0:
		w.Role = pcb.RoleDrillDrawing
	case all&saysAssembly != 0:
		w.Role = pcb.RoleAssembly
	case all&saysDrawing != 0:
		w.Role = pcb.RoleFabDrawing
	case odd != pcb.RoleUnknown && !(odd == pcb.RoleKeepOut && all&saysOutline != 0):
		w.Role = odd
	case all&saysPaste != 0:
		w.Role = pcb.RolePaste
	case all&saysMask != 0:
		w.Role = pcb.RoleMask
	case all&saysSilk != 0:
		w.Role = pcb.RoleSilk
	case all&saysOutline != 0:
		w.Role, w.Side = pcb.RoleOutline, pcb.NoSide
	case all&saysDrill != 0:
		w.Role, w.Side = pcb.RoleDrill, pcb.NoSide
		w.Plating = platingOf(words)
	case all&saysSolder != 0 && all&(saysTop|saysBottom) != 0 && all&(saysCopper|saysLayer) == 0:
		w.Role, w.Weight = pcb.RoleMask, weightName-1
	case aside != pcb.RoleUnknown && all&(saysCopper|saysInner) == 0:
		w.Role = aside
	case all&(saysCopper|saysInner|saysLayer|saysTop|saysBottom) != 0:
		w, ok := copperWords(w, all, number, absolute)
		if w.Order == 0 && w.Side != pcb.Inner && all&saysCopper == 0 && len(rest) > 0 {
			w.Weight = min(w.Weight, weightHint+1) // "Top Shell Layer" is not the top layer for certain
		}
		return w, ok
	default:
		return w, false
	}
	return w, true
}

// coreSide is a number with the side of the core that the layer lies on, as fabricators call films:
// L2T and L3B are within a board of four layers.
var coreSide = pattern.Lazy(`(?:^| )(?:l|lyr|lay|layer) 0*\d{1,2} ?[tb]$`)

// sideWords are the words that name a side and nothing else.
var sideWords = []string{"top", "bottom", "bot", "front", "back"}

// saysMore tells whether a word says anything but a side.
func saysMore(w string) bool {
	return senses[w]&^(saysTop|saysBottom|saysFill|saysLayer) != 0 || shorthand[w].Role != pcb.RoleUnknown
}

func sideOf(all sense) pcb.Side {
	switch {
	case all&saysTop != 0 && all&saysBottom == 0:
		return pcb.Top
	case all&saysBottom != 0:
		return pcb.Bottom
	case all&saysSolder != 0 && all&saysCopper != 0:
		return pcb.Bottom
	}
	return pcb.NoSide
}

// sideBesideRole is the side that stands next to what a layer is for, where a name has both:
// F_Cu of a board that is called bottom plate. 0 where that tells none, or two.
func sideBesideRole(words []string) (side sense) {
	const role = saysLaidOn | saysCopper | saysLayer | saysDrawing | saysOdd
	var stated []sense // word by word; 0 for what is not known
	for _, w := range joinWords(words) {
		known, _ := recogniseWords([]string{w})
		for _, k := range known {
			stated = append(stated, senses[k])
		}
		if len(known) == 0 {
			stated = append(stated, 0)
		}
	}
	for i, s := range stated {
		if i > 0 && stated[i-1]&role != 0 || i+1 < len(stated) && stated[i+1]&role != 0 {
			side |= s & (saysTop | saysBottom)
		}
	}
	if side == saysTop|saysBottom {
		return 0
	}
	return side
}

// copperWords judges names that can only be copper, if anything.
func copperWords(w Evidence, all sense, number int, absolute bool) (Evidence, bool) {
	w.Role, w.SideSaid = pcb.RoleCopper, w.Side != pcb.NoSide
	switch {
	case number > 0 && absolute:
		w.Order = number
		if !w.SideSaid {
			w.Side = pcb.Inner
			if number == 1 {
				w.Side = pcb.Top
			}
		}
	case all&saysWithin != 0 && all&(saysCopper|saysLayer) != 0 && w.Side != pcb.NoSide: // F_Inner_Cu, Inner_Copper_B
		w.Rank = 1
		if w.Side == pcb.Bottom {
			w.Rank = 2
		}
		w.Side = pcb.Inner
	case w.Side == pcb.NoSide:
		w.Side, w.Rank = pcb.Inner, float64(number)
		if all&saysCopper == 0 {
			w.Weight = weightHint
		}
		if all&(saysInner|saysCopper) == 0 && number == 0 {
			return w, false // a lone "layer" says nothing
		}
	case all&(saysCopper|saysLayer) == 0:
		w.Weight = weightHint + 1
	}
	return w, true
}

var routeNumber = pattern.Lazy(`(?:^| )route 0*([2-9]|1[0-5])$`)

// eagleRoute gives the number of an inner layer that is called as EAGLE calls it:
// Route2 to Route15. Route alone is where the board is cut.
func eagleRoute(words []string) int {
	n := 0
	if m := routeNumber().FindStringSubmatch(strings.Join(words, " ")); m != nil {
		n, _ = strconv.Atoi(m[1])
	}
	return n
}

// platingOf reads the plating of a drill file from its name.
func platingOf(words []string) pcb.Plating {
	s := " " + strings.Join(words, " ") + " "
	for _, t := range []string{" npth ", " non plated ", " nonplated ", " unplated ", " nplt ", " notplated ", " np ", " mech "} {
		if strings.Contains(s, t) {
			return pcb.NonPlated
		}
	}
	for _, t := range []string{" pth ", " plated ", " plt ", " via "} {
		if strings.Contains(s, t) {
			return pcb.Plated
		}
	}
	return pcb.PlatingUnknown
}
