package kicad

import (
	"maps"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/pcb"
)

// A tally is what the elements of a board amount to beside what they draw.
type tally struct {
	outline   []geom.Edge
	outlineAt int // line of the first element of the outline
	removable []removable
	trackEnds []trackEnd
	minTrack  int64 // 0 before the first track

	anyFill                 bool // some zone's fill is stored
	unfilled, unfilledAt    int
	emptyZones, emptyZoneAt int // filled, and nothing came of it

	castellated, connectPads, filledVias, pluggedVias, tentedVias, openVias, blind int

	needs []pcb.Fact[pcb.Process] // what a plain board is made without

	counts    map[string]int // of elements that were passed over
	countLine map[string]int
	offCount  int // elements on layers that the board does not have
	offName   string
	offLine   int
}

// passOver counts an element that is not read, for one finding at the end.
func (t *tally) passOver(name string, line int) {
	if name == "" {
		name = "(unnamed)"
	}
	t.pass(name[:min(40, len(name))], 1, line)
}

// pass counts n elements of a name, the first of them on line.
func (t *tally) pass(name string, n, line int) {
	if _, ok := t.counts[name]; !ok && len(t.counts) > 100 {
		name = "others"
	}
	if t.counts[name] == 0 {
		t.countLine[name] = line
	}
	t.counts[name] += n
}

// layerOff counts an element on a layer that the board does not have, usually
// because it was switched off; KiCad does not plot those either.
func (t *tally) layerOff(name string, line int) {
	addCount(&t.offCount, &t.offLine, 1, line)
	if t.offCount == 1 {
		t.offName = name[:min(40, len(name))]
	}
}

// track keeps the least width.
func (t *tally) track(width int64) {
	if width > 0 && (t.minTrack == 0 || width < t.minTrack) {
		t.minTrack = width
	}
}

// need keeps where the file first shows a process.
func (t *tally) need(p pcb.Process, file string, line int) {
	if !slices.ContainsFunc(t.needs, func(n pcb.Fact[pcb.Process]) bool { return n.Value == p }) {
		t.needs = append(t.needs, pcb.State(p, pcb.Source{File: file, Line: line}, 0.95, "pads and vias"))
	}
}

// addCount adds n to a count and keeps the line of the first that was counted.
func addCount(count, at *int, n, line int) {
	if *count == 0 && n > 0 {
		*at = line
	}
	*count += n
}

// add adds what was counted further on in the file.
func (t *tally) add(o *tally) {
	if t.outlineAt == 0 {
		t.outlineAt = o.outlineAt
	}
	t.outline = append(t.outline, o.outline...)
	t.removable = append(t.removable, o.removable...)
	t.trackEnds = append(t.trackEnds, o.trackEnds...)
	t.track(o.minTrack)
	t.anyFill = t.anyFill || o.anyFill
	addCount(&t.unfilled, &t.unfilledAt, o.unfilled, o.unfilledAt)
	addCount(&t.emptyZones, &t.emptyZoneAt, o.emptyZones, o.emptyZoneAt)
	for _, n := range o.needs {
		t.need(n.Value, n.Source.File, n.Source.Line)
	}
	t.castellated += o.castellated
	t.connectPads += o.connectPads
	t.filledVias += o.filledVias
	t.pluggedVias += o.pluggedVias
	t.tentedVias += o.tentedVias
	t.openVias += o.openVias
	t.blind += o.blind
	for _, name := range slices.Sorted(maps.Keys(o.counts)) {
		t.pass(name, o.counts[name], o.countLine[name])
	}
	if t.offCount == 0 {
		t.offName = o.offName
	}
	addCount(&t.offCount, &t.offLine, o.offCount, o.offLine)
}
