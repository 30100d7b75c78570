package note

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/simplifiedchinese"
)

// TestDecode: texts of the code pages that editors write, and what is no text.
func TestDecode(t *testing.T) {
	t.Parallel()
	gb, err := simplifiedchinese.GB18030.NewEncoder().String("板厚: 1.0mm, 表面处理: 沉金")
	if err != nil {
		t.Fatalf("encode Chinese: %v", err)
	}
	for _, c := range []struct {
		name, in, want string
		ok             bool
	}{
		{"ASCII", "Finish: ENIG\n", "Finish: ENIG\n", true},
		{"UTF-8", "Dicke: 1 mm ± 0,1 mm", "Dicke: 1 mm ± 0,1 mm", true},
		{"UTF-8 with its mark", "\xef\xbb\xbfENIG", "ENIG", true},
		{"UTF-16, the low byte first", "\xff\xfeE\x00\n\x00", "E\n", true},
		{"UTF-16, the high byte first", "\xfe\xff\x00E\x00\n", "E\n", true},
		{"Windows", "Oberfl\xe4che", "Oberfläche", true},
		{"Windows in Russia", "\xd2\xee\xeb\xf9\xe8\xed\xe0: 1", "Толщина: 1", true},
		{"China's", gb, "板厚: 1.0mm, 表面处理: 沉金", true},
		{"lines of Windows", "a\r\nb\r\n", "a\nb\n", true},
		{"lines of old Macs", "a\rb", "a\nb", true},
		{"zero bytes", "a\x00b", "", false},
		{"nothing", "", "", true},
		{"as long as notes are", strings.Repeat("x", maxSize), strings.Repeat("x", maxSize), true},
		{"longer than notes are", strings.Repeat("x", maxSize+1), "", false},
	} {
		if got, ok := decode([]byte(c.in)); got != c.want || ok != c.ok {
			t.Errorf("%s: decode(%.40q) = %.40q, %v; want %.40q, %v", c.name, c.in, got, ok, c.want, c.ok)
		}
	}
}

// TestHeadings: what stands below a heading of something else than the board is left aside,
// up to a heading of the same rank or a higher one.
func TestHeadings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     string // of each line that is left: its section, and ! where it is aside
	}{
		{"no heading", "a\nb", "0 0"},
		{"a heading", "a\n# Board\nb", "0 1 1"},
		{"a heading of something else", "# Board\na\n## Case\nb", "1 1 2! 2!"},
		{"the first heading is of the whole text", "# Case\na", "1 1"},
		{"below it, a lower one", "# x\n## Case\n### Lid\na", "1 2! 3! 3!"},
		{"and one of the same rank", "# x\n## Case\na\n## Board\nb", "1 2! 2! 3 3"},
		{"and one of a higher rank", "# x\n### Case\na\n## Board\nb", "1 2! 2! 3 3"},
		{"an underlined heading", "x\n===\na\nFirmware\n---\nb", "1 1 1 2! 2! 2!"},
		{"a line that only introduces", "Change log:\na", "1! 1!"},
		{"a version", "# x\n## v1.2\na", "1 2! 2!"},
		{"a number that is no version", "# x\n## 2 layers\na", "1 2 2"},
		{"no heading, a hash within", "a # Case\nb", "0 0"},
	} {
		var got []string
		for _, l := range linesOf("README.md", c.in) {
			mark := ""
			if l.aside {
				mark = "!"
			}
			got = append(got, fmt.Sprint(l.section)+mark)
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s: sections of the lines of %q (-want +got):\n%s", c.name, c.in, diff)
		}
	}
}

