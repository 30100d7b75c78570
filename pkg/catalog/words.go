package catalog

import (
	"bytes"
	_ "embed"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

//go:embed aliases.csv
var aliases []byte

//go:embed laminates.csv
var laminateNames []byte

// A Meaning is what the words of a design file or of a request mean. The zero Meaning:
// they say nothing of the option.
type Meaning struct {
	Value   string // id of the catalogue
	Unable  string // in our words, what an instant quote does not build
	Unknown bool   // nobody listed the words
	Note    string // in our words, what was taken for what; "" where the words are the value's own
	Nearest bool   // Value is only the closest that there is
}

// A vocabulary is what is listed.
type vocabulary struct {
	aliases   map[string]map[string]Meaning // option, folded words
	laminates map[string]laminate           // folded name
}

// A laminate is an FR-4 that goes by another name.
type laminate struct {
	name string
	tg   int // in degrees Celsius
}

func (c *Catalog) loadWords() error {
	c.vocabulary = vocabulary{aliases: map[string]map[string]Meaning{}, laminates: map[string]laminate{}}
	err := readRows(aliases, 3, func(row []string) error {
		option, written, value := row[0], fold(row[1]), row[2]
		if c.vocabulary.aliases[option] == nil {
			c.vocabulary.aliases[option] = map[string]Meaning{}
		}
		if _, twice := c.vocabulary.aliases[option][written]; twice {
			return fmt.Errorf("%s %q stands twice", option, row[1])
		}
		m := Meaning{Value: value}
		if unable, ok := strings.CutPrefix(value, "!"); ok {
			m = Meaning{Unable: unable}
		} else if value != "" && !slices.Contains(c.IDsOf(option), value) {
			return fmt.Errorf("%s %q is unknown", option, value)
		}
		c.vocabulary.aliases[option][written] = m
		return nil
	})
	if err != nil {
		return fmt.Errorf("aliases.csv: %w", err)
	}
	err = readRows(laminateNames, 3, func(row []string) error {
		tg, err := strconv.Atoi(row[1])
		if err != nil || row[2] == "" {
			return fmt.Errorf("%s has no glass transition or no source", row[0])
		}
		c.vocabulary.laminates[fold(row[0])] = laminate{row[0], tg}
		return nil
	})
	if err != nil {
		return fmt.Errorf("laminates.csv: %w", err)
	}
	return nil
}

// readRows reads a table after its heading.
func readRows(data []byte, columns int, take func(row []string) error) error {
	r := csv.NewReader(bytes.NewReader(data))
	r.Comment, r.FieldsPerRecord = '#', columns
	rows, err := r.ReadAll()
	if err != nil {
		return err
	}
	for _, row := range rows[1:] {
		if err := take(row); err != nil {
			return err
		}
	}
	return nil
}

// IDsOf lists the values of an option whose values are words.
func (c *Catalog) IDsOf(option string) []string {
	switch option {
	case "surface_finish":
		return c.SurfaceFinishIDs()
	case "solder_mask":
		return c.SolderMaskIDs()
	case "material":
		return c.MaterialIDs()
	case "via_process":
		return c.ViaProcessIDs()
	}
	return nil
}

// ResolveID is the value that a request's words name beyond doubt: an id in whatever
// spelling, or an alias of one.
func (c *Catalog) ResolveID(option, written string) (id string, ok bool) {
	for _, id := range c.IDsOf(option) {
		if fold(id) == fold(written) {
			return id, true
		}
	}
	id = c.vocabulary.aliases[option][fold(written)].Value
	return id, id != ""
}

// Read is what the words of a design file mean. Words that nobody listed and no rule
// reads are something, but nothing that can be built unseen.
func (c *Catalog) Read(option, written string) Meaning {
	if fold(written) == "" {
		return Meaning{}
	}
	if id, ok := c.ResolveID(option, written); ok {
		return leadOf(option, written, id)
	}
	if m, ok := c.vocabulary.aliases[option][fold(written)]; ok {
		return m
	}
	var m Meaning
	known := false
	switch option {
	case "material":
		m, known = c.readLaminate(written)
	case "solder_mask":
		m, known = c.readMask(written)
	case "surface_finish":
		m, known = readFinish(written)
	}
	if !known {
		return Meaning{Unknown: true}
	}
	return m
}

// leadOf tells HASL that is named without its solder from what says it.
func leadOf(option, written, id string) Meaning {
	if f := fold(written); option == "surface_finish" && (f == "hasl" || f == "hal") {
		return Meaning{Value: id, Nearest: true, Note: "HASL is named without saying whether with lead or lead-free, and is taken as with lead"}
	}
	return Meaning{Value: id}
}

// readFinish finds the one finish that longer words name, such as "ENIG 2u" or "Lead free HASL, RoHS".
func readFinish(written string) (Meaning, bool) {
	folded := fold(written)
	for _, other := range []string{"enepig", "silver", "tin", "osp", "hard", "carbon", "palladium"} {
		if strings.Contains(folded, other) {
			return Meaning{}, false
		}
	}
	gold := strings.Contains(folded, "enig") || strings.Contains(folded, "immersiongold")
	tin := strings.Contains(folded, "hasl")
	leadFree := strings.Contains(folded, "leadfree") || strings.Contains(folded, "pbfree") || strings.Contains(folded, "rohs")
	switch {
	case gold && !tin:
		return Meaning{Value: "enig"}, true
	case tin && !gold && leadFree:
		return Meaning{Value: "hasl_lead_free"}, true
	case tin && !gold:
		return Meaning{Value: "hasl"}, true
	}
	return Meaning{}, false
}

// fold drops case, spaces and punctuation.
func fold(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}
