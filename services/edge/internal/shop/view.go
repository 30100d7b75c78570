package shop

import (
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/uploads"
	"boardorder/services/edge/internal/checkout"
	"boardorder/services/edge/internal/quote"
	"boardorder/services/edge/internal/web"
)

// boardPage is a board with what it costs.
type boardPage struct {
	checkout.Frame
	Address   string // of the page, without what was chosen
	Name      string // foreign words
	Waiting   *waitingView
	Pictures  []pictureView
	Rows      []rowView
	Price     *priceView
	Review    *reviewView
	Refusal   *refusalView
	Questions []questionView
	Hidden    []inputView
	Options   []optionView
	Boards    []choiceView // where the files hold several
	Countries []choiceView
	Chosen    map[string]string // what was typed or ticked, by field
	LeaveOff  []choiceView
	Findings  []findingView
	ReportURL string
	Files     []fileView
	Notes     []string
	KeptUntil time.Time

	TeamLabel, AsDesignedLabel, PickLabel string
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
type fileView struct{ Name, Role, Why string }

// findingView is one thing that was found in the design.
type findingView struct {
	Serious bool
	What    string
}

const boardTitle = "Your board"

func (s *Shop) unpackingView(id string) boardPage {
	return boardPage{Frame: s.frame(boardTitle), Address: s.self(id), Waiting: &waitingView{Heading: "Your files are being unpacked", Text: "They have all arrived.", Again: s.self(id)}}
}

// boardView puts together what is known of a board.
func (s *Shop) boardView(c *web.Call, id string, up uploads.Brief, f choices, made quote.Outcome) (boardPage, error) {
	read, err := s.readingOf(c, up, made)
	if err != nil {
		return boardPage{}, err
	}
	at, query := s.self(id), url.Values(f).Encode()
	v := boardPage{Frame: s.frame(boardTitle), Address: at, KeptUntil: up.ExpiresAt, TeamLabel: teamLabel, AsDesignedLabel: asDesignedLabel, PickLabel: pickLabel}
	b, found := boardIn(read, f, made)
	now := s.factsOf(f, b, made)
	v.Name, v.Rows = shorten(b.Name, 120), s.rowViews(now)
	if found {
		v.Pictures = pictureViews(at, b, s.lookQuery(f, now), boards.FilesDigest(read.Digest), read.Digest)
		v.ReportURL = at + "/report?" + query
	}
	v.Files = fileViews(read)
	switch {
	case made.Refusal != nil:
		v.Refusal, v.Questions = s.refusalView(*made.Refusal), s.questionViews(f, *made.Refusal, read)
	case made.Quote == nil:
		v.Waiting = &waitingView{Heading: "Reading your files and pricing your board", Text: contract.Sentence(made.Progress), Seconds: int(made.Elapsed / time.Second), Again: at + "?" + query}
	default:
		s.addQuote(&v, made)
	}
	v.LeaveOff = leaveOffViews(f, made.Refusal)
	v.Hidden, v.Options = listAnswers(f, v.Questions), s.optionViews(f, now, v.Questions)
	v.Boards, v.Countries, v.Chosen = s.boardChoices(f, read, v.Questions), s.countryChoices(f), fieldValues(f)
	return v, nil
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

func (s *Shop) countryChoices(f choices) []choiceView {
	out := []choiceView{{Label: "Not chosen yet"}}
	for _, c := range s.countries {
		out = append(out, choiceView{Value: c.Code, Label: c.Name, Chosen: c.Code == strings.ToUpper(f.get("country"))})
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
		out = append(out, choiceView{"b" + strconv.Itoa(i), b.Name, shorten(b.Name, 120), b.Name == f.get("board")})
	}
	return out
}

// leaveOffViews are parts without a usable position, which can be left off, and those that
// are left off already.
func leaveOffViews(f choices, r *contract.Refusal) []choiceView {
	var out []choiceView
	chosen := map[string]bool{}
	for _, list := range f[leaveOff] {
		chosen[list] = list != ""
	}
	if r != nil {
		for _, p := range r.OffBoard {
			out = append(out, leaveOffView(p.Reference, chosen[p.Reference]))
			delete(chosen, p.Reference)
		}
	}
	for _, list := range slices.Sorted(maps.Keys(chosen)) {
		if chosen[list] {
			out = append(out, leaveOffView(list, true))
		}
	}
	return out
}

// leaveOffView is a tick whose id stays with its parts, wherever in the list they come.
func leaveOffView(refs string, chosen bool) choiceView {
	return choiceView{ID: "off-" + contract.DeriveID(refs)[:12], Value: refs, Label: shorten(strings.ReplaceAll(refs, ",", ", "), 200), Chosen: chosen}
}

// findingViews are findings for people, the gravest first as they come.
func findingViews(list []contract.Finding) []findingView {
	var out []findingView
	for _, f := range list {
		out = append(out, findingView{f.Level == "must_fix", plain.Replace(f.Sentence())})
	}
	return out
}

// maxFiles is how many files the page lists; the report has all.
const maxFiles = 200

func fileViews(read boards.ReadFiles) []fileView {
	var out []fileView
	for _, one := range read.Files[:min(len(read.Files), maxFiles)] {
		role := strings.ReplaceAll(one.Role, "_", " ")
		if role == "silk" {
			role = "silkscreen"
		}
		if one.Side != "" {
			role = one.Side + " " + role
		}
		if one.Layer > 0 {
			role += " (layer " + strconv.Itoa(one.Layer) + ")"
		}
		out = append(out, fileView{shorten(one.Name, 120), role, shorten(one.Why, 200)})
	}
	return out
}

func shorten(text string, most int) string { return untrusted.Shorten(text, most) }
