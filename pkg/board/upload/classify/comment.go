package classify

import (
	"bytes"
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/internal/process"
	"boardorder/pkg/board/pcb"
)

// scanLimit is how far into a file comments and attributes are looked for;
// tools write them first, old ones after the apertures.
const scanLimit = 64 << 10

var (
	physicalOrder = pattern.Lazy(`^Layer_Physical_Order=(\d{1,3})$`)
	allegroLayer  = pattern.Lazy(`^Layer:\s+([A-Z0-9 _\-]+)/(.+)$`)
	allegroFilm   = pattern.Lazy(`^Film Name:\s+(.+)$`)
	filmMode      = pattern.Lazy(`(?i)^Mode:\s+Negative\b`)
	plainLayer    = pattern.Lazy(`^Layer\s*:\s*([A-Za-z][\w .\-]*)$`)
	gedaTitle     = pattern.Lazy(`^Title: (?:[^,]*), (.+)$`)
	gedaGroup     = pattern.Lazy(`^GROUP(\d{1,2})$`)
	gedaLayers    = pattern.Lazy(`^contains layers (.+)$`)
)

// gerberComments yields the text of G04 comments and of %LN, %IN and %TF
// commands at the head of a Gerber file.
func gerberComments(data []byte, yield func(kind, text string)) {
	data = data[:min(len(data), scanLimit)]
	for len(data) > 0 {
		end := 0
		for end < len(data) && data[end] != '*' && data[end] != '\n' && data[end] != '\r' {
			end++
		}
		stmt := data[:end]
		data = data[min(end+1, len(data)):]
		if end == 0 || drawing(stmt[0]) {
			continue
		}
		stmt = bytes.TrimLeft(bytes.TrimSpace(stmt), "%")
		switch {
		case bytes.HasPrefix(stmt, []byte("G04")), bytes.HasPrefix(stmt, []byte("G4 ")):
			text := strings.TrimSpace(strings.TrimLeft(string(stmt[3:]), " :"))
			if a, ok := strings.CutPrefix(text, "#@!"); ok {
				yield("attribute", strings.TrimSpace(a))
			} else {
				yield("comment", text)
			}
		case bytes.HasPrefix(stmt, []byte("TF")):
			yield("attribute", string(stmt))
		case bytes.HasPrefix(stmt, []byte("LN")):
			yield("name", string(stmt[2:]))
		}
	}
}

// drawing tells the first letters of the statements that most of a file consists
// of.
func drawing(c byte) bool { return c == 'X' || c == 'Y' || c == 'D' }

// readComments reads what a Gerber file says about itself.
func readComments(data []byte) []Evidence {
	var out []Evidence
	var allegro allegroFilmSet
	var pcad pcadFilm
	gerberComments(data, func(kind, text string) {
		switch kind {
		case "attribute":
			if v, ok := strings.CutPrefix(text, "TF.FileFunction,"); ok {
				if w, ok := Function(v); ok {
					out = append(out, w)
				}
			}
		case "name":
			if m := gedaGroup().FindStringSubmatch(text); m != nil { // between top and bottom; its title may say that it is no copper
				n, _ := strconv.Atoi(m[1])
				out = append(out, Evidence{Role: pcb.RoleCopper, Side: pcb.Inner, Rank: float64(n), Weight: weightName, Why: "layer name " + strconv.Quote(text)})
				return
			}
			if w, ok := wordsEvidence(splitWords(text), "layer name "+text); ok {
				w.Weight = weightHint
				out = append(out, w)
			}
		default:
			allegro.add(text)
			pcad.add(text)
			if w, ok := commentEvidence(text); ok {
				out = append(out, w)
			}
		}
	})
	for _, verdict := range []func() (Evidence, bool){allegro.verdict, pcad.verdict} {
		if w, ok := verdict(); ok {
			out = append(out, w)
		}
	}
	return out
}

// customLayer is how EasyEDA Pro calls a layer of the user's own, which is no copper.
var customLayer = pattern.Lazy(`^CustomLayer\d*$`)

