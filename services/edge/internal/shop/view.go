package shop

import (
	"maps"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/language"
	"boardorder/services/edge/internal/checkout"
	"boardorder/services/edge/internal/quote"
	"boardorder/services/edge/internal/web"
)

// boardPage is a board with what it costs.
type boardPage struct {
	checkout.Frame
	Address    string // of the page, without what was chosen
	Name       string // foreign words
	Waiting    *waitingView
	Pictures   []pictureView
	Rows       []rowView
	Price      *priceView
	Table      *tableView
	TableURL   string // where the page has the table
	Cheaper    *cheaperView
	CheaperURL string // where the page says what would be cheaper
	Review     *reviewView
	Refusal    *refusalView
	Questions  []questionView
	Hidden     []inputView
	Options    []optionView
	More       []optionView // that few choose
	Boards     []choiceView // where the files hold several
	Countries  []choiceView
	Chosen     map[string]string // what was typed or ticked, by field
	LeaveOff   []choiceView
	Fingers    string // what the price makes of gold fingers, where that is not gold
	BareURL    string // where no part is fitted
	Boardless  bool   // the files were read, and hold no board
	AddFirst   bool   // more files are what is asked for
	Findings   []findingView
	ReportURL  string
	Files      []fileView
	Notes      []said
	KeptUntil  time.Time
	Lang       string // that a link chose, or ""
	Words      string // of the script
	Detail     string // of what was refused, in English
	Add        addView
}

// addView is where more files are sent to.
type addView struct {
	Action, Challenge string
	Label             string // what to add
	Files, FileMB, MB int
}

func (s *Shop) addView(p voice, id string, f choices) addView {
	action := s.self(id) + "/files?challenge=" + s.challenges.issue() + "&" + url.Values(f).Encode()
	return addView{action, s.base + "/order-challenge", p.Text("For example a parts list or positions"), uploads.MaxFiles, uploads.MaxFileBytes >> 20, uploads.MaxBytes >> 20}
}

// waitingView says how far it is.
type waitingView struct {
	Heading, Text string
	Seconds       int
	Again         string // where the page is as it was chosen
}

// rowView is one thing that is known of the board, and from where.
type rowView struct{ Name, Value, From string }

// fileView is a file and what it was taken for: foreign words.
type fileView struct {
	Name, Role string
	Why        said
}

// findingView is one thing that was found in the design.
type findingView struct {
	Serious bool
	What    said
}

func (s *Shop) unpackingView(c *web.Call, id string) boardPage {
	p := s.voice(c)
	return boardPage{
		Frame: s.frame(c, p.Text("Your board")), Address: s.self(id), Lang: choicesOf(c).language(), Words: p.scriptWords(),
		Waiting: &waitingView{Heading: p.Text("Your files are being unpacked"), Text: p.Text("They have all arrived."), Again: s.self(id)},
	}
}

// boardView puts together what is known of a board.
func (s *Shop) boardView(c *web.Call, id string, up uploads.Brief, f choices, made quote.Outcome) (boardPage, error) {
	read, err := s.readingOf(c, up, made)
	if err != nil {
		return boardPage{}, err
	}
	at, query := s.self(id), url.Values(f).Encode()
	p := s.voice(c)
	v := boardPage{Frame: s.frame(c, p.Text("Your board")), Address: at, KeptUntil: up.ExpiresAt, Lang: f.language(), Words: p.scriptWords(), Add: s.addView(p, id, f)}
	v.Form = "choose"
	b, found := boardIn(read, f, made)
	now := s.factsOf(f, b, made)
	v.Name, v.Rows = p.boardName(b.Name), s.rowViews(p, now)
	if found {
		v.Pictures = pictureViews(p, at, b, s.lookQuery(f, now), boards.FilesDigest(read.Digest), read.Digest)
		v.ReportURL = at + "/report?" + query
	}
	v.Files = fileViews(p, read)
	switch {
	case made.Refusal != nil:
		v.Refusal, v.Questions = p.refusal(*made.Refusal, s.Now()), s.questionViews(p, f, *made.Refusal, read)
	case made.Quote == nil:
		v.Waiting = &waitingView{Heading: p.Text("Reading your files and pricing your board"), Text: p.progress(made.Progress), Seconds: int(made.Elapsed / time.Second), Again: at + "?" + query}
	default:
		s.addQuote(p, &v, made)
		if v.Price != nil {
			v.Price.Example = !f.namesPlace()
		}
		v.Fingers = s.fingers(p, now)
		v.TableURL = at + "?" + query + "&" + tableField + "=yes#table"
		v.CheaperURL = at + "?" + query + "&" + cheaperField + "=yes#cheaper"
	}
	if v.Boardless = isBoardless(read); v.Boardless {
		p.askForBoard(&v, made.Refusal)
	}
	if v.AddFirst = v.Boardless; v.Refusal != nil && v.Refusal.PlacesMissing {
		v.AddFirst, v.Add.Label = true, p.Text("The file of positions (pick-and-place, centroid) is missing")
	}
	v.LeaveOff, v.BareURL = leaveOffViews(p, f, made.Refusal), at+"?"+f.bare().Encode()
	v.Hidden, v.Options = listAnswers(f, v.Questions), s.optionViews(p, f, now, v.Questions)
	if n := len(v.Options); n > 0 && v.Options[n-1].Name == stackupField {
		v.Options, v.More = v.Options[:n-1], v.Options[n-1:]
	}
	v.Boards, v.Countries, v.Chosen = s.boardChoices(f, read, v.Questions), s.countryChoices(c, p, f), fieldValues(f)
	return v, nil
}

// progress says how far a price is.
func (p voice) progress(english string) string {
	if own := p.say(contract.Sentence(english)); !own.English {
		return own.Text
	}
	return p.Text("This takes seconds, for large boards and for parts a minute or two.")
}

