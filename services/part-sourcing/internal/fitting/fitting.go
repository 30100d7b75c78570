// Package fitting knows the words by which tables say whether a part is fitted: the
// same in bills of materials and in placements.
package fitting

import (
	"regexp"
	"strings"

	"boardorder/services/part-sourcing/internal/table"
)

// Headings of columns, as [table.Plain] leaves them, apart with spaces.
const (
	LeftOut = "dns dnl donotload donotassemble noload nomount notfitted notplaced notpopulated notmounted unpopulated excludefrombom nichtbestückt nichtbestueckt nonmonté nepasmonter nomontar nonmontare 不贴片 不焊接 不安装 未実装 実装不要 미실장 неустанавливать dnp dnf dni dnm donotpopulate donotfit donotinstall donotplace donotmount nopop nofit excludefromassembly nichtbestücken nichtbestuecken 不贴 不焊"
	Fitted  = "assemble assembled placed bestückung bestueckung 是否焊接 是否贴装 fitted fit populate populated install installed mounted mount assy bestückt bestueckt 是否贴片" // the opposite
)

// Read reads a cell that says whether the part is fitted. In a column that is
// headed "DNP" anything but a no leaves it out; in one headed "fitted" only a no does.
// clear is false for a cell that says neither: then the part is fitted.
func Read(cell string, leavesOut bool) (out, clear bool) {
	switch w := table.Plain(cell); {
	case no[w]:
		return !leavesOut, true
	case denied[w]:
		return true, true
	case yes[w], leavesOut:
		return leavesOut, true
	}
	return false, false
}

// Words that say that a part is not fitted, in regular expressions.
const (
	english = `D\.?N\.?[PFIMSL]\.?|NO[_ -]?(?:POP|LOAD|MOUNT|STUFF|FIT)|DO[_ -]?NOT[_ -]?(?:POPULATE|FIT|MOUNT|INSTALL|PLACE|STUFF|LOAD|ASSEMBLE)|` +
		`NOT[_ -]?(?:FITTED|POPULATED|INSTALLED|MOUNTED|PLACED|ASSEMBLED)|UNPOPULATED`
	german = `NICHT[_ -]?BEST(?:Ü|UE)CK(?:T|EN)`
)

var (
	yes    = set("yes y 1 true x fitted populated populate install installed mounted mount ja oui si sì tak ano evet да 是 i assy smd smt tht pop bestückt bestueckt")
	no     = set("no n 0 false nein non nie ne não nao hayır нет 否 無 无")
	denied = set("dnp dnf dni dnm dnl dns ni nf np nc nm nu nl nb nopop nofit nomount noload nostuff notfitted notfit notpopulated notinstalled notmounted notplaced notassembled notused " +
		"donotpopulate donotfit donotinstall donotplace donotmount donotstuff donotload donotassemble unfitted unpopulated unmounted exclude excludedfrombom " +
		"nichtbestückt nichtbestücken nichtbestueckt nichtbestuecken unbestückt unbestueckt nonmonté nonmonte nepasmonter nepasposer nonmontato nonmontare nomontar nomontado nocolocar " +
		"nãomontar naomontar niemontować niemontowac neosazovat neosazeno nietplaatsen nietmonteren monterasej неустанавливать неставить немонтировать неустановлен " +
		"不贴 不贴片 不焊 不焊接 不装 不安装 空贴 空焊 未贴 未実装 実装不要 非実装 실장안함 미실장 미삽")
	inText = regexp.MustCompile(`(?i)^(?:.*[\s_/(,;:*\[-])?(?:` + english + `|` + german + `|NON[_ -]?MONT(?:É|E|ATO|ARE)|NO[_ -]?MONTAR|НЕ УСТАНАВЛИВАТЬ)(?:[\s_/),;:*\]].*)?$` +
		`|不贴|不焊|不安装|未実装|実装不要`)
)

// marks are words about fitting that stand among designators, and no designator is called.
var marks = regexp.MustCompile(`(?i)(?:^|[\s,;:(\[/*])(?:` + english + `|` + german + `|N\.?[FP]\.?)(?:[\s,;:)\]/*]+|$)`)

// StripMarks gives text without words that say that a part is not fitted; denied reports
// whether it had any.
func StripMarks(text string) (rest string, denied bool) {
	if len(text) >= maxText || !marks.MatchString(text) {
		return text, false
	}
	return strings.Trim(marks.ReplaceAllString(text, " "), " ,;:/*()[]"), true
}

// maxText is longer than any text of a cell that is looked through.
const maxText = 2000

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// IsDenied reports whether a cell says nothing else than that the part is not fitted.
func IsDenied(cell string) bool { return denied[table.Plain(cell)] }

var (
	behind = regexp.MustCompile(`^.*[\s_/,;:(\[-](?i:` + english + `)[)\]*.]?$`)
	before = regexp.MustCompile(`^[(\[*]?(?i:` + english + `)(?:[\s_/),;:\]*].*)?$`)
	// beforeValue is a mark that a hyphen parts from a value: DNP-10k. A number of a part
	// may begin so, too.
	beforeValue = regexp.MustCompile(`(?i)^DN[PFIM]-[0-9]+(?:[.,][0-9]+)?\s?(?:[pnuµμmkMR]?[FHRΩ]?[0-9]{0,2})(?:[\s/,].*)?$`)
	// notFitted is "not fitted" in short, which is a unit behind a bare number: 100 NF.
	notFitted = regexp.MustCompile(`^(.*?)(?:[\s/,;]+|[\s/,;]*[(\[]\s*)(?:NF|N\.F\.?|N/F)[)\]]?$`)
	bare      = regexp.MustCompile(`(?:^|[\s/,;(\[])[0-9]*[.,]?[0-9]+$`)
	sizeLast  = regexp.MustCompile(`[\s/,;](?:0[0-9]{3}|1206|1210|2010|2512)$`)
)

// EndsInDenial reports whether the text of a value, a description or a land pattern ends
// in words that say that the part is not fitted: "10k/NF", "RES 10k 0603 (do not fit)".
func EndsInDenial(text string) bool {
	text = strings.TrimSpace(text)
	if len(text) >= maxText {
		return false
	}
	if m := notFitted.FindStringSubmatch(text); m != nil {
		rest := strings.TrimSpace(m[1])
		return rest != "" && (!bare.MatchString(rest) || sizeLast.MatchString(rest))
	}
	return behind.MatchString(text)
}

// BeginsWithDenial reports whether a note begins with words that say so: "do not populate
// unless 5 V".
func BeginsWithDenial(text string) bool {
	return len(text) < maxText && before.MatchString(strings.TrimSpace(text))
}

var shortNote = regexp.MustCompile(`^(?:NF|[Nn]\.[Ff]\.?|[Nn]/[Ff])$`)

// IsDeniedInShort reports whether a note is "not fitted" in short.
func IsDeniedInShort(cell string) bool { return shortNote.MatchString(strings.TrimSpace(cell)) }

// ContainsDenial reports whether the text of a value or comment says that the part is
// not to be fitted: "DNP", "10k DNM".
func ContainsDenial(text string) bool {
	return len(text) < 200 && (inText.MatchString(text) || beforeValue.MatchString(text))
}
