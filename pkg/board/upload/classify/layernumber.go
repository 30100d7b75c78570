package classify

import (
	"strconv"
	"strings"

	"boardorder/pkg/board/internal/pattern"
)

var (
	absoluteNumber = pattern.Lazy(`(?:^| )(?:l|lyr|lay|layer|art|cu l|ly|etch|copper|copper l|conductor|conductive|signal l|int l|inner l) 0*(\d{1,2})(?: |$)`)
	relativeNumber = pattern.Lazy(`(?:^| )(?:in|inner|inner layer|int|internal|mid|midlayer|mid layer|signal layer|internal plane|plane|cu in|gnd|pwr|vcc|power|ground|inr|g) 0*(\d{1,2})(?: |$)`)
	innerCount     = pattern.Lazy(`(?:^| )(?:inner|mid|signal) layer 0*\d{1,2}`)
)

// layerNumber finds a layer's number in a name. It is absolute when it counts from the top
// layer, else it orders the inner layers only. What counts from the top goes first: L4_GND2
// is layer 4, the second that is called ground.
func layerNumber(words []string) (n int, absolute bool) {
	s := strings.Join(words, " ")
	if m := absoluteNumber().FindStringSubmatch(innerCount().ReplaceAllString(s, "")); m != nil {
		n, _ = strconv.Atoi(m[1])
		return n, true
	}
	if m := relativeNumber().FindStringSubmatch(s); m != nil {
		n, _ = strconv.Atoi(m[1])
		return n, false
	}
	return 0, false
}
