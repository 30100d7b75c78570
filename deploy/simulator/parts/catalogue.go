// Package parts stands in for those who sell electronic parts: two distributors,
// a search engine over many of them, and the fabricator's own library. All sell
// from one catalogue, each at prices and from a stock of its own, so that what
// one says can be held against the others.
package parts

import (
	_ "embed"
	"fmt"
	"hash/fnv"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"

	"boardorder/pkg/passive"
)

// A Part is one part of the catalogue.
type Part struct {
	MPN          string
	Manufacturer string
	Category     string
	Description  string
	Package      string
	Pins         int
	Price        int64        // millionths of a dollar for one
	Lifecycle    string       // "active", "nrnd", "eol", "obsolete"
	Replacement  string       // that the manufacturer names
	Passive      bool         // of a series that numbers its parts
	Spec         passive.Spec // of a passive part: what its data sheet states
	FabCode      string       // in the fabricator's library, where the real one's is known; else one is made up
}

//go:embed facts.txt
var facts string

// What the lists of public boards name.
//
//go:embed boards.txt
var boards string

// What the fabricator's library has by its codes.
//
//go:embed library.txt
var library string

// A Catalogue is every part, by number.
type Catalogue struct {
	Parts []Part // in order of number
	byKey map[string]int
	codes map[string]int // of the fabricator's library
}

// Load gives the catalogue: the facts and the series of passives. It is made when
// somebody first asks for a part.
var Load = sync.OnceValues(func() (*Catalogue, error) {
	parts, err := readAll()
	if err != nil {
		return nil, err
	}
	return newCatalogue(slices.Concat(parts, series())), nil
})

// readAll reads every file of facts, once for all simulators of a program.
var readAll = sync.OnceValues(func() ([]Part, error) {
	var out []Part
	named := map[string]string{}
	for _, text := range []string{facts, boards, library} {
		more, err := readFacts(text)
		if err != nil {
			return nil, err
		}
		for i := range more {
			number, code := more[i].MPN, more[i].FabCode
			if other := named[code]; code != "" && other != "" && key(other) != key(number) {
				return nil, fmt.Errorf("code %s stands for %s and for %s", code, other, number)
			}
			named[code] = number
		}
		out = append(out, more...)
	}
	return out, nil
})

func newCatalogue(parts []Part) *Catalogue {
	slices.SortStableFunc(parts, func(a, b Part) int { return strings.Compare(a.MPN, b.MPN) })
	c := &Catalogue{byKey: map[string]int{}, codes: map[string]int{}}
	for _, p := range parts {
		if i, known := c.byKey[key(p.MPN)]; !known {
			c.byKey[key(p.MPN)] = len(c.Parts)
		} else if !c.Parts[i].namesake(&p) {
			switch {
			case c.Parts[i].FabCode == "":
				c.Parts[i].FabCode = p.FabCode
			case p.FabCode != "": // the library has it in another packing as well
				c.codes[p.FabCode] = i
			}
			continue
		}
		c.Parts = append(c.Parts, p)
	}
	for i := range c.Parts {
		if code := c.Parts[i].FabCode; code != "" {
			c.codes[code] = i
		}
	}
	for i := range c.Parts {
		if c.Parts[i].FabCode != "" {
			continue
		}
		code := c.Parts[i].fictitiousCode()
		for ; ; code++ { // a code stands for one part
			if _, taken := c.codes[fmt.Sprint("C", code)]; !taken {
				break
			}
		}
		c.codes[fmt.Sprint("C", code)] = i
	}
	return c
}

// namesake reports whether q is another maker's part of the same number, as the
// fabricator's library has it under a code of its own.
func (p *Part) namesake(q *Part) bool {
	return q.FabCode != "" && p.FabCode != q.FabCode && !strings.EqualFold(initialWord(p.Manufacturer), initialWord(q.Manufacturer))
}

// initialWord is what tells makers apart: some write more behind it than others.
func initialWord(name string) string {
	word, _, _ := strings.Cut(name, " ")
	return word
}

// Find gives a part by its number, of several makers' the first; nil for none.
func (c *Catalogue) Find(mpn string) *Part {
	if i, ok := c.byKey[key(mpn)]; ok {
		return &c.Parts[i]
	}
	return nil
}

