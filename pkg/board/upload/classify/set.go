package classify

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board"
	"boardorder/pkg/board/format/gbrjob"
	"boardorder/pkg/board/internal/parallel"
	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/upload/sidefiles/report"
)

// A Set is a whole upload, classified.
type Set struct {
	Results []*Result // in the order of the files
	Groups  []Group
	Jobs    map[int]*gbrjob.Job // by index of the job file
}

// A Group is the artwork of one board, or what could not be joined to any.
type Group struct {
	Name    string
	Members []int // indexes into Set.Results
	Layers  int   // copper layers: the files and the numbers they carry
}

// Classify judges all files of an upload together.
func Classify(files []File) *Set {
	s := &Set{Jobs: map[int]*gbrjob.Job{}}
	for i := range files {
		s.Results = append(s.Results, newResult(&files[i]))
	}
	s.formats()
	s.stripCommonWords()
	s.solderSides()
	s.each((*Result).witnesses)
	s.shortNames()
	s.sharedExtensions()
	s.reports()
	s.jobs()
	s.projects()
	for _, r := range s.Results {
		r.settle()
	}
	s.sidesAlone()
	s.copies()
	s.backups()
	s.group()
	for g := range s.Groups {
		s.complete(&s.Groups[g])
	}
	return s
}

// each looks at several files at once.
func (s *Set) each(do func(*Result)) {
	_ = parallel.Each(context.Background(), len(s.Results), func(i int) { do(s.Results[i]) }) // nothing ends it
}

// formats finds the format of every file.
func (s *Set) formats() {
	roots := odbRoots(s.Results)
	s.each(func(r *Result) {
		lower := strings.ToLower(strings.ReplaceAll(r.Name, "\\", "/"))
		if i := slices.IndexFunc(roots, func(root string) bool { return strings.HasPrefix(lower, root) }); i >= 0 && !systemLeftover(r.Name) {
			r.Format, r.Why = FormatODB, "part of an ODB++ job"
		} else {
			r.Format, r.Why = r.formatOf()
		}
		r.Role = companionRole(r.Format)
		r.Confidence = 0.9
	})
}

// stripCommonWords takes from every artwork name in a folder the words that
// all of them begin with: those name the board, not the role.
func (s *Set) stripCommonWords() {
	byDir := map[string][]*Result{}
	for _, r := range s.Results {
		if r.artwork() {
			byDir[r.dir] = append(byDir[r.dir], r)
		}
	}
	for _, rs := range byDir {
		if len(rs) < 4 {
			continue
		}
		n := commonPrefix(rs)
		for _, r := range rs {
			r.rest = strings.Join(r.words[:n], " ")
			r.words = r.words[n:]
		}
	}
}

// solderSides settles what "sst" means: silk screen top, but traces of the solder
// side among files of which one is "cst", traces of the component side.
func (s *Set) solderSides() {
	sides := map[string]bool{}
	for _, r := range s.Results {
		sides[r.dir] = sides[r.dir] || r.artwork() && slices.Contains(r.words, "cst")
	}
	for _, r := range s.Results {
		if i := slices.Index(r.words, "sst"); i >= 0 && sides[r.dir] {
			r.words = slices.Concat(r.words[:i], []string{"bottom", "copper"}, r.words[i+1:])
		}
	}
}

// commonPrefix counts the words that all names begin with; every name keeps at
// least one unless its extension speaks for it.
func commonPrefix(rs []*Result) int {
	n := len(rs[0].words)
	for _, r := range rs[1:] {
		n = min(n, len(r.words))
		for i := range n {
			if r.words[i] != rs[0].words[i] {
				n = i
				break
			}
		}
	}
	for _, r := range rs {
		if len(r.words) == n {
			if _, ok := byExtension(r.ext); !ok && !drillExtensions[r.ext] && r.ext != "txt" && n > 0 {
				return n - 1
			}
		}
	}
	return n
}

var drillFunctionLine = pattern.Lazy(`TF\.FileFunction,([^*\r\n%]+)`)

