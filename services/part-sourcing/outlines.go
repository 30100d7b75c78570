package partsourcing

import (
	"bytes"
	"context"
	"encoding/xml"
	"fmt"
	"slices"

	"boardorder/pkg/board/geom"
	"boardorder/services/part-sourcing/internal/assembly"
	"boardorder/services/part-sourcing/internal/kit"
	"boardorder/services/part-sourcing/internal/placement"
	"boardorder/services/part-sourcing/internal/refdes"
)

// pictureMargin is what pictures of boards show round them.
const pictureMargin = geom.Millimetre

// draw keeps the outlines of the parts on each side, as pictures that lie over
// those of the board.
func (s *assembler) draw(ctx context.Context, w *work) error {
	for _, side := range []struct {
		of  placement.Side
		key *string
	}{{placement.Top, &w.state.TopSVG}, {placement.Bottom, &w.state.BottomSVG}} {
		picture := w.outlines(side.of)
		if picture == nil {
			continue
		}
		key := w.prefix + string(side.of) + ".svg"
		if _, err := s.blobs.Put(ctx, key, bytes.NewReader(picture), int64(len(picture)), "image/svg+xml"); err != nil {
			return fmt.Errorf("keep %s: %w", key, err)
		}
		*side.key = key
	}
	return nil
}

// How parts are drawn: those that are fitted, that the customer supplies, and
// that stay off.
var strokes = map[string]string{
	"fitted": `fill="#ffd54a" fill-opacity=".45" stroke="#7a4b00"`, "supplied": `fill="#6ec6ff" fill-opacity=".55" stroke="#003c6b"`,
	"off": `fill="none" stroke="#b00020" stroke-dasharray=".6 .4"`,
}

// maxOutlines bounds the parts that are drawn.
const maxOutlines = 20_000

// outlines draws the parts of a side as an SVG that covers the same area as the
// board's picture of it; nil where none are.
func (w *work) outlines(side placement.Side) []byte {
	frame := w.kit.Frame.Grow(pictureMargin)
	var body bytes.Buffer
	n := 0
	for i := range w.plan.Lines {
		l := &w.plan.Lines[i]
		if l.Mechanical {
			continue
		}
		for _, ref := range l.Refs {
			o, ok := w.kit.Outlines[ref]
			if ok && o.Side == side && n < maxOutlines && frame.Overlaps(o.Box) {
				n++
				outlineOf(&body, ref, lineState(l), o, frame)
			}
		}
	}
	if n == 0 || frame.Width() <= 0 || frame.Height() <= 0 {
		return nil
	}
	return slices.Concat(fmt.Appendf(nil,
		`<svg xmlns="http://www.w3.org/2000/svg" width="%[1]smm" height="%[2]smm" viewBox="0 0 %[1]s %[2]s" stroke-width=".12">`, mm(frame.Width()), mm(frame.Height())), body.Bytes(), []byte("</svg>\n"))
}

func lineState(l *assembly.Line) string {
	switch {
	case l.LeftOff:
		return "off"
	case l.CustomerSupplied:
		return "supplied"
	}
	return "fitted"
}

// outlineOf draws one part. The bottom is drawn as one looks at it.
func outlineOf(out *bytes.Buffer, ref, how string, o kit.Outline, frame geom.Box) {
	x := o.Box.Min.X - frame.Min.X
	if o.Side == placement.Bottom {
		x = frame.Max.X - o.Box.Max.X
	}
	fmt.Fprintf(out, `<rect x="%s" y="%s" width="%s" height="%s" rx=".15" %s>`, mm(x), mm(frame.Max.Y-o.Box.Max.Y), mm(o.Box.Width()), mm(o.Box.Height()), strokes[how])
	if refdes.Is(ref) {
		out.WriteString("<title>")
		_ = xml.EscapeText(out, []byte(ref)) // a buffer takes everything
		out.WriteString("</title>")
	}
	out.WriteString("</rect>")
}

// mm writes nanometres in millimetres.
func mm(nm int64) string { return fmt.Sprintf("%.2f", float64(nm)/1e6) }