// key leaves letters and digits of a number.
func key(mpn string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, strings.ToUpper(mpn))
}

// readFacts reads the file of facts.
func readFacts(text string) ([]Part, error) {
	var out []Part
	line := 0
	for row := range strings.Lines(text) {
		line++
		if row = strings.TrimSpace(row); row == "" || row[0] == '#' {
			continue
		}
		fields := strings.SplitN(row, " | ", 3)
		if len(fields) != 3 {
			return nil, fmt.Errorf("facts line %d: %d fields", line, len(fields))
		}
		for item := range strings.SplitSeq(fields[2], "; ") {
			p, err := readItem(fields[0], fields[1], item)
			if err != nil {
				return nil, fmt.Errorf("facts line %d: %w", line, err)
			}
			if n, ok := passive.Read(p.MPN); ok { // one more of a series
				if !p.agrees(n.Spec) {
					return nil, fmt.Errorf("facts line %d: %q, and its number says %s", line, item, n.Spec)
				}
				code := p.FabCode
				p = partOfSeries(n)
				p.FabCode = code
			}
			out = append(out, p)
		}
	}
	return out, nil
}

// agrees reports whether a row says nothing of a part that its number contradicts.
func (p *Part) agrees(number passive.Spec) bool {
	s := p.Spec
	return p.Package == number.Size && (s.Kind == "" || s.Kind == number.Kind && s.Value == number.Value) && (s.Voltage == 0 || s.Voltage == number.Voltage) &&
		(s.Dielectric == "" || s.Dielectric == number.Dielectric)
}

// designators are those of passive parts, by a word in their category.
var designators = []struct{ word, ref string }{{"Resistor", "R1"}, {"Capacitor", "C1"}, {"Ferrite", "FB1"}, {"Inductor", "L1"}}

// readItem reads one part of a line. What its data sheet states of a passive part
// stands in braces: {22pF 50V C0G 5%}.
func readItem(manufacturer, category, item string) (Part, error) {
	before, rest, specified := strings.Cut(item, "{")
	text, after, closed := strings.Cut(rest, "}")
	if specified != closed {
		return Part{}, fmt.Errorf("%q: braces", item)
	}
	p, err := readFact(strings.Fields(before + " " + after))
	if err != nil {
		return Part{}, err
	}
	p.Manufacturer, p.Category = manufacturer, category
	p.Description = p.Category + ", " + p.Package
	if !specified {
		return p, nil
	}
	p.Description = p.Category + " " + text + " " + p.Package
	for _, d := range designators {
		if !strings.Contains(category, d.word) {
			continue
		}
		spec, ok := passive.Parse(passive.Line{Ref: d.ref, Value: text, Footprint: p.Package})
		if !ok {
			return Part{}, fmt.Errorf("%q is no specification of a part %s", text, p.MPN)
		}
		p.Spec = spec
	}
	return p, nil
}

func readFact(words []string) (Part, error) {
	code := ""
	if n := len(words) - 1; n > 0 && strings.HasPrefix(words[n], "@") {
		words, code = words[:n], words[n][1:]
	}
	if len(words) < 4 || len(words) > 6 {
		return Part{}, fmt.Errorf("%q has %d words", words, len(words))
	}
	pins, err := strconv.Atoi(words[2])
	if err != nil {
		return Part{}, fmt.Errorf("%q: pins: %w", words, err)
	}
	dollars, err := strconv.ParseFloat(words[3], 64)
	if err != nil {
		return Part{}, fmt.Errorf("%q: price: %w", words, err)
	}
	p := Part{MPN: strings.ReplaceAll(words[0], "~", " "), Package: words[1], Pins: pins, Price: int64(dollars*1e6 + 0.5), Lifecycle: "active", FabCode: code}
	if len(words) > 4 {
		p.Lifecycle = words[4]
	}
	if len(words) > 5 {
		p.Replacement = words[5]
	}
	return p, nil
}

