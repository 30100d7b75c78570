package note

import (
	"regexp"
	"strings"

	"boardorder/pkg/board"
	"boardorder/pkg/board/internal/pattern"
)

// A mark is a topic that words alone state: that they are there is what they say.
type mark struct {
	topic Topic
	words func() *regexp.Regexp
	// plain marks words that mean nothing but the work on a board, so that one line of
	// notes is enough.
	plain bool
}

var marks = []mark{
	{Impedance, pattern.Lazy(`\bcontrol\w*[ -]+impedance\b|\bimpedances?\b.*\bcontrol|\bcontrol.*\bimpedance|\bimpedances?\b.*\d\s*(?:ohms?\b|ω)|\d\s*(?:ohms?\b|ω).*\bimpedances?\b`), false},
	{EdgePlating, pattern.Lazy(`\bedge[ -]?plat(?:ing|ed)\b|\bplated (?:board )?edges?\b|\bside ?wall plating\b`), false},
	{Castellations, pattern.Lazy(`\bcastellat|\bplated half[ -]holes?\b`), false},
	{GoldFingers, pattern.Lazy(`\bgold[ -]?fingers?\b|\bedge connector bevel|\bbevell?ed edges?\b`), false},
	{Flex, pattern.Lazy(`\bflex(?:ible)? (?:pcb|circuit|board)|\bfpc board\b`), false},
	{Panel, pattern.Lazy(`\bpaneli[sz](?:ed|ation)\b|\bpanel size\b|\bdelivered in panels?\b`), false},
	{BlindVias, pattern.Lazy(`\b(?:blind|buried|micro|laser)(?:[ -]?(?:/|,|and|or|&)[ -]?(?:blind|buried|micro|laser))*[ -]?(?:vias?|holes)\b|\bmicrovias?\b|\bhdi\b`), false},
	{Topic(board.BackDrilling), pattern.Lazy(`\bback[ -]?drill(?:ing|ed|s)?\b`), true},
	{Topic(board.Stiffening), pattern.Lazy(`\bstiffe?ners?\b`), true},
	{Topic(board.Coverlaying), pattern.Lazy(`\bcoverlays?\b|\bcover[ -](?:lay|film)\b`), true},
	{Topic(board.RigidFlex), pattern.Lazy(`\brigid[ -]?flex\b|\bflex[ -]rigid\b`), true},
	{Topic(board.CarbonPrinting), pattern.Lazy(`\bcarbon[ -](?:ink|print|printed|printing|mask|paste|contacts?|pads?|keys?)\b`), true},
	{Topic(board.PeelableMasking), pattern.Lazy(`\bpeel(?:able|[ -]off)[ -](?:solder ?)?(?:mask|resist|coating|ink|lacquer)\b|\bpeelables?\b`), true},
	{Topic(board.DepthRouting), pattern.Lazy(`\b(?:controlled[ -]depth|depth[ -]controlled|z[ -]axis)[ -](?:mill|rout|drill)|\bcounter[ -]?(?:bor|sink|sunk)\w*\s+(?:\w+\s+){0,2}holes?\b|\bholes?\b.*\bcounter[ -]?(?:bor|sunk)|\bcavit(?:y|ies)\b.*\b(?:depth|deep|mill\w*|rout\w*|mm|mils?)\b|\b(?:mill\w*|rout\w*) cavit|\bblind slots?\b`), false},
	{Topic(board.PressFitting), pattern.Lazy(`\bpress[ -]?fit (?:holes?|pins?|connectors?|contacts?|vias?|tolerances?)\b`), false},
	{Topic(board.EmbeddedParts), pattern.Lazy(`\b(?:embedded|buried) (?:components?|resistors?|capacitors?|passives?)\b`), false},
	{VScores, pattern.Lazy(`\bv[ -]?(?:scor(?:e[sd]?|ing)|cuts?|grooves?)\b`), false},
}

// stems are parts of words, one of which is in every line that a mark can be found in.
var stems = []string{
	"imped", "plat", "castell", "half", "finger", "bevel", "flex", "fpc", "panel", "via", "holes", "hdi", "drill", "stiff", "cover", "carbon", "peel",
	"depth", "axis", "counter", "cavit", "slot", "press", "embedded", "buried", "v-", "v ", "vscor", "vcut", "vgroov",
}

// Marks are the topics that a line, or lettering of a drawing, states by words alone.
func Marks(line string) []Statement {
	var out []Statement
	line = strings.ToLower(strings.TrimSpace(line))
	if !hasAny(line, stems...) {
		return nil
	}
	for _, m := range marks {
		if m.stated(line) {
			out = append(out, Statement{Topic: m.topic})
		}
	}
	return out
}

// stated reports whether a clause of a line, in lower case, has the words and does not take
// them back.
func (m mark) stated(line string) bool {
	for _, clause := range clauses().Split(line, -1) {
		for _, at := range m.words().FindAllStringIndex(clause, -1) {
			if !isDenied(clause[:at[0]], clause[at[1]:]) {
				return true
			}
		}
	}
	return false
}

// deny is a word that takes something back, and items a list of what has few words each.
const (
	deny  = `(?:^|[^a-z])(?:no|not|non|never|without|w/o|excluding|except)[\s-]+`
	items = `(?:[a-z-]+\s+){0,2}[a-z-]+(?:\s*,\s*(?:[a-z-]+\s+){0,2}[a-z-]+)*`
)

var (
	clauses = pattern.Lazy(`[;!]|\.(?:\s|$)|,\s*(?:but|and)\s`)
	// denial are the words that take back what follows them; denialList those that do so
	// for a list which ends with what follows, and openList for one that goes on.
	denial     = pattern.Lazy(deny + `(?:(?:any|the|a|an|use|requires?|includes?|have|allow|do|with)\s+)*$`)
	denialList = pattern.Lazy(deny + `(` + items + `)\s*,?\s+n?or\s+(?:any\s+)?$`)
	openList   = pattern.Lazy(deny + `(` + items + `)\s*,\s*$`)
	listRest   = pattern.Lazy(`^[^:=]*\bn?or\b`)
	// preposition are the words after which something is said of another place.
	preposition = pattern.Lazy(`\b(?:on|in|at|over|of|for|to|from|under|near|between|by|within)\b`)
	// laterDenial are those that take back what stands before them.
	laterDenial = pattern.Lazy(`^[^:=]{0,30}(?:[:=,(–-]|\bis\b|\bare\b)\s*(?:no|none|not|n/?a|nil|false|off|0)\s*(?:$|[,)/]|required|needed|applicable|used|allowed)|^[^:=]{0,40}\bnot (?:required|needed|applicable|wanted|used|allowed|permitted|necessary)\b|^\s*(?:n/a|none|no)\s*$|^[^:=]{0,20}:\s*$`)
	// omission are the words for leaving something out.
	omission = pattern.Lazy(`\b(?:omit|forget|skip|miss|leave out|remove)\b`)
)

// isDenied reports whether the words before or after a mark take it back, or ask what it is:
// the label of a table states nothing.
func isDenied(head, tail string) bool {
	return (denial().MatchString(head) || inDeniedList(head, tail)) && !omission().MatchString(head) || laterDenial().MatchString(tail)
}

// inDeniedList reports whether a mark stands in a list of what is taken back.
func inDeniedList(head, tail string) bool {
	m := denialList().FindStringSubmatch(head)
	if m == nil && listRest().MatchString(tail) {
		m = openList().FindStringSubmatch(head)
	}
	return m != nil && !preposition().MatchString(m[1])
}
