package table

import "strings"

// maxMerged is how many merged cells of a sheet are looked at.
const maxMerged = 20_000

// A block is a merged cell that reaches over several rows.
type block struct{ column, from, to int } // rows as they are numbered in the file

// blockOf reads "B2:C5"; ok is false where it lies in one row.
func blockOf(ref string) (b block, ok bool) {
	first, last, _ := strings.Cut(ref, ":")
	b = block{column(first), rowOf(first), rowOf(last)}
	return b, b.column >= 0 && b.column < maxColumns && b.from > 0 && b.to > b.from
}

// rowOf is the row that a reference such as "AB12" names; 0 for none.
func rowOf(ref string) int {
	n := 0
	for _, r := range strings.TrimLeft(ref, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		if r < '0' || r > '9' || n > 1<<20 {
			return 0
		}
		n = 10*n + int(r-'0')
	}
	return n
}

// merge tells the rows below the first of each block what its cell says.
func (s *Sheet) merge(blocks []block) {
	at := map[int]int{}
	for i, r := range s.Rows {
		at[r.Line] = i
	}
	for _, b := range blocks {
		first, ok := at[b.from]
		if !ok {
			continue
		}
		text := s.Rows[first].Cell(b.column)
		for i := first + 1; text != "" && i < len(s.Rows) && s.Rows[i].Line <= b.to; i++ {
			if s.Rows[i].Merged == nil {
				s.Rows[i].Merged = map[int]string{}
			}
			s.Rows[i].Merged[b.column] = text
		}
	}
}
