package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/board/testkit/blind/truth"
)

// outcome is how one property that would be sold compares with the truth.
type outcome string

const (
	right  outcome = "right"
	asked  outcome = "asked"       // not sold: a question, a stop or the team
	said   outcome = "wrong, said" // sold otherwise, and the reply names the property beside it
	silent outcome = "WRONG"       // sold otherwise without a word
)

// A verdict is what came of one property.
type verdict struct {
	property, want, got string
	outcome             outcome
}

// answer is what of a reply is compared.
type answer struct {
	Mode    string
	Error   string
	Details map[string]any    `json:"board_details"`
	From    map[string]string `json:"board_details_from"`
	Notes   []string
	Reasons []string `json:"custom_quote_reasons"`
}

// options are what is sold beside what every board has, by name.
func (a answer) options() map[string]any {
	out := map[string]any{}
	if more, ok := a.Details["fab_options"].(map[string]any); ok {
		maps.Copy(out, more)
	}
	for name, value := range a.Details {
		if value == true {
			out[name] = value
		}
	}
	return out
}

type file struct {
	Name, Role, Board string
	Layer             int
}

// judge compares a reply with what is true of the design, property by property.
func judge(d *truth.Design, r *replies) []verdict {
	var a answer
	var upload struct{ Classified []file }
	// What is no reply of the service's shape sold nothing.
	_ = json.Unmarshal(r.Quote, &a)
	_ = json.Unmarshal(r.Upload, &upload)
	out := measures(d, a)
	for _, property := range slices.Sorted(maps.Keys(d.Sold)) {
		want := d.Sold[property]
		switch property {
		case "order":
			out = append(out, order(want, a, upload.Classified))
		case "pieces": // of which a reply says something only where there are several
		case "special":
			for feature := range strings.SplitSeq(want, ";") {
				if feature = strings.TrimSpace(feature); feature != "plated slots" { // every board may have them
					out = append(out, special(feature, a))
				}
			}
		default:
			out = append(out, option(property, want, a))
		}
	}
	return out
}

// measures compares layers and size, within half the pen of an outline.
func measures(d *truth.Design, a answer) []verdict {
	const tolerance = 0.15
	var out []verdict
	for _, m := range []struct {
		property string
		want     float64
		within   float64
	}{{"layers", float64(d.Layers), 0}, {"width_mm", d.Width, tolerance}, {"height_mm", d.Height, tolerance}} {
		if m.want == 0 {
			continue
		}
		v := verdict{property: m.property, want: fmt.Sprint(m.want), got: fmt.Sprint(a.Details[m.property]), outcome: asked}
		if got, ok := a.Details[m.property].(float64); ok && a.Mode == "instant" {
			v.outcome = grade(math.Abs(got-m.want) <= m.within, m.property, a)
		}
		out = append(out, v)
	}
	return out
}

// option compares what a file states with what is sold. What no file states may be the
// standard, and must not be claimed from a file.
func option(property, want string, a answer) verdict {
	v := verdict{property: property, want: want, got: fmt.Sprint(a.Details[property]), outcome: asked}
	if a.Mode != "instant" {
		return v
	}
	if want == truth.Unstated {
		v.got = cmp.Or(a.From[property], "standard")
		v.outcome = grade(!strings.HasPrefix(v.got, "file:"), property, a)
		return v
	}
	v.outcome = grade(equal(want, a.Details[property]), property, a)
	return v
}

func equal(want string, got any) bool {
	if n, ok := got.(float64); ok {
		w, err := strconv.ParseFloat(want, 64)
		return err == nil && math.Abs(w-n) < 0.005
	}
	return strings.EqualFold(want, fmt.Sprint(got))
}

func grade(correct bool, property string, a answer) outcome {
	switch {
	case correct:
		return right
	case mentions(strings.Join(a.Notes, "\n"), property):
		return said
	}
	return silent
}

