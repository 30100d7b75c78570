package altium

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"boardorder/pkg/board/compound"
	"boardorder/pkg/board/pcb"
)

// Folders of a file that nothing is made of: what the program works with, what the
// rules found, models of parts, and what other records repeat.
var harmless = map[string]bool{
	"advanced placer options6": true, "board6": true, "boardregions": true, "classes6": true, "componentbodies6": true,
	"components6": true, "connections6": true, "constraintmanager": true, "coordinates6": true, "design rule checker options6": true,
	"differentialpairs6": true, "dimensions6": true, "drillmanager": true, "embeddedboards6": true, "embeddedfonts6": true, "embeddeds6": true,
	"extendedprimitiveinformation": true, "fileversioninfo": true, "fromtos6": true, "layerkindmapping": true, "lettersgeometry": true, "models": true,
	"modelsnoembed": true, "nets6": true, "padvialibrary": true, "padvialibrarycache": true, "padvialibrarylinks": true,
	"pin swap options6": true, "pinpairssection": true, "polygons6": true, "primitiveguids": true, "primitiveparameters": true, "rules6": true,
	"shapebasedcomponentbodies6": true, "shapebasedregions6": true, "signalclasses": true, "smartunions": true, "texts": true,
	"texts6": true, "textures": true, "unionnames": true, "uniqueidprimitiveinformation": true, "waivedviolations": true,
	"widestrings6": true, "tracks6": true, "arcs6": true, "fills6": true, "pads6": true, "vias6": true, "regions6": true,
}

// checkRest looks at what else the file holds.
func (r *reader) checkRest() error {
	if n, err := r.count("EmbeddedBoards6"); err != nil || n > 0 {
		if err != nil {
			return err
		}
		return refuse("the board embeds %d others, as panels do", n)
	}
	if n, err := r.count("BoardRegions"); err != nil {
		return err
	} else if n > 1 {
		return refuse("the board has %d regions with layer stacks of their own, as rigid-flex boards do", n)
	}
	unknown := map[string]bool{}
	for _, f := range r.in.Folders() {
		if low := strings.ToLower(f); harmless[low] || strings.Contains(low, "viol") {
			continue
		}
		if n, err := r.count(f); err == nil && n > 0 {
			unknown[f] = true
		}
	}
	if len(unknown) > 0 {
		names := slices.Sorted(maps.Keys(unknown))
		r.finding(pcb.Warning, "records_unknown", "the file holds records of kinds that are not known: %s; compare the pictures with your design, or send Gerbers", strings.Join(names[:min(len(names), 8)], ", "))
	}
	return nil
}

// count is how many records a stream's header states; 0 where there is no stream.
func (r *reader) count(name string) (int, error) {
	h, err := r.in.Stream(name, "Header")
	if errors.Is(err, compound.ErrNone) {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("%s: %w", name, err)
	}
	c := &cursor{data: h}
	n := c.u32()
	return int(min(n, 1<<30)), nil
}

// readUncounted reads a stream whose header does not count its pieces; what is damaged in
// it ends it.
func (r *reader) readUncounted(name string, read func(*cursor) error) error {
	data, err := r.stream(name)
	if err != nil {
		return err
	}
	for c := (&cursor{data: data}); len(c.data) > 0 && c.err == nil; {
		if !r.meter.Spend(pcb.Shapes, 1) {
			return r.meter.Err()
		}
		if err := read(c); err != nil {
			return err
		}
	}
	return nil
}