// TestLinesOf: the lines of a text by the kind of file, with their numbers.
func TestLinesOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file, in string
		want           []string
	}{
		{"plain", "a.txt", "one\n\n  two  \n", []string{"1 one", "3 two"}},
		{"as long as lines are", "a.txt", strings.Repeat("x", maxLine) + "\nb", []string{"1 " + strings.Repeat("x", maxLine), "2 b"}},
		{"longer than lines are", "a.txt", strings.Repeat("x", maxLine+1) + "\nb", []string{"2 b"}},
		{"HTML", "a.html", "<p>Finish: <b>ENIG</b></p>\n<p>1 mm</p>", []string{"2 Finish: ENIG", "5 1 mm"}},
		{"HTML's comments, scripts and styles", "a.htm", "<!-- no -->one<script>x</script>two<style>y</style>", []string{"2 one", "3 two"}},
		{"a table in a text", "README.md", "a\n| Finish | Thickness |\n|---|---|\n| ENIG | 1 mm |\nb", []string{"1 a", "4 Finish: ENIG", "4 Thickness: 1 mm", "5 b"}},
		{"a table by its name", "a.CSV", "Finish,ENIG\n", []string{"1 Finish: ENIG"}},
		{"an object by its name", "a.json", "{\"finish\": \"ENIG\"}", []string{"1 finish: ENIG"}},
	} {
		if diff := cmp.Diff(c.want, numberLines(linesOf(c.file, c.in))); diff != "" {
			t.Errorf("%s: linesOf(%q, %.60q) (-want +got):\n%s", c.name, c.file, c.in, diff)
		}
	}
}

// TestReadLines: the lettering of a drawing, with the numbers that its lines are given.
func TestReadLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		in   []Line
		want string
	}{
		{"lines", []Line{{3, "Material: FR-4"}, {7, "Finish: ENIG"}}, "3 material FR-4\n7 finish ENIG\n"},
		{"several lines of one text", []Line{{3, "Material: FR-4\nFinish: ENIG\n"}}, "3 material FR-4\n3 finish ENIG\n"},
		{"nothing", nil, ""},
	} {
		n := ReadLines(c.in)
		if diff := cmp.Diff(c.want, show(n.Statements)); diff != "" || n.Cut {
			t.Errorf("%s: ReadLines(%+v), cut %v (-want +got):\n%s", c.name, c.in, n.Cut, diff)
		}
	}
	for count, cut := range map[int]bool{MaxLettering: false, MaxLettering + 1: true} {
		in := make([]Line, count)
		in[count-1].Text = "Finish: ENIG"
		for i := range in[:count-1] {
			in[i] = Line{Number: i, Text: "-"}
		}
		n := ReadLines(in)
		if n.Cut != cut || len(n.Statements) == 0 != cut {
			t.Errorf("%d lines with a finish in the last: cut %v, says %q; want cut %v", count, n.Cut, show(n.Statements), cut)
		}
	}
}

// TestRefusedTexts: files that say nothing to a fabricator, by their names or their content.
func TestRefusedTexts(t *testing.T) {
	t.Parallel()
	const message = "Finish: ENIG\nThickness: 0.8 mm\n"
	for name, want := range map[string]bool{
		"README.md": true, "notes.txt": true, "fab/order.txt": true,
		"CHANGELOG.md": false, "change-log.txt": false, "HISTORY.txt": false, "Release_Notes.md": false, "LICENSE.txt": false, "licence": false, "COPYING": false,
		"CONTRIBUTING.md": false, "code_of_conduct.md": false, "NEWS": false, "newsletter.txt": true,
	} {
		if got := len(Read(name, []byte(message)).Statements) > 0; got != want {
			t.Errorf("Read(%q) of %q says something: %v, want %v", name, message, got, want)
		}
	}
}

// TestOrderNames: texts that are for a fabricator by their names: what they say in few words counts.
func TestOrderNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{
		"fab.txt": true, "x_Fabrication.txt": true, "ORDER.md": true, "notes.txt": true, "spec.txt": true, "stack-up.txt": true, "Fertigung.txt": true,
		"fabulous.txt": false, "border.txt": false, "README.txt": false, "a.fab": false,
	} {
		if got := Read(name, []byte("UL marking required\n")); got.Order != want || len(got.Unread) > 0 != want {
			t.Errorf("Read(%q): for a fabricator %v with %d lines not understood, want %v", name, got.Order, len(got.Unread), want)
		}
	}
}

// TestClip: what is kept of a long line.
func TestClip(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		" a ": "a", strings.Repeat("ä", 100): strings.Repeat("ä", 100), strings.Repeat("ä", 101): strings.Repeat("ä", 100) + "…", "": "",
	} {
		if got := clip(in); got != want {
			t.Errorf("clip(%q) = %q, want %q", in, got, want)
		}
	}
}
