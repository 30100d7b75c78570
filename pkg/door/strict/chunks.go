package strict

// chunks follows a chunked body as it passes: sizes of hexadecimal digits and
// nothing else, each line ended by CR LF, no trailers.
type chunks struct {
	at     place
	digits int
	left   int64 // of the chunk's data
	last   bool
}

// place is where in a chunk the next byte stands.
type place int

const (
	inSize place = iota
	afterSizeCR
	inData
	afterData
	afterDataCR
	ended
)

const maxChunkDigits = 8

// pass follows the bytes and gives how many of them belong to the body.
func (c *chunks) pass(p []byte) (n int, refusal *Refusal) {
	for n < len(p) && c.at != ended {
		if c.at == inData {
			step := min(int64(len(p)-n), c.left)
			n += int(step)
			if c.left -= step; c.left == 0 {
				c.at = afterData
			}
			continue
		}
		if !c.framing(p[n]) {
			return n, bad("a chunk of the body is malformed")
		}
		n++
	}
	return n, nil
}

// framing follows one byte outside of the data.
func (c *chunks) framing(b byte) bool {
	switch c.at {
	case inSize:
		return c.size(b)
	case afterSizeCR:
		if c.at = inData; c.left == 0 {
			c.at, c.last = afterData, true
		}
		return b == '\n'
	case afterData:
		c.at = afterDataCR
		return b == '\r'
	default: // afterDataCR
		c.at, c.digits, c.left = inSize, 0, 0
		if c.last {
			c.at = ended
		}
		return b == '\n'
	}
}

func (c *chunks) size(b byte) bool {
	switch {
	case b == '\r':
		c.at = afterSizeCR
		return c.digits > 0
	case c.digits == maxChunkDigits:
		return false
	case b >= '0' && b <= '9':
		c.left = c.left<<4 | int64(b-'0')
	case b >= 'a' && b <= 'f', b >= 'A' && b <= 'F':
		c.left = c.left<<4 | int64(b|0x20-'a'+10)
	default:
		return false
	}
	c.digits++
	return true
}
