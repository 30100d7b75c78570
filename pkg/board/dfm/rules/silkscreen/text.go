package silkscreen

import (
	"context"
	"fmt"
	"strings"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/internal/measure"
	"boardorder/pkg/board/dfm/internal/rule"
	"boardorder/pkg/board/dfm/internal/words"
	"boardorder/pkg/board/pcb"
)

// Text judges lettering.
var Text = rule.Rule{Judges: []dfm.Name{dfm.SilkHeight, dfm.TextMirrored}, Run: texts}

// texts judges lettering by what the files state of it: its height, and whether it
// reads the right way round from the side that it is on.
func texts(_ context.Context, in *measure.Input) rule.Result {
	g := silkscreenCheck(in, dfm.SilkHeight)
	var mirrored rule.Places
	known, drawnOnly := 0, false
	for _, l := range in.Board.Layers {
		if l.Role != pcb.RoleSilk && l.Role != pcb.RoleCopper && l.Role != pcb.RoleMask {
			continue
		}
		known += len(l.Texts)
		drawnOnly = drawnOnly || l.Role == pcb.RoleSilk && len(l.Texts) == 0 && measure.IsDrawn(l)
		for _, t := range l.Texts {
			if strings.TrimSpace(t.Text) == "" {
				continue
			}
			p := dfm.Place{Layer: l.Name, At: t.At, To: t.At, Value: t.Height, Objects: [2]string{"text " + clip(t.Text)}}
			if l.Role == pcb.RoleSilk && t.Height > 0 {
				g.Add(p)
			}
			if isBackwards(l.Side, &t) {
				p.Value = 0
				mirrored.AddUnmeasured(p)
			}
		}
	}
	r := silkscreenResult(g, func(j rule.Breach) string {
		return fmt.Sprintf("The silkscreen has %s lower than %s (down to %s): %s may not be legible.",
			words.Plural(j.Count, "text"), words.MM(j.Limit), words.MM(j.Value), words.Inflect(j.Count, "it", "they"))
	})
	r.Add(rule.PlaceFinding(dfm.TextMirrored, dfm.Warning, func(n int) string {
		return fmt.Sprintf("%s backwards from the side that %s on: text on the bottom has to be mirrored, text on the top not.", words.Plural(n, "text")+" "+words.Inflect(n, "reads", "read"), words.Inflect(n, "it is", "they are"))
	}, &mirrored))
	if known == 0 && drawnOnly {
		r.Unchecked = append(r.Unchecked, "height and mirroring of text: the files hold text as lines only")
	}
	return r
}

func clip(s string) string {
	const most = 40
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > most {
		return string(r[:most]) + "…"
	}
	return string(r)
}

// isBackwards reports whether a text cannot be read from its side of the board.
func isBackwards(s pcb.Side, t *pcb.Text) bool {
	if s != pcb.Top && s != pcb.Bottom || t.Mirrored == (s == pcb.Bottom) {
		return false
	}
	return !symmetric(t.Text)
}

// symmetric reports whether a mirror leaves a text as it is.
func symmetric(s string) bool {
	r := []rune(strings.TrimSpace(s))
	for i := range r {
		if r[i] != r[len(r)-1-i] || !strings.ContainsRune("AHIMOTUVWXYilmotuvwxy018+-=*.:|°'\" ", r[i]) {
			return false
		}
	}
	return true
}