// e96, e24 and e6 are the preferred values.
var (
	e96 = []int64{
		100, 102, 105, 107, 110, 113, 115, 118, 121, 124, 127, 130, 133, 137, 140, 143, 147, 150, 154, 158, 162, 165, 169, 174, 178, 182, 187, 191, 196, 200, 205, 210,
		215, 221, 226, 232, 237, 243, 249, 255, 261, 267, 274, 280, 287, 294, 301, 309, 316, 324, 332, 340, 348, 357, 365, 374, 383, 392, 402, 412, 422, 432, 442, 453,
		464, 475, 487, 499, 511, 523, 536, 549, 562, 576, 590, 604, 619, 634, 649, 665, 681, 698, 715, 732, 750, 768, 787, 806, 825, 845, 866, 887, 909, 931, 953, 976,
	}
	e24 = []int64{10, 11, 12, 13, 15, 16, 18, 20, 22, 24, 27, 30, 33, 36, 39, 43, 47, 51, 56, 62, 68, 75, 82, 91}
	e6  = []int64{10, 15, 22, 33, 47, 68}
)

// series generates what manufacturers of passives sell, numbered by their rules.
func series() []Part {
	var out []Part
	for _, size := range []string{"0201", "0402", "0603", "0805", "1206"} {
		out = append(out, seriesParts(passive.Spec{Kind: passive.Resistor, Size: size})...)
		for scale := int64(100_000); scale <= 100_000_000_000; scale *= 10 { // 1 Ω to 9.1 MΩ
			for _, e := range e24 {
				out = append(out, seriesParts(passive.Spec{Kind: passive.Resistor, Size: size, Value: e * scale})...)
			}
		}
		if size != "1206" {
			for scale := int64(100_000); scale <= 10_000_000_000; scale *= 10 { // 10 Ω to 9.76 MΩ
				for _, e := range e96 {
					out = append(out, seriesParts(passive.Spec{Kind: passive.Resistor, Size: size, Value: e * scale})...)
				}
			}
		}
		for pico := int64(2); pico < 10; pico++ {
			out = append(out, seriesParts(passive.Spec{Kind: passive.Capacitor, Size: size, Value: pico * 1000, Dielectric: "C0G", Voltage: 50_000})...)
		}
		for scale := int64(100); scale <= 10_000; scale *= 10 { // 1 pF to 910 pF
			for _, e := range e24 {
				out = append(out, seriesParts(passive.Spec{Kind: passive.Capacitor, Size: size, Value: e * scale, Dielectric: "C0G", Voltage: 50_000})...)
			}
		}
		for scale := int64(100_000_000); scale <= 10_000_000_000; scale *= 10 { // 1 µF to 680 µF
			for _, e := range e6 {
				out = append(out, seriesParts(passive.Spec{Kind: passive.Capacitor, Size: size, Value: e * scale, Dielectric: "X5R", Voltage: 6_300})...)
			}
		}
		for scale := int64(1_000); scale <= 10_000_000_000; scale *= 10 { // 10 pF to 100 µF
			for _, e := range e6 {
				for _, dielectric := range []string{"C0G", "X7R", "X5R"} {
					for _, volts := range []int64{10_000, 16_000, 25_000, 50_000} {
						out = append(out, seriesParts(passive.Spec{Kind: passive.Capacitor, Size: size, Value: e * scale, Dielectric: dielectric, Voltage: volts})...)
					}
				}
			}
		}
	}
	return out
}

func seriesParts(s passive.Spec) []Part {
	var out []Part
	for _, n := range passive.Number(s) {
		out = append(out, partOfSeries(n))
	}
	return out
}

func partOfSeries(n passive.Numbered) Part {
	p := Part{
		MPN: n.MPN, Manufacturer: n.Manufacturer, Category: "Chip Resistor - Surface Mount", Description: "RES SMD " + n.Spec.String(),
		Package: n.Spec.Size, Pins: 2, Lifecycle: "active", Passive: true, Spec: n.Spec, Price: 4_000,
	}
	if n.Spec.Kind == passive.Capacitor {
		p.Category, p.Description, p.Price = "Ceramic Capacitors", "CAP CER "+n.Spec.String(), 8_000
		p.Price += n.Spec.Value / 1_000_000 // bigger ones cost more
	}
	p.Price += int64(p.hash("price") % 4_000)
	return p
}

// Datasheet is where the part's data sheet would lie.
func (p *Part) Datasheet() string {
	return "https://datasheets.example/" + url.PathEscape(p.MPN) + ".pdf"
}

