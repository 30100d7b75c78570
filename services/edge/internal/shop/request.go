package shop

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"boardorder/pkg/address"
	"boardorder/pkg/board/untrusted"
	"boardorder/pkg/language"
	"boardorder/services/edge/internal/web"
)

// Fields of the page's form that are properties of a quote request of the same name.
var (
	numbers = []string{"quantity", "layers", "thickness_mm", "copper_oz", "inner_copper_oz"}
	whole   = map[string]bool{"quantity": true, "layers": true}
	words   = []string{"surface_finish", "solder_mask", "material", "via_process", "fab_stackup", "board", "special_notes"}
	flags   = []string{"assembly", "special_requirements", "skip_board_checks", "staff_picks_parts", impedanceField}
	places  = []string{"country", "postal_code"}
)

// Names of fields that answer questions.
const (
	answerPrefix = "answer-"   // a JSON object: the property of the request, and its value
	textPrefix   = "say-"      // then the property: what was typed
	sizePrefix   = "size-"     // then a tool and a file: millimetres
	leaveOff     = "leave_off" // references of parts, with commas between
)

// goField is sent by who goes on to the checkout, together with all that was chosen: nothing
// that was typed last is left behind.
const goField = "go"

// impedanceField is only a wish: without it the files' own word counts.
const impedanceField = "impedance_controlled"

// usualBoards are priced before a number is chosen.
const usualBoards = "10"

// choices are what a visitor chose, as the page's address has it.
type choices url.Values

// notChosen are fields of the page's address or form that choose nothing.
var notChosen = []string{"challenge", "answer", "files", trap}

func choicesOf(c *web.Call) choices {
	form, err := url.ParseQuery(string(c.Fiber.Request().URI().QueryString()))
	if err != nil {
		form = url.Values{} // as though nothing was chosen
	}
	for _, name := range notChosen {
		form.Del(name)
	}
	if form.Get("quantity") == "" {
		form.Set("quantity", usualBoards)
	}
	return choices(form)
}

// get is what a single field has, numbers and codes in plain characters.
func (f choices) get(name string) string {
	v := untrusted.CleanLine(url.Values(f).Get(name))
	switch {
	case slices.Contains(numbers, name):
		return address.Fold(v)
	case name == "postal_code":
		return address.FoldPostalCode(v)
	}
	return v
}

// language is the code of the language that a link chose, or "".
func (f choices) language() string {
	if code := f.get(web.LanguageField); language.Find(code).Code == code {
		return code
	}
	return ""
}

// namesPlace reports whether it says where the boards go.
func (f choices) namesPlace() bool {
	return slices.ContainsFunc(places, func(name string) bool { return f.get(name) != "" })
}

func (f choices) isSet(name string) bool { return f.get(name) == "yes" }

// body is the quote request that the choices make. Whoever chooses nothing takes the
// standard; what that cannot answer comes back as questions.
func (f choices) body(uploadID string) map[string]any {
	body := map[string]any{"upload_id": uploadID, "standard_for_unstated": true}
	for _, name := range numbers {
		if v := f.get(name); v != "" {
			body[name] = number(v)
			if whole[name] {
				body[name] = wholeNumber(v)
			}
		}
	}
	for _, name := range words {
		if v := url.Values(f).Get(name); v != "" {
			body[name] = v
		}
	}
	for _, name := range flags { // also what was not chosen: a file may state otherwise
		if f.isSet(name) || name != impedanceField {
			body[name] = f.isSet(name)
		}
	}
	to := map[string]any{}
	for _, name := range places {
		if v := f.get(name); v != "" {
			to[name] = v
		}
	}
	if to["country"] != nil {
		body["ship_to"] = to
	}
	if refs := f.refs(); len(refs) > 0 {
		body["do_not_fit_refs"] = refs
	}
	f.answer(body)
	return body
}

// number is a JSON number, or the text where it is none, which is refused for it.
func number(text string) any {
	n := json.Number(strings.Replace(address.Fold(text), ",", ".", 1))
	if _, err := n.Float64(); err != nil || !json.Valid([]byte(n)) {
		return text
	}
	return n
}

// grouped is a whole number with its thousands apart.
var grouped = regexp.MustCompile(`^[0-9]{1,3}(?:[., ’\'\x{a0}\x{202f}][0-9]{3})+$`)

// wholeNumber is a number of digits alone, or the text where it is none, which is refused for it.
func wholeNumber(text string) any {
	digits := text
	if grouped.MatchString(text) {
		digits = notDigits.ReplaceAllString(text, "")
	}
	if n, err := strconv.Atoi(digits); err == nil && strconv.Itoa(n) == digits {
		return json.Number(digits)
	}
	return text
}

var notDigits = regexp.MustCompile(`[^0-9]`)

// refs are the parts to be left off.
func (f choices) refs() []any {
	var out []any
	for _, list := range f[leaveOff] {
		for ref := range strings.SplitSeq(list, ",") {
			if ref = strings.TrimSpace(ref); ref != "" {
				out = append(out, ref)
			}
		}
	}
	return out
}

// bare are the choices without any part.
func (f choices) bare() url.Values {
	out := maps.Clone(url.Values(f))
	for _, name := range []string{"assembly", "staff_picks_parts", leaveOff} {
		out.Del(name)
	}
	return out
}

// answer puts answers to questions into a request.
func (f choices) answer(body map[string]any) {
	for name, values := range f {
		value := cmp.Or(values...) // several questions may ask for one property
		switch {
		case value == "":
		case strings.HasPrefix(name, answerPrefix):
			var a struct {
				Field string `json:"field"`
				Value any    `json:"value"`
			}
			d := json.NewDecoder(strings.NewReader(value))
			d.UseNumber()
			if d.Decode(&a) == nil {
				put(body, a.Field, a.Value)
			}
		case strings.HasPrefix(name, textPrefix):
			put(body, strings.TrimPrefix(name, textPrefix), parseTyped(strings.TrimPrefix(name, textPrefix), value))
		case strings.HasPrefix(name, sizePrefix):
			tool, file, _ := strings.Cut(strings.TrimPrefix(name, sizePrefix), "-")
			put(body, "file_answers.tool_sizes", map[string]any{file: map[string]any{tool: number(value)}})
		}
	}
}

// parseTyped is what was typed, in the form that a property takes.
func parseTyped(field, text string) any {
	switch {
	case strings.HasPrefix(field, "fab_options."):
		return number(text)
	case field != "file_answers.layer_order":
		return text
	}
	list := []any{}
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			list = append(list, line)
		}
	}
	return list
}

// put sets a property of a request that answers may set, by its path: objects and lists that
// are there get more.
func put(body map[string]any, field string, value any) {
	group, name, nested := strings.Cut(field, ".")
	if !nested || group != "file_answers" && group != "fab_options" {
		return
	}
	in, ok := body[group].(map[string]any)
	if !ok {
		in = map[string]any{}
		body[group] = in
	}
	in[name] = merge(in[name], value)
}

func merge(old, more any) any {
	switch more := more.(type) {
	case map[string]any:
		if have, ok := old.(map[string]any); ok {
			for name, v := range more {
				have[name] = merge(have[name], v)
			}
			return have
		}
	case []any:
		if have, ok := old.([]any); ok {
			return append(have, more...)
		}
	}
	return more
}
