package placement

import (
	"math"
	"regexp"
	"strings"

	"boardorder/services/part-sourcing/internal/refdes"
)

// guessColumns reads lists without headings, as EAGLE, Fusion and Allegro write
// them: a designator, x, y, an angle, then the value and the package; or in another
// order, with the side: what the cells of a column are tells which it is.
func (r *reader) guessColumns() bool {
	for i := range r.rows[:min(len(r.rows), headRows)] {
		cells := r.rows[i].Cells
		if len(cells) < 4 || !refdes.Is(strings.TrimLeft(cells[0], "# ")) {
			continue
		}
		h := r.headless(i)
		if !h.findPosition() || r.deniesCoordinates(i, h.columns[centreX], h.columns[centreY]) {
			continue
		}
		h.findTexts(cells)
		r.columns = h.columns
		r.start = r.findPlaced(i)
		return true
	}
	return false
}

// A headless is what the columns of a list without headings hold, from a row on.
type headless struct {
	columns map[column]int
	numbers []int // columns of numbers, in their order
	angles  map[int]bool
	side    int // -1 where none is
	width   int
	rows    int
}

// judgedRows are enough to tell what a column is of.
const judgedRows = 200

func (r *reader) headless(from int) *headless {
	h := &headless{columns: map[column]int{reference: 0}, angles: map[int]bool{}, side: -1, width: len(r.rows[from].Cells)}
	cells := make([][]string, h.width)
	for _, row := range r.rows[from:min(len(r.rows), from+judgedRows)] {
		if !refdes.Is(strings.TrimLeft(row.Cell(0), "# ")) {
			continue
		}
		h.rows++
		for k := range cells {
			if c := strings.TrimSpace(row.Cell(k)); c != "" {
				cells[k] = append(cells[k], c)
			}
		}
	}
	for k := 1; k < h.width; k++ {
		switch first := r.rows[from].Cell(k); {
		case len(cells[k]) == 0 || first == "":
		case holdsAll(cells[k], isSide):
			if h.side < 0 {
				h.side = k
			}
		case areNumbers([]string{first}) && !holdsAll(cells[k], chipSize.MatchString):
			h.numbers = append(h.numbers, k)
			h.angles[k] = holdsAll(cells[k], isAngle)
		case spun.MatchString(first) && !h.has(rotation) && len(h.numbers) > 0:
			h.columns[rotation] = k
		}
	}
	return h
}

func holdsAll(cells []string, such func(string) bool) bool {
	for _, c := range cells {
		if !such(c) {
			return false
		}
	}
	return true
}

var (
	chipSize = regexp.MustCompile(`^0[0-9]{3,4}$`)
	spun     = regexp.MustCompile(`^S?M?R[0-9]{1,3}(?:\.[0-9]+)?$`) // as EAGLE writes a rotation
)

// isSide reports whether a cell names a side, by a word.
func isSide(cell string) bool {
	_, ok := sideWords[plain(stripBrackets(cell))]
	return ok && !layerNumber(cell)
}

// isAngle reports whether a cell may be how a part is turned.
func isAngle(cell string) bool {
	v, unit, ok := number(cell)
	return ok && unit == 0 && math.Abs(v) <= 360 && math.Mod(v, 45) == 0
}

// fewPlaced is how many rows tell at least that a column is of angles that comes before those of
// coordinates.
const fewPlaced = 3

// findPosition finds x and y, and the angle on either side of them. Two numbers alone are a
// position only beside a side or a rotation that says so itself.
func (h *headless) findPosition() bool {
	for i := range h.numbers {
		run := h.numbers[i:]
		switch {
		case len(run) >= 3 && run[2] == run[0]+2 && h.leads(run):
			h.columns[rotation], h.columns[centreX], h.columns[centreY] = run[0], run[1], run[2]
		case len(run) >= 3 && run[2] == run[0]+2:
			h.columns[centreX], h.columns[centreY], h.columns[rotation] = run[0], run[1], run[2]
		case len(run) >= 2 && run[1] == run[0]+1 && (h.side >= 0 || h.has(rotation)):
			h.columns[centreX], h.columns[centreY] = run[0], run[1]
			if angle := h.angleApart(run[0]); angle >= 0 && !h.has(rotation) {
				h.columns[rotation] = angle
			}
		default:
			continue
		}
		return true
	}
	return false
}

// leads reports whether of three numbers the first is the angle.
func (h *headless) leads(run []int) bool {
	return h.rows >= fewPlaced && h.angles[run[0]] && !h.angles[run[2]]
}

// angleApart is a column of angles apart from the position that begins at x; -1 where none is.
func (h *headless) angleApart(x int) int {
	for _, k := range h.numbers {
		if k != x && k != x+1 && h.angles[k] {
			return k
		}
	}
	return -1
}

func (h *headless) has(c column) bool {
	_, ok := h.columns[c]
	return ok
}

// findTexts takes what is left for the side, the value and the package.
func (h *headless) findTexts(cells []string) {
	if y := h.columns[centreY]; h.columns[rotation] == y+1 && len(cells) >= y+5 && (cells[y+2] == "m" || cells[y+2] == "M" || cells[y+2] == "") && h.side < 0 { // Allegro
		h.columns[mirrored], h.columns[footprint] = y+2, len(cells)-1
		return
	}
	if h.side >= 0 {
		h.columns[side] = h.side
	}
	used := map[int]bool{}
	for _, k := range h.columns {
		used[k] = true
	}
	var rest []int
	for k := range cells {
		if !used[k] {
			rest = append(rest, k)
		}
	}
	if len(rest) >= 2 {
		h.columns[value], h.columns[footprint] = rest[0], rest[1]
	}
}