// witnesses collects what the file itself and its name say.
func (r *Result) witnesses() {
	switch r.Format {
	case FormatGerber:
		r.Witnesses = append(r.Witnesses, byComments(r.file.Data)...)
		r.NegativeFilm, r.ShowsEdge = negativeFilm(r.file.Data), showsEdge(r.file.Data)
		r.nameWitnesses()
	case FormatExcellon:
		w := Witness{Role: board.RoleDrill, Weight: weightComment, Why: "content is an NC program", Plating: platingOf(r.words)}
		r.Witnesses = append(r.Witnesses, w)
		if m := drillFunctionLine().FindSubmatch(r.file.Data[:min(len(r.file.Data), scanLimit)]); m != nil {
			if w, ok := Function(string(m[1])); ok && w.Role == board.RoleDrill {
				r.Witnesses = append(r.Witnesses, w)
			}
		}
		from, to, ok := spanOf(r.words)
		if !ok {
			from, to, ok = eagleSpan(r.ext)
		}
		if ok {
			r.spanByName = true
			r.Witnesses = append(r.Witnesses, Witness{Role: board.RoleDrill, From: from, To: to, Weight: weightName, Why: "span in the name"})
		}
	}
}

func (r *Result) nameWitnesses() {
	if w, ok := byExtension(r.ext); ok {
		r.InternalPlane = internalPlane().MatchString(r.ext)
		if w.Role == board.RoleDrill { // a Gerber is no NC program
			w.Role = board.RoleDrillDrawing
		}
		r.Witnesses = append(r.Witnesses, w)
	}
	if p, ok := wholeNames[strings.ToLower(r.base)]; ok && r.ext == "" {
		w := extensions[p]
		w.Weight, w.Why = weightName, "name "+strconv.Quote(r.base)
		r.Witnesses = append(r.Witnesses, w)
		return
	}
	if strings.Contains(r.stem, "_+_") { // how ODB++ names its component layers
		r.Witnesses = append(r.Witnesses, Witness{Role: board.RoleAssembly, Weight: weightName + 1, Why: "name of a component layer"})
		return
	}
	if w, ok := byPADSName(r.stem); ok {
		r.Plane = padsPlane(r.stem)
		r.Witnesses = append(r.Witnesses, w)
		return
	}
	if w, ok := byStem(r.stem, r.ext); ok {
		r.Witnesses = append(r.Witnesses, w)
		return
	}
	if w, ok := byWords(r.words, "name "+strconv.Quote(r.base)); ok {
		r.Witnesses = append(r.Witnesses, w)
	}
	if _, known := byExtension(r.ext); !known && len(r.ext) > 3 { // an extension that is words, as PasteTop
		if w, ok := byWords(splitWords(r.rawExt), "extension ."+r.rawExt); ok {
			r.Witnesses = append(r.Witnesses, w)
		}
	}
}

// sharedExtensions lets the name speak before the extension where several files of a folder
// have the same one: "Board Outline.GBL" beside "Bottom Layer.GBL" is no copper.
func (s *Set) sharedExtensions() {
	type place struct{ dir, ext string }
	files := map[place][]*Result{}
	for _, r := range s.Results {
		if _, ok := extensions[r.ext]; ok && r.Format == FormatGerber {
			k := place{r.dir, r.ext}
			files[k] = append(files[k], r)
		}
	}
	for k, rs := range files {
		role := extensions[k.ext].Role
		agrees := slices.ContainsFunc(rs, func(r *Result) bool { return r.named(role) >= 0 })
		for _, r := range rs {
			if i := r.namedOther(role); i >= 0 && agrees && r.named(role) < 0 {
				r.Witnesses[i].Weight = weightExtension + 1
			}
		}
	}
}

// named is the index of what the name says, where that is a role; -1 for none.
func (r *Result) named(role board.Role) int {
	return slices.IndexFunc(r.Witnesses, func(w Witness) bool { return strings.HasPrefix(w.Why, "name ") && w.Role == role })
}

// namedOther is the index of what the name says plainly, where that is another role; -1 for
// none.
func (r *Result) namedOther(role board.Role) int {
	return slices.IndexFunc(r.Witnesses, func(w Witness) bool {
		return strings.HasPrefix(w.Why, "name ") && w.Weight >= weightName && w.Role != role && w.Role != board.RoleUnknown
	})
}

// toBottom stands for the bottom layer, whatever its number, until the layers of
// the board are counted.
const toBottom = 1000

var (
	spanNumbers = pattern.Lazy(`(?:^| )(?:l )?(\d{1,2}) (?:l )?(\d{1,2})$`)
	spanWords   = pattern.Lazy(`(?:^| )(front|f cu|in (\d{1,2})) (back|b cu|in (\d{1,2}))$`)
)

