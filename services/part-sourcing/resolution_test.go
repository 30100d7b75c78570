package partsourcing

import (
	"bytes"
	"flag"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"

	"boardorder/deploy/simulator/parts"
	"boardorder/pkg/board/testkit/corpus"
	"boardorder/pkg/board/upload"
	"boardorder/pkg/contract/assemblies"
	"boardorder/services/part-sourcing/internal/identity"
	"boardorder/services/part-sourcing/internal/kit"
	"boardorder/services/part-sourcing/internal/part"
)

var update = flag.Bool("update", false, "write RESOLUTION.md anew")

const resolutionFile = "RESOLUTION.md"

const resolutionHead = "# What lists of real boards name\n\n" +
	"What the service makes of the parts of real designs: each board of each upload with a bill of materials, or with the\n" +
	"design tool's parts where it has no list. Written by `go test boardorder/services/part-sourcing -run TestResolution -update`, and held by the same\n" +
	"test where the folder of designs exists (`BOARD_CORPUS`).\n\n" +
	"- **Named by**: the number of the line that is asked for first. `fab` is the fabricator's code, `number` the manufacturer's, `distributor` a distributor's.\n" +
	"- **Value and size**: passive parts without a number, of which value, size, tolerance and dielectric name an exact specification.\n" +
	"- **Known**: lines of these that some seller of the simulated catalogue lists, by the number or by a part of the specification. The rest is a part\n" +
	"  that nobody sells under that number, or a name that is none.\n" +
	"- **Value as number**: the value may be a part number. It becomes a question where no supplier knows it.\n" +
	"- **Not bought**: fiducials, holes and test points, and lines that the list marks as not fitted.\n" +
	"- **No name**: lines that name no part, and why.\n" +
	"- **Asked**: those of them that a quote answers with `needs_part_numbers`; the others have no place on the board, which `off_board_parts` asks.\n" +
	"- **Off board**: references that a quote answers with `off_board_parts`; `all` where nothing says where any part goes.\n\n" +
	"| board | parts from | lines | number | distributor | fab | value and size | value as number | known | not bought | no name | asked | off board |\n" +
	"|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---|---:|---:|\n"

var whyWords = map[string]string{
	identity.WhyNothing: "nothing named", identity.WhyNoSize: "passive part without its size", identity.WhyNotPlain: "value alone does not tell the part",
	identity.WhyNoValue: "value is no part number", identity.WhyNoSeries: "no usual series has it", identity.WhyDisputed: "lines name different parts",
	identity.WhySeveral: "several values",
}

// A resolution counts how the lines of a board are named.
type resolution struct {
	lines, number, distributor, fab, passive, guessed, known, rest, requests, offBoard int
	why                                                                                map[string]int
	noPlaces                                                                           bool
}

// isListed reports whether a seller of the simulated catalogue has the part.
func isListed(c *parts.Catalogue, q part.Query) bool {
	p := c.Find(q.Number)
	if q.Scheme == part.FabCode {
		p = c.PartByCode(q.Number)
	}
	return p != nil && slices.ContainsFunc([]string{parts.Library, parts.DigiKey, parts.Mouser, parts.Arrow}, p.IsSoldBy)
}

func resolutionOf(w *work, sellers *parts.Catalogue) resolution {
	r := resolution{lines: len(w.plan.Lines), rest: len(w.plan.Lines) - len(w.at), requests: len(w.state.Unnamed), why: map[string]int{}, noPlaces: w.state.NoPlaces}
	for _, q := range w.state.OffBoard {
		r.offBoard += q.Quantity
	}
	for _, l := range w.list.request.Lines {
		if slices.ContainsFunc(l.ID.Queries, func(q part.Query) bool { return isListed(sellers, q) }) {
			r.known++
		}
		switch id := l.ID; {
		case id.Certainty == identity.None:
			r.why[whyWords[id.Why]]++
		case id.Certainty == identity.Passive:
			r.passive++
		case id.Certainty == identity.Guessed:
			r.guessed++
		case id.Queries[0].Scheme == part.FabCode:
			r.fab++
		case id.Queries[0].Scheme == part.MPN:
			r.number++
		default:
			r.distributor++
		}
	}
	return r
}

