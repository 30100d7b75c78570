package note

import (
	"regexp"
	"slices"
	"strings"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
)

// A mark is a topic that words alone state: that they are there is what they say.
type mark struct {
	topic Topic
	words func() *regexp.Regexp
	// plain marks words that mean nothing but the work on a board, so that one line of
	// notes is enough.
	plain bool
	parts []string // of words, one of which is in every line that states it
}

var marks = []mark{
	{Impedance, pattern.Lazy(`\bcontrol\w*[ -]+impedance\b|\bimpedances?\b.*\bcontrol|\bcontrol.*\bimpedance|\bimpedances?\b.*\d\s*(?:ohms?\b|ω)|\d\s*(?:ohms?\b|ω).*\bimpedances?\b|\b\d{2,3}\s*-?(?:ohms?\b|ω)\s*(?:\+/?-\s*\d+\s*%\s*)?(?:single[ -]?ended|differential|diff\b|microstrip|stripline|coplanar|traces?\b|tracks?\b|pairs?\b)|\b(?:traces?|tracks?|lines?|widths?|spaces?|spacing|gaps?)\s*=\s*\d{2,3}\s*-?(?:ohms?\b|ω)`), false, []string{"imped", "ohm", "ω"}},
	{EdgePlating, pattern.Lazy(`\bedge[ -]?plat(?:ing|ed)\b|\bplated (?:board )?edges?\b|\bside ?wall plating\b|\bedge metalli[sz]ation\b`), false, []string{"plat", "metalli"}},
	{Castellations, pattern.Lazy(`\bcastellat|\b(?:plated )?half[ -](?:cut )?(?:holes?|vias?)\b`), false, []string{"castell", "half"}},
	{GoldFingers, pattern.Lazy(`\bgold[ -]?fingers?\b|\bedge connector bevel|\bbevell?ed edges?\b|\bhard gold\b.*\bfingers?\b`), false, []string{"finger", "bevel"}},
	{Bevel, pattern.Lazy(`\bbevel\w*\b.{0,30}\b(?:fingers?|contacts?|edge connectors?|card edges?)\b|\b(?:fingers?|contacts?|edge connectors?|card edges?)\b.{0,30}\b(?:bevel|chamfer)|\b(?:20|30|45) ?(?:°|deg(?:rees?)?\.?)[ -]*(?:bevel|chamfer\w* (?:on|of|for) (?:the )?(?:gold )?(?:fingers?|contacts?|edge connectors?))|\bbevel\w*[^.;,]{0,30}\b(?:20|30|45) ?(?:°|deg(?:rees?)?\b)|\bbevel(?:ling|ing)?\s*[:=]\s*yes\b|\bchamfered edges?\b[^.;,]{0,10}\b(?:20|30|45)\b|\b(?:20|30|45) ?(?:°|deg(?:rees?)?\.?)[ -]*chamfered edges?\b`), false, []string{"bevel", "chamfer"}},
	{Flex, pattern.Lazy(`\bflex(?:ible)? (?:pcb|circuit|board)|\bfpc (?:board|thickness)\b|\b(?:polyimide|kapton) flex(?:ible)?\b`), false, []string{"flex", "fpc"}},
	{PanelWanted, pattern.Lazy(`\bpaneli[sz]e\b|\b(?:deliver|ship|supply|make|build|order|provide)(?:ed|s)? (?:\w+ ){0,2}(?:in|as|on) (?:a )?panels? of\b|\bpanels? of \d+\b|\bpaneli[sz]ation\s*[:=]\s*(?:yes|\d)|\bpanel\s*[:=]\s*(?:yes|\d+\s*x\s*\d+)`), false, []string{"panel"}},
	{Panel, pattern.Lazy(`\bpaneli[sz](?:ed|ation)\b|\bpanel size\b|\bdelivered in panels?\b|\bpanel by (?:the )?customer\b|\bdifferent designs?\s*[:=]\s*(?:[2-9]|[1-9]\d)\b`), false, []string{"panel", "different design"}},
	{BlindVias, pattern.Lazy(`\b(?:blind|buried|micro|laser)(?:[ -]?(?:/|,|and|or|&)[ -]?(?:blind|buried|micro|laser))*[ -]?(?:vias?|holes)\b|\bmicro-?vias?\b|\bhdi\b`), false, []string{"blind", "buried", "micro", "laser", "hdi"}},
	{Topic(pcb.BackDrilling), pattern.Lazy(`\bback[ -]?drill(?:ing|ed|s)?\b`), true, []string{"drill"}},
	{Topic(pcb.Stiffening), pattern.Lazy(`\bstiffe?ners?\b`), true, []string{"stiff"}},
	{Topic(pcb.Coverlaying), pattern.Lazy(`\bcoverlays?\b|\bcover[ -](?:lay|film)\b`), true, []string{"cover"}},
	{Topic(pcb.RigidFlex), pattern.Lazy(`\brigid[ -]?flex\b|\bflex[ -]rigid\b`), true, []string{"flex"}},
	{Topic(pcb.SemiFlex), pattern.Lazy(`\bsemi[ -]?flex(?:ible)?\b`), true, []string{"flex"}},
	{Topic(pcb.CarbonPrinting), pattern.Lazy(`\bcarbon[ -](?:ink|print|printed|printing|mask|paste|contacts?|pads?|keys?)\b`), true, []string{"carbon"}},
	{Topic(pcb.PeelableMasking), pattern.Lazy(`\bpeel(?:able|[ -]off)[ -](?:solder ?)?(?:mask|resist|coating|ink|lacquer)\b|\bpeelables?\b`), true, []string{"peel"}},
	{Topic(pcb.DepthRouting), pattern.Lazy(`\b(?:controlled[ -]depth|depth[ -]controlled|z[ -]axis|depth)[ -](?:mill|rout|drill)|\bcounter[ -]?(?:bor|sink|sunk)\w*\s+(?:\w+\s+){0,2}holes?\b|\bholes?\b.*\bcounter[ -]?(?:bor|sunk)|\bcounter[ -]?(?:bor|sink)\w*\s*(?:[:=,(]|\d|m\d|on\b|from\b|required\b|$)|\bcavit(?:y|ies)\b.*\b(?:depth|deep|mill\w*|rout\w*|mm|mils?|layers?|l\d)\b|\b(?:mill\w*|rout\w*) cavit|\bblind slots?\b`), false, []string{"depth", "axis", "counter", "cavit", "blind"}},
	{Topic(pcb.PressFitting), pattern.Lazy(`\bpress[ -]?fit (?:holes?|pins?|connectors?|contacts?|vias?|tolerances?)\b`), false, []string{"press"}},
	{Topic(pcb.EmbeddedParts), pattern.Lazy(`\b(?:embedded|buried) (?:components?|resistors?|capacitors?|passives?)\b`), false, []string{"embedded", "buried"}},
	{Topic(pcb.SelectiveFinish), pattern.Lazy(`\bselective(?:ly)? (?:\w+ )?(?:gold|plat\w+|finish\w*|enig|nickel)\b|\bhard[ -]gold (?:\w+ ){0,2}(?:on|for|over|at) (?:\w+ ){0,2}(?:fingers?|contacts?|pads?|edges?|keys?)\b`), false, []string{"selective", "gold"}},
	{Topic(pcb.HeatSinking), pattern.Lazy(`\bcopper coins?\b|\bheat ?sinks? (?:bonded|laminated|attached to the (?:pcb|board))\b|\bbonded heat ?sinks?\b`), false, []string{"coin", "sink"}},
	{Topic(pcb.HigherClass), pattern.Lazy(`\bipc\b[^,;]{0,30}\bclass[ -]?(?:3|iii)a?\b|\bipc-?(?:6012|6013|a-?600)[a-z]?[ /-]*(?:3|iii)\b|^class\s*[:=]?\s*(?:3|iii)a?\b|\bclass[ -]?(?:3|iii)a? (?:board|pcb|per|to|acc\w*)\b`), false, []string{"class", "ipc"}},
	{Topic(pcb.LaminateProperty), pattern.Lazy(`\bcti\b[^a-z]{0,6}\d{3}|\bhalogen[ -]?free\b|\bbfr[ -]?free\b`), false, []string{"cti", "halogen", "bfr"}},
	{Topic(pcb.HolePlating), pattern.Lazy(`\b(?:copper|cu|plating)\b.{0,30}\b(?:barrels?|hole walls?|holes?|pth)\b.{0,20}\b(?:2[1-9]|[3-9]\d)\s*um\b|\b(?:2[1-9]|[3-9]\d)\s*um\b.{0,30}\b(?:barrels?|hole walls?|in (?:the )?holes?|pth)\b`), false, []string{" um", "0um", "5um"}},
	{VScores, pattern.Lazy(`\bv[ -]?(?:scor(?:e[sd]?|ing)|cuts?|grooves?)\b`), false, []string{"v-scor", "v scor", "v-cut", "v cut", "v-groov", "v groov", "vscor", "vcut", "vgroov"}},
}