var eagleSpanExtension = pattern.Lazy(`^(0[1-9]|1[0-5])(0[2-9]|1[0-6])$`)

// eagleSpan reads the extension that EAGLE gives to the drills between two layers:
// 0102, 1516. The bottom is 16 whatever the number of layers.
func eagleSpan(ext string) (from, to int, ok bool) {
	m := eagleSpanExtension().FindStringSubmatch(ext)
	if m == nil {
		return 0, 0, false
	}
	from, _ = strconv.Atoi(m[1])
	to, _ = strconv.Atoi(m[2])
	return from, to, from < to
}

// spanOf reads a span at the end of a drill file's name, such as board-1-4 or
// KiCad's board-in1-back.
func spanOf(words []string) (from, to int, ok bool) {
	name := strings.Join(words, " ")
	if m := spanWords().FindStringSubmatch(name); m != nil {
		from, to = 1, toBottom
		if n, err := strconv.Atoi(m[2]); err == nil {
			from = n + 1
		}
		if n, err := strconv.Atoi(m[4]); err == nil {
			to = n + 1
		}
		return from, to, from < to
	}
	m := spanNumbers().FindStringSubmatch(name)
	if m == nil {
		return 0, 0, false
	}
	from, _ = strconv.Atoi(m[1])
	to, _ = strconv.Atoi(m[2])
	return from, to, from >= 1 && to > from && to <= 64
}

// reports lets Altium's reports speak for the files they were written with.
func (s *Set) reports() {
	for _, r := range s.Results {
		switch r.Format {
		case FormatExtRep:
			s.extensionReport(r, report.Extensions(r.file.Data))
		case FormatLayerPairs:
			s.layerPairs(r, report.LayerPairs(r.file.Data))
		}
	}
	for _, r := range s.Results {
		if r.Format == FormatReport {
			s.plotReport(r, report.Plotted(r.file.Data))
		}
	}
}

// plotReport lets the report of a plot speak for the files that it names, where the
// report of extensions does not: all of them may be called .gbr.
func (s *Set) plotReport(rep *Result, layers map[string]string) {
	for _, r := range s.Results {
		desc := layers[strings.ToLower(r.base)]
		if desc != "" && r.dir == rep.dir && r.Format == FormatGerber && r.extDesc == "" {
			r.called(desc, rep.base)
		}
	}
}

// beside gives the artwork of a file's archive.
func (s *Set) beside(r *Result) []*Result {
	var out []*Result
	for _, a := range s.Results {
		if a.artwork() && a.Archive() == r.Archive() {
			out = append(out, a)
		}
	}
	return out
}

// near gives the artwork a report was written with: that of the same name in
// the same archive, or all of the archive's when none has its name.
func (s *Set) near(r *Result) []*Result {
	all := s.beside(r)
	var same []*Result
	for _, a := range all {
		if strings.HasPrefix(strings.ToLower(a.stem), strings.ToLower(r.stem)) {
			same = append(same, a)
		}
	}
	if len(same) > 1 {
		return same
	}
	return all
}

func (s *Set) extensionReport(rep *Result, layers map[string]string) {
	for _, r := range s.near(rep) {
		if desc, ok := layers[r.ext]; ok && r.Format == FormatGerber {
			r.called(desc, rep.base)
		}
	}
}

// called adds what Altium's report of a plot calls the layer. People rename layers, and
// swap their names; the extension is the layer's own, so that it says the side.
func (r *Result) called(desc, report string) {
	r.extDesc = desc
	w, ok := byDescription(desc, report+" calls it "+desc)
	if !ok {
		return
	}
	w.Weight = weightReport
	if (w.Role == board.RoleMechanical || w.Role == board.RoleKeepOut || strings.EqualFold(desc, multiLayer)) && len(r.Witnesses) > 0 {
		return // Protel users draw outlines there: the name says nothing
	}
	if own := extensions[r.ext]; own.Role == w.Role && opposite(own.Side, w.Side) {
		r.Doubt = fmt.Sprintf("%s calls it %q, while the extension .%s is that of the %s, which was taken", report, desc, r.rawExt, own.Side)
		return
	}
	if w.Role == board.RoleCopper && w.Side == board.Inner && w.Rank > 0 {
		w.Order = 0
	}
	r.Witnesses = append(r.Witnesses, w)
}