// boardIn is the board that is meant, where the files hold several.
func boardIn(read boards.ReadFiles, f choices, made quote.Outcome) (boards.Board, bool) {
	switch {
	case made.Quote != nil && made.Quote.Board != "":
		return read.BoardNamed(made.Quote.Board)
	case f.get("board") != "":
		return read.BoardNamed(f.get("board"))
	case len(read.Boards) == 1:
		return read.Boards[0], true
	}
	return boards.Board{}, false
}

// fieldValues is what the form has in its single fields.
func fieldValues(f choices) map[string]string {
	out := map[string]string{}
	for _, name := range slices.Concat(numbers, words, flags, places) {
		out[name] = f.get(name)
	}
	out["special_notes"] = untrusted.Clean(url.Values(f).Get("special_notes"))
	return out
}

func (s *Shop) countryChoices(c *web.Call, p voice, f choices) []choiceView {
	out := []choiceView{{Label: p.Text("Not chosen yet")}}
	list, lifted := s.countries.Translate(p.Printer).Lift(p.HomeCountry(c.Header("Accept-Language")))
	for n, one := range list {
		out = append(out, choiceView{Value: one.Code, Label: one.Name, Chosen: one.Code == strings.ToUpper(f.get("country")), Apart: lifted && n == 0})
	}
	return out
}

// boardChoices are the boards of the files, where there are several and none is asked for.
func (s *Shop) boardChoices(f choices, read boards.ReadFiles, asked []questionView) []choiceView {
	if len(read.Boards) < 2 || slices.ContainsFunc(asked, func(q questionView) bool { return q.Name == "board" }) {
		return nil
	}
	var out []choiceView
	for i, b := range read.Boards {
		out = append(out, choiceView{ID: "b" + strconv.Itoa(i), Value: b.Name, Label: shorten(b.Name, 120), Chosen: b.Name == f.get("board")})
	}
	return out
}

// leaveOffViews are parts without a usable position, which can be left off, and those that
// are left off already.
func leaveOffViews(p voice, f choices, r *contract.Refusal) []choiceView {
	var out []choiceView
	chosen := map[string]bool{}
	for _, list := range f[leaveOff] {
		chosen[list] = list != ""
	}
	if r != nil {
		for _, part := range r.OffBoard {
			out = append(out, leaveOffView(p, part.Reference, chosen[part.Reference]))
			delete(chosen, part.Reference)
		}
	}
	for _, list := range slices.Sorted(maps.Keys(chosen)) {
		if chosen[list] {
			out = append(out, leaveOffView(p, list, true))
		}
	}
	return out
}

// leaveOffView is a tick whose id stays with its parts, wherever in the list they come.
func leaveOffView(p voice, refs string, chosen bool) choiceView {
	return choiceView{ID: "off-" + contract.DeriveID(refs)[:12], Value: refs, Label: shorten(p.List(strings.Split(refs, ",")), 200), Chosen: chosen}
}

// findingViews are findings for people, the gravest first as they come.
func findingViews(p voice, list []contract.Finding) []findingView {
	var out []findingView
	for _, f := range list {
		out = append(out, findingView{f.Level == "must_fix", p.say(f.Sentence())})
	}
	return out
}

// maxFiles is how many files the page lists; the report has all.
const maxFiles = 200

func fileViews(p voice, read boards.ReadFiles) []fileView {
	var out []fileView
	for _, one := range read.Files[:min(len(read.Files), maxFiles)] {
		out = append(out, fileView{shorten(one.Name, 120), p.role(one), p.say(shorten(one.Why, 200))})
	}
	return out
}

// roleNames are what the page calls the roles of files, where it does not call them so itself.
var roleNames = map[string]string{
	"copper": language.Key("copper"), "mask": language.Key("solder mask"), "paste": language.Key("paste"), "silk": language.Key("silkscreen"), "outline": language.Key("outline"),
	"drill": language.Key("drill"), "drill drawing": language.Key("drill drawing"), "fab drawing": language.Key("fabrication drawing"), "assembly": language.Key("assembly drawing"),
	"glue": language.Key("glue"), "mechanical": language.Key("mechanical layer"), "v-cut": language.Key("V-score"), "keep-out": language.Key("keep-out areas"), "courtyard": language.Key("courtyard"),
	"carbon": language.Key("carbon"), "peelable": language.Key("peelable mask"), "via fill": language.Key("via filling"), "gold finger": language.Key("gold fingers"),
	"other": language.Key("something else"), "unknown": language.Key("unknown"),
}

var boardFile, partsList = language.Key("board file"), language.Key("parts list")

var sideNames = map[string]string{"top": language.Key("top"), "bottom": language.Key("bottom"), "inner": language.Key("inner"), "both": language.Key("both sides")}

// boardName is what the page calls a board; "board" is one that its files do not name.
func (p voice) boardName(name string) string {
	if name == "board" {
		return p.Text("Printed circuit board")
	}
	return shorten(name, 120)
}

// role is what a file was taken for.
func (p voice) role(one boards.FileClass) string {
	role := strings.ReplaceAll(one.Role, "_", " ")
	name := roleNames[role]
	switch {
	case role != "other":
	case one.Format == "bom":
		name = partsList
	case strings.EqualFold(path.Ext(one.Name), ".kicad_pcb"):
		name = boardFile
	}
	if name != "" {
		role = p.Text(name)
	}
	if name := sideNames[one.Side]; name != "" {
		role = p.Text("%[1]s %[2]s", p.Text(name), role)
	}
	if one.Layer > 0 {
		role = p.Text("%s (layer %d)", role, one.Layer)
	}
	return role
}

func shorten(text string, most int) string { return untrusted.Shorten(text, most) }
