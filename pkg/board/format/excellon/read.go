package excellon

import (
	"context"
	"fmt"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/pcb"
)

// Read reads a drill or rout program. It never fails: what it cannot read, and
// what it had to assume, is in the file's findings. When ctx ends, or the budget in
// it does, the rest is left out.
func Read(ctx context.Context, data []byte, opt Options) *File {
	s := scan(pcb.MeterOf(ctx), data, opt)
	f := s.settle()
	out := s.run(f)
	s.settlePlating(out)
	s.check(out)
	out.Findings = s.findings.list
	return out
}

// settlePlating gives tools without a plating of their own that of the file.
func (s *scanner) settlePlating(f *File) {
	if f.Plating == pcb.PlatingUnknown && !s.mixed {
		f.Plating = s.opt.Plating
	}
	seen := map[pcb.Plating]bool{}
	used := f.toolsUsed()
	for i := range f.Tools {
		if f.Tools[i].Plating == pcb.PlatingUnknown {
			f.Tools[i].Plating = f.Plating
		}
		if used[i] > 0 {
			seen[f.Tools[i].Plating] = true
		}
	}
	if seen[pcb.Plated] && seen[pcb.NonPlated] {
		f.Plating = pcb.MixedPlating
	} else if f.Plating == pcb.PlatingUnknown && len(seen) == 1 {
		for p := range seen {
			f.Plating = p
		}
	}
}

// toolsUsed counts the holes and cuts of every tool.
func (f *File) toolsUsed() []int {
	n := make([]int, len(f.Tools))
	for _, h := range f.Hits {
		n[h.Tool]++
	}
	for _, s := range f.Slots {
		n[s.Tool]++
	}
	for _, p := range f.Paths {
		n[p.Tool]++
	}
	return n
}

// slotsOf counts the slots of a tool that are drilled from end to end.
func (f *File) slotsOf(tool int) int {
	n := 0
	for _, s := range f.Slots {
		if int(s.Tool) == tool {
			n++
		}
	}
	return n
}

// check tells what does not add up in the finished file.
func (s *scanner) check(f *File) {
	used := f.toolsUsed()
	for i, t := range f.Tools {
		switch {
		case used[i] == 0:
		case t.Diameter == 0:
			s.findings.add(t.Line, true, "drill_no_size",
				fmt.Sprintf("tool T%02d has no size: its %d holes have an unknown diameter; give it with file_answers.tool_sizes, or export the file with sizes", t.Number, used[i]), answers.ToolSize(s.opt.File, t.Number))
		}
		if t.Stated > 0 && used[i] != t.Stated && used[i]+f.slotsOf(i) != t.Stated { // PADS counts both ends of a slot
			s.findings.add(t.Line, true, "drill_count",
				fmt.Sprintf("tool T%02d should drill %d holes, %d are there", t.Number, t.Stated, used[i]))
		}
	}
	if !f.Ended {
		s.findings.add(s.line, true, "drill_truncated", "the program has no end (M30): it may have been cut off")
	}
}