func opposite(a, b board.Side) bool {
	return a == board.Top && b == board.Bottom || a == board.Bottom && b == board.Top
}

// multiLayer is how Altium calls the lands of holes, which are on every layer.
const multiLayer = "Multi-Layer"

// byDescription is what Altium's name of a layer says. Whatever stack a mask is of,
// its name ends in Solder; and what is only said to be on top, "3D Top", need not
// be copper.
func byDescription(desc, why string) (Witness, bool) {
	words := splitWords(desc)
	if strings.EqualFold(desc, multiLayer) {
		return Witness{Role: board.RoleOther, Why: why}, true
	}
	if n := len(words); n > 1 && words[n-1] == "solder" {
		words[n-1] = "soldermask"
	}
	w, ok := byWords(words, why)
	if _, rest := understood(joined(words)); w.Role == board.RoleCopper && w.Weight < weightName && len(rest) > 0 {
		return w, false
	}
	return w, ok
}

func (s *Set) layerPairs(rep *Result, pairs []report.LayerPair) {
	var all []string // the layers of the pair that passes them all
	for _, p := range pairs {
		if len(p.Layers) > len(all) {
			all = p.Layers
		}
	}
	for _, p := range pairs {
		from, to := 1+slices.Index(all, p.Layers[0]), 1+slices.Index(all, p.Layers[len(p.Layers)-1])
		for _, r := range s.beside(rep) {
			if r.Format == FormatExcellon && strings.EqualFold(r.base, p.DrillFile) && from > 0 && to > from {
				r.Witnesses = append(r.Witnesses, Witness{Role: board.RoleDrill, From: from, To: to, Weight: weightReport, Why: "layer pair in " + strconv.Quote(rep.base)})
			}
		}
	}
	for _, r := range s.near(rep) {
		i := slices.Index(all, r.ext)
		if i < 0 || r.Format != FormatGerber {
			continue
		}
		w := Witness{Role: board.RoleCopper, Side: board.Inner, Order: i + 1, Weight: weightReport, Why: "layer order in " + strconv.Quote(rep.base)}
		if i == 0 {
			w.Side = board.Top
		} else if i == len(all)-1 {
			w.Side = board.Bottom
		}
		r.Witnesses = append(r.Witnesses, w)
	}
}

// jobs lets job files speak for the files they list.
func (s *Set) jobs() {
	for i, j := range s.Results {
		if j.Format != FormatJob {
			continue
		}
		job := gbrjob.Read(j.file.Data)
		s.Jobs[i] = job
		for _, f := range job.Files {
			w, ok := Function(f.Function)
			if !ok {
				continue
			}
			w.Weight, w.Why = weightJob, "job file "+strconv.Quote(j.base)+" lists it as "+strconv.Quote(f.Function)
			for _, r := range s.Results {
				if r.artwork() && strings.EqualFold(r.base, path.Base(f.Path)) {
					r.Witnesses = append(r.Witnesses, w)
				}
			}
		}
	}
}

// sidesAlone takes what is called by a side and words that nobody knows out of the
// copper, where another file of the folder is the copper of that side for certain: "Top
// Heatspreader" beside "Top Copper" is something that lies on top. Beside a mere "Top" it
// may be another plot of the copper, which is asked. Pads alone are a master of Altium's.
func (s *Set) sidesAlone() {
	type place struct {
		dir  string
		side board.Side
	}
	at := func(r *Result) place { return place{r.dir, r.Side} }
	sure, mere := map[place]bool{}, map[place]bool{}
	for _, r := range s.Results {
		if !r.outerCopper() {
			continue
		}
		if _, rest := understood(joined(r.words)); !r.bySideOnly() {
			sure[at(r)] = true
		} else if len(rest) == 0 {
			mere[at(r)] = true
		}
	}
	for _, r := range s.Results {
		if !r.outerCopper() || !r.bySideOnly() || !sure[at(r)] || mere[at(r)] {
			continue
		}
		if r.Order = 0; hasWord(r.words, "pad", "pads") {
			r.Role, r.Confidence, r.Why = board.RoleOther, 0.7, "pads by its name, and another file is the copper of that side"
			continue
		}
		r.Role, r.Side, r.Confidence = board.RoleUnknown, board.NoSide, 0
		r.Why = "its name says a side and nothing else that is known, and another file is the copper of that side"
	}
}