// commentEvidence reads one comment of Altium, EasyEDA, gEDA or Siemens.
func commentEvidence(text string) (Evidence, bool) {
	if m := physicalOrder().FindStringSubmatch(text); m != nil {
		n, _ := strconv.Atoi(m[1])
		w := Evidence{Role: pcb.RoleCopper, Order: n, Weight: weightComment, Why: "comment " + strconv.Quote(text)}
		if n == 1 {
			w.Side = pcb.Top
		}
		return w, n > 0
	}
	if m := gedaLayers().FindStringSubmatch(text); m != nil {
		w, ok := wordsEvidence(splitWords(m[1]), "comment "+text)
		if !ok || w.Role != pcb.RoleCopper {
			w = Evidence{Role: pcb.RoleCopper, Why: "comment " + strconv.Quote(text)}
		}
		w.Weight, w.Side = weightComment, gedaSide(m[1])
		return w, true
	}
	for _, re := range []func() *regexp.Regexp{plainLayer, gedaTitle} {
		m := re().FindStringSubmatch(text)
		if m == nil {
			continue
		}
		if customLayer().MatchString(m[1]) {
			return Evidence{Role: pcb.RoleOther, Weight: weightComment, Why: "comment " + text}, true
		}
		called := strings.ReplaceAll(strings.TrimSuffix(m[1], ".gdo"), "solder side", "bottom side") // solder alone is the mask
		w, ok := wordsEvidence(splitWords(called), "comment "+text)
		w.Weight = min(w.Weight+2, weightComment)
		return w, ok
	}
	return Evidence{}, false
}

// gedaSide tells the side from gEDA's layer names, component and solder.
func gedaSide(layers string) pcb.Side {
	l := strings.ToLower(layers)
	switch {
	case strings.Contains(l, "component"), strings.Contains(l, "-comp"):
		return pcb.Top
	case strings.Contains(l, "solder"), strings.Contains(l, "-sldr"):
		return pcb.Bottom
	}
	return pcb.NoSide
}

// filmRecord reads the record that Allegro writes at the head of a film: whether it says
// that the film is a negative of copper, and that it shows the board's edge or V-scores,
// beside what else it shows.
func filmRecord(data []byte) (negative, edge, scores bool) {
	const record = 8 << 10
	var film allegroFilmSet
	gerberComments(data[:min(len(data), record)], func(kind, text string) {
		if kind == "comment" {
			film.add(text)
			negative = negative || filmMode().MatchString(text)
		}
	})
	return negative && film.countCopper() == 1, film.showsEdge(), film.showsScores()
}

// An allegroFilmSet gathers the classes and subclasses that a film of Allegro
// was made of.
type allegroFilmSet struct {
	film   string
	layers [][2]string
}

func (a *allegroFilmSet) add(text string) {
	if m := allegroFilm().FindStringSubmatch(text); m != nil {
		a.film = m[1]
	} else if m := allegroLayer().FindStringSubmatch(text); m != nil {
		a.layers = append(a.layers, [2]string{m[1], strings.ToUpper(m[2])})
	}
}

func (a *allegroFilmSet) has(part string) bool { return a.count(part) > 0 }

// count is how many of the film's layers have a part in their names.
func (a *allegroFilmSet) count(part string) int {
	n := 0
	for _, l := range a.layers {
		if strings.Contains(l[0]+"/"+l[1], part) {
			n++
		}
	}
	return n
}

// countCopper counts the copper layers that a film shows.
func (a *allegroFilmSet) countCopper() int {
	layers := map[string]bool{}
	for _, l := range a.layers {
		if l[0] == "ETCH" || l[0] == "CONDUCTOR" {
			layers[l[1]] = true
		}
	}
	return len(layers)
}

// sideOf is the side of the subclasses with a prefix. A film that shows both is of
// the side in its name.
func (a *allegroFilmSet) sideOf(prefix string) pcb.Side {
	first, both := pcb.NoSide, false
	for _, l := range a.layers {
		side := pcb.NoSide
		if rest, ok := strings.CutPrefix(l[1], prefix); ok {
			switch {
			case strings.HasPrefix(rest, "TOP"), strings.HasPrefix(rest, "PRIM"):
				side = pcb.Top
			case strings.HasPrefix(rest, "BOT"), strings.HasPrefix(rest, "SEC"):
				side = pcb.Bottom
			}
		}
		both = both || first != pcb.NoSide && side != pcb.NoSide && side != first
		first = cmp.Or(first, side)
	}
	if both {
		return cmp.Or(sideInName(a.film), first)
	}
	return first
}

func sideInName(name string) pcb.Side {
	var all sense
	for _, w := range splitWords(name) {
		all |= senses[w]
	}
	return sideOf(all)
}

