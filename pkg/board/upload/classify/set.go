package classify

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/format/gbrjob"
	"boardorder/pkg/board/internal/parallel"
	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/sources"
)

// A Set is a whole upload, classified.
type Set struct {
	Results []*Result // in the order of the files
	Groups  []Group
	Jobs    map[int]*gbrjob.Job // by index of the job file

	loose []loosePair
}

// A Group is the artwork of one board, or what could not be joined to any.
type Group struct {
	Name    string
	Members []int // indexes into Set.Results
	Layers  int   // copper layers: the files and the numbers they carry

	OpenSpans []OpenSpan
}

// Classify judges all files of an upload together.
func Classify(files []File) *Set { return ClassifyAnswered(files, nil) }

// ClassifyAnswered is Classify with what the customer says of the files.
func ClassifyAnswered(files []File, fileAnswers *answers.FileAnswers) *Set {
	s := &Set{Jobs: map[int]*gbrjob.Job{}}
	for i := range files {
		s.Results = append(s.Results, newResult(&files[i]))
	}
	s.formats()
	s.stripCommonWords()
	s.solderSides()
	s.visitResults((*Result).evidence)
	s.shortNames()
	s.preferNames()
	s.reports()
	s.readFileLists()
	s.readFilmLists()
	s.jobs()
	s.projects()
	s.answers(fileAnswers)
	for _, r := range s.Results {
		r.settle()
	}
	s.demoteOutlines()
	s.sidesAlone()
	s.applyOrderNotes()
	s.visitResults((*Result).settleProcess)
	s.copies()
	s.backups()
	s.group()
	for g := range s.Groups {
		s.complete(&s.Groups[g])
	}
	return s
}

// visitResults looks at several files at once.
func (s *Set) visitResults(do func(*Result)) {
	_ = parallel.Run(context.Background(), len(s.Results), func(i int) { do(s.Results[i]) }) // nothing ends it
}

// formats finds the format of every file.
func (s *Set) formats() {
	roots := odbRoots(s.Results)
	s.visitResults(func(r *Result) {
		lower := strings.ToLower(strings.ReplaceAll(r.Name, "\\", "/"))
		if i := slices.IndexFunc(roots, func(root string) bool { return strings.HasPrefix(lower, root) }); i >= 0 && !systemLeftover(r.Name) {
			r.Format, r.Why = sources.ODB, "part of an ODB++ job"
		} else {
			r.Format, r.Why = r.formatOf()
		}
		r.Role = companionRole(r.Format)
		r.Confidence = 0.9
	})
}

// Formats are the formats of the files, in their order.
func (s *Set) Formats() []string {
	out := make([]string, len(s.Results))
	for i, r := range s.Results {
		out[i] = r.Format
	}
	return out
}

// HoldsBoard tells whether a file holds a whole board.
func (s *Set) HoldsBoard() bool {
	return slices.ContainsFunc(s.Results, func(r *Result) bool {
		_, whole := sources.Find(r.Format)
		return whole
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
		for n > 0 && senses[rs[0].words[n-1]]&(saysLayer|saysCopper|saysInner) != 0 {
			n-- // L1_TOP, L2_GND: the word that all begin with tells what the number is of
		}
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
			if _, ok := extensionEvidence(r.ext); !ok && !drillExtensions[r.ext] && r.ext != "txt" && n > 0 {
				return n - 1
			}
		}
	}
	return n
}

var drillFunctionLine = pattern.Lazy(`TF\.FileFunction,([^*\r\n%]+)`)

// evidence collects what the file itself and its name say.
func (r *Result) evidence() {
	switch r.Format {
	case FormatGerber:
		r.Evidence = append(r.Evidence, readComments(r.file.Data)...)
		r.NegativeFilm, r.ShowsEdge, r.ShowsScores = filmRecord(r.file.Data)
		r.nameEvidence()
	case FormatExcellon:
		w := Evidence{Role: pcb.RoleDrill, Weight: weightComment, Why: "content is an NC program", Plating: platingOf(r.words)}
		r.Evidence = append(r.Evidence, w)
		if m := drillFunctionLine().FindSubmatch(r.file.Data[:min(len(r.file.Data), scanLimit)]); m != nil {
			if w, ok := Function(string(m[1])); ok && w.Role == pcb.RoleDrill {
				r.Evidence = append(r.Evidence, w)
			}
		}
		from, to, numbers, ok := spanOf(r.words)
		if !ok {
			from, to, ok = eagleSpan(r.ext)
			numbers = ok
		}
		if ok {
			r.spanByNumbers = numbers
			r.Evidence = append(r.Evidence, Evidence{Role: pcb.RoleDrill, From: from, To: to, Weight: weightName, Why: "span in the name"})
		}
	}
}