// outerCopper tells whether a Gerber file is copper of an outer side.
func (r *Result) outerCopper() bool {
	return r.Format == FormatGerber && r.Role == board.RoleCopper && (r.Side == board.Top || r.Side == board.Bottom)
}

// bySideOnly tells whether a file is copper for no better reason than that its name has
// a side.
func (r *Result) bySideOnly() bool {
	return !slices.ContainsFunc(r.Witnesses, func(w Witness) bool { return w.Role == board.RoleCopper && w.Weight > weightHint+1 })
}

// settle turns the witnesses into the file's role.
func (r *Result) settle() {
	if !r.artwork() {
		return
	}
	w, confidence := verdict(r.Witnesses)
	r.Role, r.Side, r.Order, r.rank = w.Role, w.Side, w.Order, w.Rank
	r.FromLayer, r.ToLayer, r.Plating = w.From, w.To, w.Plating
	r.Confidence = confidence
	if w.Why != "" {
		r.Why = w.Why
	} else {
		r.Why = "nothing tells what this artwork is for"
	}
	named := drillExtensions[r.ext] || r.ext == "" && strings.EqualFold(r.base, "drl")
	if r.Format == FormatGerber && (r.Role == board.RoleDrill || named && (r.Role == board.RoleDrillDrawing || r.Role == board.RoleUnknown)) {
		r.drillArtwork()
	}
}

// drillArtwork tells a drawing of the holes from the holes themselves, drawn as
// flashes and nothing else, or as strokes in a file of slots.
func (r *Result) drillArtwork() {
	if profileOnly(r.file.Data) {
		r.Role, r.Side, r.Plating, r.Confidence = board.RoleOutline, board.NoSide, board.PlatingUnknown, 0.9
		r.FromLayer, r.ToLayer = 0, 0
		r.Why = "all that it draws with states to be the board's profile"
		return
	}
	flashes, strokes := countDraws(r.file.Data)
	stated := slices.IndexFunc(r.Witnesses, func(w Witness) bool { return w.Role == board.RoleDrill && w.Weight >= weightJob })
	r.Role = board.RoleDrillDrawing
	r.Confidence = max(r.Confidence, 0.6)
	switch {
	case stated >= 0 && (flashes+strokes == 0 || drillTools(r.file.Data)):
		r.Role = board.RoleDrill // with the plating that is stated; slots are strokes
		if curve().Match(r.file.Data) {
			r.Doubt = "it also draws arcs or areas, which were not taken for holes: send what is milled so as a drill program too"
		}
		return
	case flashes > 0 && strokes == 0:
		r.Why = "a drill file by name that flashes and draws nothing else"
	case strokes > 0 && hasWord(r.words, "slotholes", "slots"):
		r.Why = "slots by name, each a stroke"
	default:
		if stated >= 0 {
			r.Doubt = "it says of itself that it holds holes (" + r.Witnesses[stated].Why + "), and draws other things too: no hole was taken from it"
		}
		return
	}
	r.Role = board.RoleDrill
	if r.Plating == board.PlatingUnknown || stated < 0 {
		r.Plating = platingOf(r.words)
	}
}

var (
	apertureFunction = pattern.Lazy(`TA\.AperFunction,([^,*]+)`)
	curve            = pattern.Lazy(`[IJ]-?\d+D0?1\*|G36\*`)
)

// profileOnly tells whether every aperture that a Gerber file defines is stated to draw the
// board's profile: Proteus calls its layer of the edge a file of holes without plating.
func profileOnly(data []byte) bool {
	tools := apertureFunction().FindAllSubmatch(data, -1)
	return len(tools) > 0 && !slices.ContainsFunc(tools, func(m [][]byte) bool { return string(m[1]) != "Profile" })
}

// drillTools tells whether every tool that a Gerber file defines is stated to be one that
// drills or mills slots: each flash is a hole then, and each stroke a slot.
func drillTools(data []byte) bool {
	tools := apertureFunction().FindAllSubmatch(data, -1)
	for _, m := range tools {
		if f := string(m[1]); !strings.HasSuffix(f, "Drill") && f != "Slot" {
			return false
		}
	}
	return len(tools) > 0
}