// markParts are the parts of all marks.
func markParts() []string {
	var out []string
	for _, m := range marks {
		out = append(out, m.parts...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Marks are the topics that a line states by words alone.
func Marks(line string) []Statement { return marksIn(plain(line)) }

func marksIn(line string) []Statement {
	var out []Statement
	for _, m := range marks {
		if hasAny(line, m.parts...) && m.isStatedIn(line) {
			s := Statement{Topic: m.topic}
			if m.topic == Castellations {
				s.Number = edgesIn(line)
			}
			out = append(out, s)
		}
	}
	return out
}

var (
	edgeCount = pattern.Lazy(`(?:castellat\w*|\bhalf[ -](?:cut )?(?:holes?|vias?))[^.;,]{0,24}?\b([1-4]|one|two|three|four|both|all(?: four)?)\s+(?:(?:opposite|long|short|board|pcb)\s+)?(?:edges?|sides?)\b|\b([1-4]|one|two|three|four|both|all(?: four)?)\s+(?:(?:opposite|long|short)\s+)?(?:edges?|sides?)\s+(?:are\s+|is\s+)?castellat`)
	counts    = map[string]int{"1": 1, "2": 2, "3": 3, "4": 4, "one": 1, "two": 2, "three": 3, "four": 4, "both": 2, "all": 4, "all four": 4}
)

// edgesIn is on how many edges a line has half holes; 0 where it does not say.
func edgesIn(line string) int {
	m := edgeCount().FindStringSubmatch(line)
	if m == nil {
		return 0
	}
	return counts[m[1]+m[2]]
}

// isStatedIn reports whether a clause of a line, in lower case, has the words and does not take
// them back.
func (m mark) isStatedIn(line string) bool {
	for _, clause := range clauses().Split(line, -1) {
		for _, at := range m.words().FindAllStringIndex(clause, -1) {
			if m.topic == Topic(pcb.HigherClass) && strings.Contains(clause[at[0]:at[1]], "610") {
				continue // of the assembly
			}
			if m.topic == Topic(pcb.LaminateProperty) && isOfCoating(clause[:at[0]]) {
				continue
			}
			if !isDenied(clause[:at[0]], clause[at[1]:]) {
				return true
			}
		}
	}
	return false
}

// deny is a word that takes something back, and items a list of what has few words each.
const (
	deny  = `(?:^|[^a-z])(?:no|not|non|never|without|w/o|excluding|except|free of|free from|clear of)[\s-]+`
	items = `(?:[a-z-]+\s+){0,2}[a-z-]+(?:\s*,\s*(?:[a-z-]+\s+){0,2}[a-z-]+)*`
)

// coating and base are words for what a property may be of.
var (
	coating = pattern.Lazy(`\b(?:solder ?-?masks?|masks?|resists?|silk ?-?screens?|legends?|inks?|lacquers?|flux|solder pastes?|cables?|housings?)\b`)
	base    = pattern.Lazy(`\b(?:laminates?|materials?|substrates?|fr-?4|base|boards?|pcbs?|tg)\b`)
)

// isOfCoating tells by the words before a property that it is one of the mask, the silkscreen
// or what parts are soldered with, rather than of the laminate.
func isOfCoating(head string) bool {
	last := func(words func() *regexp.Regexp) int {
		all := words().FindAllStringIndex(head, -1)
		if len(all) == 0 {
			return -1
		}
		return all[len(all)-1][0]
	}
	return last(coating) > last(base)
}

var (
	clauses = pattern.Lazy(`[;!]|\.(?:\s|$)|,\s*(?:but|and)\s`)
	// denial are the words that take back what follows them; denialList those that do so
	// for a list which ends with what follows, and openList for one that goes on.
	denial     = pattern.Lazy(deny + `(?:(?:any|the|a|an|use|requires?|includes?|contains?|have|has|allow|do|with)\s+)*$`)
	denialList = pattern.Lazy(deny + `(` + items + `)\s*,?\s+n?or\s+(?:any\s+)?$`)
	openList   = pattern.Lazy(deny + `(` + items + `)\s*,\s*$`)
	listRest   = pattern.Lazy(`^[^:=]*\bn?or\b`)
	// preposition are the words after which something is said of another place.
	preposition = pattern.Lazy(`\b(?:on|in|at|over|of|for|to|from|under|near|between|by|within)\b`)
	// laterDenial are those that take back what stands before them.
	laterDenial = pattern.Lazy(`^[^:=]{0,30}(?:[:=,(–-]|\bis\b|\bare\b)\s*(?:no|none|not|n/?a|nil|false|off|0)\s*(?:$|[,)/]|required|needed|applicable|used|allowed|present|included)|^[^:=]{0,40}\bnot (?:present|included|required|needed|applicable|wanted|used|allowed|permitted|necessary)\b|^\s*(?:n/a|none|no)\s*$|^[^:=]{0,20}:\s*$`)
	// undecided are the words by which a text says that what stands before them is still open.
	undecided = pattern.Lazy(`(?:\b(?:is|are|was|were)|:)\s+(?:still\s+)?not\s+(?:yet\s+)?(?:approved|specified|defined|decided|determined|released|settled|fixed|final|known)\b`)
	// openSubjects is a list of subjects of which a sentence says that they are still open.
	openSubjects = pattern.Lazy(`^(?:[^,:=;.!]+,\s*)+(?:and\s+|or\s+)?[^,:=;.!]+\sare\s+(?:still\s+)?not\s+(?:yet\s+)?(?:approved|specified|defined|decided|determined|released|settled|fixed|final|known)\b[^;.!]*`)
	// omission are the words for leaving something out.
	omission = pattern.Lazy(`\b(?:omit|forget|skip|miss|leave out|remove)\b`)
)

// isDenied reports whether the words before or after a mark take it back, or ask what it is:
// the label of a table states nothing.
func isDenied(head, tail string) bool {
	return isTakenBack(head, tail) || undecided().MatchString(tail)
}

// isTakenBack reports whether the words before or after a mark say that it is not wanted.
func isTakenBack(head, tail string) bool {
	return (denial().MatchString(head) || isInDeniedList(head, tail)) && !omission().MatchString(head) || laterDenial().MatchString(tail)
}

// isInDeniedList reports whether a mark stands in a list of what is taken back.
func isInDeniedList(head, tail string) bool {
	m := denialList().FindStringSubmatch(head)
	if m == nil && listRest().MatchString(tail) {
		m = openList().FindStringSubmatch(head)
	}
	return m != nil && !preposition().MatchString(m[1])
}
