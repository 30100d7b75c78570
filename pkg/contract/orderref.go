package contract

import (
	"crypto/sha256"
	"strings"
)

// refLetters leave out what is easily taken for something else.
const refLetters = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"

// PeopleRef is what people call a quote, and the order that becomes of it: BO- and
// eight characters that follow from the quote's ref.
func PeopleRef(quote string) string {
	sum := sha256.Sum256([]byte("order-ref\x00" + quote))
	var b strings.Builder
	b.WriteString("BO-")
	for _, x := range sum[:8] {
		b.WriteByte(refLetters[int(x)%len(refLetters)])
	}
	return b.String()
}