// hash is a number that belongs to the part and never changes; what tells apart
// its uses.
func (p *Part) hash(what string) uint64 {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s/%s", what, p.MPN)
	return h.Sum64()
}

// IsSoldBy reports whether a supplier sells the part.
func (p *Part) IsSoldBy(supplier string) bool {
	share := carries[supplier][0]
	if p.Passive {
		share = carries[supplier][1]
	}
	if supplier == Library && p.FabCode != "" {
		return true
	}
	if supplier == Library && strings.HasPrefix(p.Manufacturer, "UNI-ROYAL") {
		share = 100
	}
	if supplier != Library && p.Manufacturer == "UNI-ROYAL" {
		share = 0
	}
	return p.hash("sold "+supplier)%100 < share
}

// Stock is what a supplier has of the part: of one in twelve nothing.
func (p *Part) Stock(supplier string) int64 {
	h := p.hash("stock " + supplier)
	if !p.IsSoldBy(supplier) || h%12 == 0 || p.Lifecycle == "obsolete" {
		return 0
	}
	most := uint64(20_000)
	if p.Passive {
		most = 4_000_000
	}
	return int64(h / 12 % most)
}

// LeadWeeks is the factory's lead time.
func (p *Part) LeadWeeks() int { return 4 + int(p.hash("lead")%30) }

// A Break is a unit price, in millionths of a dollar, from a quantity on.
type Break struct{ From, Price int64 }

// Breaks are a supplier's prices for a packaging; a reel's begin at a whole one.
func (p *Part) Breaks(supplier string, from int64) []Break {
	base := p.Price * int64(90+p.hash("dear "+supplier)%25) / 100
	if supplier == Library {
		base = base * 7 / 10
	}
	var out []Break
	for i, quantity := range []int64{1, 10, 100, 1000, 5000, 20000} {
		if quantity >= from || i == 5 || from < []int64{10, 100, 1000, 5000, 20000, 0}[i] {
			off := []int64{100, 82, 62, 47, 40, 36}[i]
			out = append(out, Break{max(quantity, from), max(base*off/100, 1)})
		}
	}
	return slices.CompactFunc(out, func(a, b Break) bool { return a.From == b.From })
}

// Reel is how many parts a reel holds.
func (p *Part) Reel() int64 {
	switch {
	case p.Passive && (p.Package == "0201" || p.Package == "0402"):
		return 10_000
	case p.Passive:
		return 4_000
	case p.Pins <= 8:
		return 3_000
	}
	return 1_000
}

// IsTaped reports whether the part is sold on tape, cut or on a reel.
func (p *Part) IsTaped() bool {
	return p.Pins <= 48 && !strings.HasPrefix(p.Package, "TH") && !strings.HasPrefix(p.Package, "TO-220")
}

// Code is the part's code in the fabricator's library; "" where it lacks it.
func (c *Catalogue) Code(p *Part) string {
	if !p.IsSoldBy(Library) {
		return ""
	}
	return c.code(p)
}

// fictitiousCode is a number for a code of a part whose real one is not known, far
// beyond the real ones: no list that names a real code may mean this part.
func (p *Part) fictitiousCode() uint64 { return 900_000_000 + p.hash("code")%4_000_000 }

func (c *Catalogue) code(p *Part) string {
	if p.FabCode != "" {
		return p.FabCode
	}
	code := p.fictitiousCode()
	for {
		name := fmt.Sprint("C", code)
		if i, ok := c.codes[name]; ok && &c.Parts[i] == p || ok && c.Parts[i].MPN == p.MPN {
			return name
		}
		code++
	}
}

// PartByCode gives the part of a code in the fabricator's library; nil for none.
func (c *Catalogue) PartByCode(code string) *Part {
	i, ok := c.codes[strings.ToUpper(code)]
	if !ok || !c.Parts[i].IsSoldBy(Library) {
		return nil
	}
	return &c.Parts[i]
}

// Basic reports whether the part is always loaded at the fabricator.
func (p *Part) Basic() bool {
	return p.Manufacturer == "UNI-ROYAL" || p.Passive && p.hash("basic")%10 == 0
}
