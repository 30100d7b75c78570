package excellon

// A number is a coordinate before its format is known: its digits as written.
type number struct {
	mantissa int64
	digits   int8 // digits written, leading zeros included
	decimals int8 // digits after the point; -1 without a point
	leading  bool // the first of several digits is zero
}

// A word is a letter with the number that follows it.
type word struct {
	letter byte
	num    number
	has    bool // a number follows
}

// maxDigits keeps a mantissa well inside int64.
const maxDigits = 15

// scanWords splits a line into its words and appends them to ws. Blanks
// between a letter and its number, and between words, mean nothing. It stops
// at a comment; rest is the column of the first byte that is no word, or -1.
func scanWords(line []byte, ws []word) (words []word, rest int) {
	i := 0
	for i < len(line) {
		c := line[i]
		switch {
		case c <= ' ' || c == '*' || c == ',':
			i++
			continue
		case c == ';' || c == '(':
			return ws, -1
		}
		if c >= 'a' && c <= 'z' {
			c -= 'a' - 'A'
		}
		if c < 'A' || c > 'Z' {
			return ws, i
		}
		w := word{letter: c}
		w.num, w.has, i = scanNumber(line, i+1)
		ws = append(ws, w)
	}
	return ws, -1
}

// scanNumber reads a signed decimal number at i, if there is one.
func scanNumber(line []byte, i int) (n number, ok bool, next int) {
	n.decimals = -1
	for i < len(line) && line[i] == ' ' {
		i++
	}
	start, negative := i, false
	if i < len(line) && (line[i] == '+' || line[i] == '-') {
		negative = line[i] == '-'
		i++
	}
	for ; i < len(line); i++ {
		c := line[i]
		if c == '.' && n.decimals < 0 {
			n.decimals = 0
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		n.add(c)
	}
	if n.digits == 0 {
		return number{decimals: -1}, false, start
	}
	if negative {
		n.mantissa = -n.mantissa
	}
	return n, true, i
}

func (n *number) add(digit byte) {
	if n.digits == 0 && digit == '0' {
		n.leading = true
	}
	if n.digits >= maxDigits {
		return // far more than any machine moves; the value is out of range anyway
	}
	n.mantissa = n.mantissa*10 + int64(digit-'0')
	n.digits++
	if n.decimals >= 0 {
		n.decimals++
	}
}

// integer is the number read as a code or a count.
func (n number) integer() int {
	v := n.mantissa
	for d := n.decimals; d > 0; d-- {
		v /= 10
	}
	return int(max(min(v, 1<<30), -(1 << 30)))
}

// value is the number as written, its point honoured.
func (n number) value() float64 {
	v := float64(n.mantissa)
	for d := n.decimals; d > 0; d-- {
		v /= 10
	}
	return v
}
