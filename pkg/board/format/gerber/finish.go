package gerber

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/pcb"
)

// finish closes what the file left open and reports on the whole.
func (r *reader) finish() {
	if r.inRegion {
		r.closeContour()
		r.find(pcb.Problem, "region_not_ended", "", r.line, "the file ends inside a region")
	}
	for len(r.outer) > 0 {
		f := r.outer[len(r.outer)-1]
		r.find(pcb.Problem, "block_not_ended", "", f.line, "aperture block D%d is never closed; its content was drawn in place", f.code)
		r.closeRepeat()
		r.out = append(f.out, r.out...)
		r.outer, r.repeat = r.outer[:len(r.outer)-1], f.repeat
	}
	r.closeRepeat()
	r.drawn.Settle()
	r.corners.Settle()
	r.rotateImage()
	r.layer.Features = slices.Clip(r.out)
	r.layer.Negative = r.file.Negative || r.file.copperNegative()
	r.layer.Step = r.scale.step()
	r.settleDoubts()
	r.reportMissing()
	r.reportEnd()
}

// reportMissing reports D-codes that were drawn with but never defined.
func (r *reader) reportMissing() {
	var codes []string
	uses := 0
	for _, d := range sortKeys(r.missing) {
		if r.missing[d] > 0 {
			codes = append(codes, fmt.Sprintf("D%d", d))
			uses += r.missing[d]
		}
	}
	if len(codes) == 0 {
		return
	}
	defined := 0
	for _, a := range r.layer.Apertures {
		if _, missing := r.missing[a.Code]; !missing {
			defined++
		}
	}
	if defined == 0 {
		r.file.NeedsApertures = true
		r.find(pcb.Problem, "apertures_missing", "", 0,
			"the file defines no apertures (RS-274-D): its aperture list is needed to draw %s", shorten(codes))
		return
	}
	f := r.find(pcb.Problem, "aperture_undefined", "", 0, "aperture %s is used but not defined", shorten(codes))
	f.Count = uses
}

func shorten(s []string) string {
	if len(s) > 8 {
		return strings.Join(s[:8], ", ") + fmt.Sprintf(" and %d more", len(s)-8)
	}
	return strings.Join(s, ", ")
}

func sortKeys(m map[int]int) []int {
	out := make([]int, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// reportEnd tells whether the file is whole.
func (r *reader) reportEnd() {
	if !r.file.Ended {
		_, cut := r.found["truncated\x00"]
		level := pcb.Warning
		if cut || r.file.FormatStated {
			level = pcb.Problem
		}
		r.find(level, "no_end", "", r.line, "the file does not end with M02: it may be cut off, and something may be missing")
		return
	}
	rest := r.data[min(r.pos, len(r.data)):]
	for {
		rest = bytes.Trim(rest, " \t\r\n*%\x00\x1a\x04")
		short, ok := bytes.CutPrefix(rest, []byte("M0"))
		if !ok || len(short) > 0 && short[0] != '0' && short[0] != '2' {
			break
		}
		rest = short[min(1, len(short)):] // the end, said twice
	}
	if len(rest) > 0 {
		r.find(pcb.Warning, "data_after_end", "", r.line, "%d bytes after the end of the program (M02) were not read: %q", len(rest), clip(rest))
	}
	if len(r.layer.Features) == 0 {
		r.find(pcb.Note, "empty_layer", "", 0, "the file draws nothing")
	}
}
