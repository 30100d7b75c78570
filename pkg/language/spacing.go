package language

import "regexp"

// behindMark is the space behind a mark that has its own room, with what may close between.
// Dots lead to an amount, and keep theirs.
var behindMark = regexp.MustCompile(`([、。，；：！？）」”])((?:</[a-z]+>)?) +([^ .])`)

// Tighten joins the sentences of a finished page or letter as the language does: in Japanese
// and Chinese no space follows a mark that takes a whole character's room.
func (p *Printer) Tighten(text []byte) []byte {
	if p.Code != "ja" && p.Code != "zh-Hans" {
		return text
	}
	return behindMark.ReplaceAll(text, []byte("$1$2$3"))
}