func (r *resolution) add(o resolution) {
	for _, n := range []struct {
		to   *int
		more int
	}{
		{&r.lines, o.lines}, {&r.number, o.number}, {&r.distributor, o.distributor}, {&r.fab, o.fab}, {&r.passive, o.passive}, {&r.guessed, o.guessed}, {&r.known, o.known},
		{&r.rest, o.rest}, {&r.requests, o.requests}, {&r.offBoard, o.offBoard},
	} {
		*n.to += n.more
	}
	for why, n := range o.why {
		r.why[why] += n
	}
}

func (r *resolution) row(name, from string) string {
	var why []string
	for _, w := range slices.Sorted(maps.Keys(r.why)) {
		why = append(why, fmt.Sprintf("%s %d", w, r.why[w]))
	}
	off := strconv.Itoa(r.offBoard)
	if r.noPlaces {
		off = "all"
	}
	return fmt.Sprintf("| %s | %s | %d | %d | %d | %d | %d | %d | %d | %d | %s | %d | %s |\n", strings.ReplaceAll(name, "|", "/"), strings.ReplaceAll(from, "|", "/"),
		r.lines, r.number, r.distributor, r.fab, r.passive, r.guessed, r.known, r.rest, strings.Join(why, ", "), r.requests, off)
}

// TestResolution holds the table of what real lists name against what the service
// makes of them. Every line is counted once.
func TestResolution(t *testing.T) {
	t.Parallel()
	designs := corpus.Designs(t)
	rates := ratesOfToday(t)
	sellers, err := parts.Load()
	if err != nil {
		t.Fatal(err)
	}
	var rows bytes.Buffer
	sum := resolution{why: map[string]int{}}
	for _, d := range designs {
		loose, _ := corpus.Upload(t, d["name"])
		var files []upload.File
		for _, f := range loose {
			files = append(files, upload.File(f))
		}
		project := upload.Read(t.Context(), files, upload.Options{})
		for i, b := range project.Boards {
			k, ok := kit.ReadBoard(project, files, nil, b.Name)
			if !ok || len(k.List.Lines) == 0 {
				continue
			}
			r := resolutionOf(planKit(k, assemblies.AssembleData{Boards: 10}, &rates), sellers)
			if named := r.number + r.distributor + r.fab + r.passive + r.guessed + r.rest; named > r.lines || r.lines-named < r.requests {
				t.Errorf("%s: %d of %d lines are named or not bought, %d are asked about; want no more than there are, and no more asked about than are not", d["name"], named, r.lines, r.requests)
			}
			name, from := d["name"], "design"
			if len(project.Boards) > 1 {
				name = fmt.Sprintf("%s, board %d", name, i+1)
			}
			if slices.Contains(k.Files, k.List.File) {
				from = path.Base(k.List.File)
			}
			rows.WriteString(r.row(name, from))
			if r.noPlaces {
				r.offBoard = 0
			}
			sum.add(r)
		}
	}
	got := resolutionHead + rows.String() + sum.row("**all**", "")
	if *update {
		if err := os.WriteFile(resolutionFile, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if named := sum.number + sum.distributor + sum.fab + sum.passive; 10*sum.known < 8*named {
		t.Errorf("%d lines name a part, the simulated sellers know %d, want eight in ten of them", named, sum.known)
	}
	want, err := os.ReadFile(resolutionFile)
	if err != nil {
		t.Fatal(err)
	}
	hold(t, string(want), got)
}

// hold tells the first line that differs.
func hold(t *testing.T, want, got string) {
	t.Helper()
	a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			t.Fatalf("%s, line %d\nwant %s\n got %s\nrun with -update after looking", resolutionFile, i+1, a[i], b[i])
		}
	}
	if len(a) != len(b) {
		t.Fatalf("%s has %d lines, want %d", resolutionFile, len(a), len(b))
	}
}