func (r *Result) nameEvidence() {
	if w, ok := extensionEvidence(r.ext); ok {
		r.InternalPlane = internalPlane().MatchString(r.ext)
		if w.Role == pcb.RoleDrill { // a Gerber is no NC program
			w.Role = pcb.RoleDrillDrawing
		}
		r.Evidence = append(r.Evidence, w)
	}
	if p, ok := wholeNames[strings.ToLower(r.base)]; ok && r.ext == "" {
		w := extensions[p]
		w.Weight, w.Why = weightName, "name "+strconv.Quote(r.base)
		r.Evidence = append(r.Evidence, w)
		return
	}
	if strings.Contains(r.stem, "_+_") { // how ODB++ names its component layers
		r.Evidence = append(r.Evidence, Evidence{Role: pcb.RoleAssembly, Weight: weightName + 1, Why: "name of a component layer"})
		return
	}
	if w, ok := padsNameEvidence(r.stem); ok {
		r.Plane = padsPlane(r.stem)
		r.Evidence = append(r.Evidence, w)
		return
	}
	if w, ok := stemEvidence(r.stem, r.ext); ok {
		r.Evidence = append(r.Evidence, w)
		return
	}
	if w, ok := wordsEvidence(r.words, "name "+strconv.Quote(r.base)); ok {
		r.Evidence = append(r.Evidence, w)
	}
	if _, known := extensionEvidence(r.ext); !known && len(r.ext) > 3 { // an extension that is words, as PasteTop
		if w, ok := wordsEvidence(splitWords(r.rawExt), "extension ."+r.rawExt); ok {
			r.Evidence = append(r.Evidence, w)
		}
	}
}

// preferNames lets the name speak before the extension where several files of a folder
// have the same one: "Board Outline.GBL" beside "Bottom Layer.GBL" is no copper.
func (s *Set) preferNames() {
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
		agrees := slices.ContainsFunc(rs, func(r *Result) bool { return r.nameIndex(role) >= 0 })
		for _, r := range rs {
			if i := r.rivalNameIndex(role); i >= 0 && agrees && r.nameIndex(role) < 0 {
				r.Evidence[i].Weight = weightExtension + 1
			}
		}
	}
}

// nameIndex is the index of what the name says, where that is a role; -1 for none.
func (r *Result) nameIndex(role pcb.Role) int {
	return slices.IndexFunc(r.Evidence, func(w Evidence) bool { return strings.HasPrefix(w.Why, "name ") && w.Role == role })
}

// rivalNameIndex is the index of what the name says plainly, where that is another role; -1 for
// none.
func (r *Result) rivalNameIndex(role pcb.Role) int {
	return slices.IndexFunc(r.Evidence, func(w Evidence) bool {
		return strings.HasPrefix(w.Why, "name ") && w.Weight >= weightName && w.Role != role && w.Role != pcb.RoleUnknown
	})
}

// sidesAlone takes what is called by a side and words that nobody knows out of the
// copper, where another file of the folder is the copper of that side for certain: "Top
// Heatspreader" beside "Top Copper" is something that lies on top. Beside a mere "Top" it
// may be another plot of the copper, which is asked. Pads alone are a master of Altium's.
func (s *Set) sidesAlone() {
	type place struct {
		dir  string
		side pcb.Side
	}
	at := func(r *Result) place { return place{r.dir, r.Side} }
	sure, mere := map[place]bool{}, map[place]bool{}
	for _, r := range s.Results {
		if !r.outerCopper() {
			continue
		}
		if _, rest := recogniseWords(joinWords(r.words)); !r.SideOnly(pcb.RoleCopper) {
			sure[at(r)] = true
		} else if len(rest) == 0 {
			mere[at(r)] = true
		}
	}
	for _, r := range s.Results {
		if !r.outerCopper() || !r.SideOnly(pcb.RoleCopper) || !sure[at(r)] || mere[at(r)] {
			continue
		}
		if r.Order = 0; hasWord(r.words, "pad", "pads") {
			r.Role, r.Confidence, r.Why = pcb.RoleOther, 0.7, "pads by its name, and another file is the copper of that side"
			continue
		}
		r.Role, r.Side, r.Confidence = pcb.RoleUnknown, pcb.NoSide, 0
		r.Why = "its name says a side and nothing else that is known, and another file is the copper of that side"
	}
}

// outerCopper tells whether a Gerber file is copper of an outer side.
func (r *Result) outerCopper() bool {
	return r.Format == FormatGerber && r.Role == pcb.RoleCopper && (r.Side == pcb.Top || r.Side == pcb.Bottom)
}

// settle turns the evidence into the file's role.
func (r *Result) settle() {
	if !r.artwork() {
		return
	}
	w, confidence := verdict(r.Evidence)
	r.Role, r.Side, r.Order, r.rank = w.Role, w.Side, w.Order, w.Rank
	r.FromLayer, r.ToLayer, r.Plating = w.From, w.To, w.Plating
	r.Confidence = confidence
	if w.Why != "" {
		r.Why = w.Why
	} else {
		r.Why = "nothing tells what this artwork is for"
	}
	named := drillExtensions[r.ext] || r.ext == "" && strings.EqualFold(r.base, "drl")
	if r.Format == FormatGerber && (r.Role == pcb.RoleDrill || named && (r.Role == pcb.RoleDrillDrawing || r.Role == pcb.RoleUnknown)) {
		r.drillArtwork()
	}
}