// verdict judges a film by its subclasses: a film of pins and etch is copper, one
// with the drill silkscreen or with several layers of etch is a drawing, whatever else
// they show.
func (a *allegroFilmSet) verdict() (Evidence, bool) {
	w := Evidence{Weight: weightComment, Why: "Allegro film " + strconv.Quote(a.film)}
	switch {
	case len(a.layers) == 0:
		return w, false
	case a.process() != "" && a.countCopper() == 0:
		w.Role, w.Process = pcb.RoleOther, a.process()
	case a.has("NCLEGEND") || a.has("NCDRILL_LEGEND"):
		w.Role = pcb.RoleDrillDrawing
	case a.countCopper() > 1: // copper of several layers in one picture
		w.Role = pcb.RoleFabDrawing
	case a.countCopper() == 1:
		return a.copper(w), true
	case a.has("SOLDERMASK") && a.roleByName() == pcb.RolePaste: // plotted with the openings of the mask
		w.Role, w.Side = pcb.RolePaste, cmp.Or(a.sideOf("PASTEMASK_"), a.sideOf("SOLDERMASK_"))
	case a.count("SILKSCREEN") > a.count("SOLDERMASK") && a.has("SOLDERMASK") && a.roleByName() == pcb.RoleSilk: // with marks that are bare
		w.Role, w.Side = pcb.RoleSilk, a.sideOf("SILKSCREEN_")
	case a.has("SOLDERMASK"):
		w.Role, w.Side = pcb.RoleMask, a.sideOf("SOLDERMASK_")
	case a.has("PASTEMASK"):
		w.Role, w.Side = pcb.RolePaste, a.sideOf("PASTEMASK_")
	case a.has("SILKSCREEN"):
		w.Role, w.Side = pcb.RoleSilk, a.sideOf("SILKSCREEN_")
	case a.has("AUTOSILK"):
		w.Role, w.Side = pcb.RoleSilk, a.sideOf("AUTOSILK_")
	case a.has("ASSEMBLY"):
		w.Role, w.Side = pcb.RoleAssembly, a.sideOf("ASSEMBLY_")
	case a.has("PACKAGE GEOMETRY/DISPLAY_"):
		w.Role, w.Side = pcb.RoleAssembly, a.sideOf("DISPLAY_")
	case a.has("PLACE_BOUND"):
		w.Role, w.Side = pcb.RoleCourtyard, a.sideOf("PLACE_BOUND_")
	case a.has("DFA_BOUND"):
		w.Role, w.Side = pcb.RoleCourtyard, a.sideOf("DFA_BOUND_")
	case a.has("DRAWING FORMAT"):
		w.Role = pcb.RoleFabDrawing
	case a.showsEdge():
		w.Role = pcb.RoleOutline
		if !a.edgesOnly() {
			w.Weight = weightName - 1 // the edge is drawn in many a film: the name of the film may tell more
		}
	default:
		return w, false
	}
	return w, true
}

// showsScores reports whether a film shows lines of V-scores: a word of a subclass says so.
func (a *allegroFilmSet) showsScores() bool {
	return slices.ContainsFunc(a.layers, func(l [2]string) bool {
		return slices.ContainsFunc(splitWords(l[1]), func(w string) bool { return oddRoles[w] == pcb.RoleVCut })
	})
}

// process is what a film is for that a plain board is made without: by the subclasses of
// what is manufactured.
func (a *allegroFilmSet) process() pcb.Process {
	for _, l := range a.layers {
		if p := process.Find(l[1]); p != "" && l[0] != "DRAWING FORMAT" {
			return p
		}
	}
	return ""
}

// showsEdge reports whether a film shows the board's edge.
func (a *allegroFilmSet) showsEdge() bool {
	return a.has("BOARD GEOMETRY/OUTLINE") || a.has("BOARD GEOMETRY/DESIGN_OUTLINE")
}

// roleByName is what the name of the film says that it is for.
func (a *allegroFilmSet) roleByName() pcb.Role {
	w, _ := wordsEvidence(splitWords(a.film), "")
	return w.Role
}

// edgesOnly reports whether a film shows nothing but the edge and what is cut.
func (a *allegroFilmSet) edgesOnly() bool {
	for _, l := range a.layers {
		if l[0] != "BOARD GEOMETRY" && l[1] != "PHOTOPLOT_OUTLINE" {
			return false
		}
	}
	return true
}

func (a *allegroFilmSet) copper(w Evidence) Evidence {
	w.Role, w.Side = pcb.RoleCopper, pcb.Inner
	for _, l := range a.layers {
		if l[0] != "ETCH" && l[0] != "CONDUCTOR" {
			continue
		}
		switch l[1] {
		case "TOP", "PRIMARY":
			w.Side = pcb.Top
		case "BOTTOM", "SECONDARY":
			w.Side = pcb.Bottom
		default:
			n, absolute := layerNumber(splitWords(l[1]))
			if absolute {
				w.Order = n
			} else {
				w.Rank = float64(n)
			}
		}
	}
	return w
}