// words are what a note may call a property.
var words = map[string][]string{
	"thickness_mm": {"thick"}, "copper_oz": {"copper"}, "inner_copper_oz": {"inner copper"}, "surface_finish": {"finish", "hasl", "enig"},
	"solder_mask": {"mask"}, "material": {"material", "laminate", "fr-4"}, "via_process": {"via"}, "layers": {"layer"},
	"width_mm": {"outline", "size"}, "height_mm": {"outline", "size"}, "order": {"order", "layer"}, "pieces": {"board"},
}

func mentions(text, property string) bool {
	names := words[property]
	if names == nil {
		names = []string{strings.ReplaceAll(property, "_", " ")}
	}
	text = strings.ToLower(text)
	return slices.ContainsFunc(names, func(w string) bool { return strings.Contains(text, strings.ToLower(w)) })
}

// order compares the copper files from top to bottom, parted by |.
func order(want string, a answer, files []file) verdict {
	copper := slices.DeleteFunc(slices.Clone(files), func(f file) bool { return f.Layer == 0 })
	slices.SortFunc(copper, func(a, b file) int { return cmp.Compare(a.Layer, b.Layer) })
	var names []string
	for _, f := range copper {
		names = append(names, f.Name)
	}
	want = strings.ReplaceAll(want, "!/", "/") // members of archives, as uploads name them
	v := verdict{property: "order", want: want, got: strings.Join(names, "|"), outcome: asked}
	if a.Mode == "instant" {
		v.outcome = grade(v.got == want, "order", a)
	}
	return v
}

// special is right where the feature is in the order's options or with the team, and
// silent where an instant reply names it nowhere.
func special(feature string, a answer) verdict {
	v := verdict{property: "special", want: feature, got: a.Mode + a.Error, outcome: asked}
	if a.Mode != "instant" {
		return v
	}
	for key := range a.options() {
		if mentions(strings.ReplaceAll(key, "_", " "), feature) {
			v.outcome = right
			return v
		}
	}
	v.outcome = silent
	if mentions(strings.Join(slices.Concat(a.Notes, a.Reasons), "\n"), feature) {
		v.outcome = said
	}
	return v
}

// tally counts outcomes by property and prints whatever is not right.
type tally struct {
	w       io.Writer
	counts  map[string]map[outcome]int
	answers map[string]int // by mode or error
}

func newTally(w io.Writer) *tally {
	return &tally{w: w, counts: map[string]map[outcome]int{}, answers: map[string]int{}}
}

// A bareJudge counts what judge says of designs whose truth is known.
type bareJudge struct {
	*tally
	known map[string]*truth.Design
}

func newJudge(w io.Writer) (bareJudge, error) {
	known, err := truth.Designs()
	return bareJudge{newTally(w), known}, err
}

func (j bareJudge) add(name string, r *replies) {
	design := j.known[name]
	if design == nil {
		design = &truth.Design{}
	}
	j.tally.add(name, r, judge(design, r))
}

func (t *tally) add(name string, r *replies, verdicts []verdict) {
	var a answer
	_ = json.Unmarshal(r.Quote, &a)
	t.answers[a.Mode+a.Error]++
	fmt.Fprintf(t.w, "%-48s %3d %-20s %5.1f s\n", name, r.Status, a.Mode+a.Error, r.Took.Seconds())
	for _, v := range verdicts {
		if t.counts[v.property] == nil {
			t.counts[v.property] = map[outcome]int{}
		}
		t.counts[v.property][v.outcome]++
		if v.outcome == said || v.outcome == silent {
			fmt.Fprintf(t.w, "    %s: %s is %s, sold as %s\n", v.outcome, v.property, v.want, v.got)
		}
	}
}

func (t *tally) summary() {
	fmt.Fprintf(t.w, "\n%-18s %6s %6s %12s %6s\n", "", right, asked, said, silent)
	for _, p := range slices.Sorted(maps.Keys(t.counts)) {
		c := t.counts[p]
		fmt.Fprintf(t.w, "%-18s %6d %6d %12d %6d\n", p, c[right], c[asked], c[said], c[silent])
	}
	for _, a := range slices.Sorted(maps.Keys(t.answers)) {
		fmt.Fprintf(t.w, "%s: %d\n", a, t.answers[a])
	}
}
