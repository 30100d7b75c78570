package classify

import (
	"bytes"
	"cmp"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/format/easyeda"
	"boardorder/pkg/board/format/excellon"
	"boardorder/pkg/board/internal/pattern"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/upload/sidefiles/note"
	"boardorder/pkg/board/upload/sidefiles/report"
	"boardorder/pkg/board/upload/sources"
)

// formatOf tells the format of a file: by content wherever content can tell.
func (r *Result) formatOf() (format, why string) {
	data := r.file.Data
	switch {
	case systemLeftover(r.file.Name):
		return FormatSystem, "left behind by an operating system"
	case len(bytes.TrimSpace(data[:min(len(data), 4096)])) == 0 && len(data) < 4096:
		return FormatEmpty, "the file is empty"
	}
	if v := r.viewer(); v != "" {
		return FormatWorkspace, "what the viewer " + v + " keeps of its windows"
	}
	if f := magic(data); f != "" {
		if f == FormatArchive && (r.ext == "xlsx" || r.ext == "xls" || r.ext == "ods" || r.ext == "docx" || r.ext == "xlsm") {
			return r.tableFormat(), "spreadsheet"
		}
		if packed, ok := packedFormats[r.ext]; ok && f == FormatArchive {
			return packed, "extension ." + r.ext
		}
		if f == FormatTable {
			return r.tableFormat(), "spreadsheet"
		}
		return f, "content is " + f
	}
	if f := cmp.Or(sources.Format(r.file.Name, data), formatByHead(data, r)); f != "" {
		return f, "content is " + f
	}
	if f, why := r.reportFormat(); f != "" {
		return f, why
	}
	if gerberLike(data) && (!r.textName() || gerberWork().Match(data)) {
		return FormatGerber, "content is Gerber"
	}
	if excellon.Sniff(data) > likelyProgram {
		return FormatExcellon, "content is an NC program"
	}
	if r.ext == "drl" && tapeCode(data) {
		return FormatTape, "extension .drl, and blocks that end as on punched tape"
	}
	return r.textFormat()
}

// likelyProgram is from where on a file is more likely an NC program than not.
const likelyProgram = 0.5

// tapeCode tells a program in the code of punched tape (EIA RS-244), as Altium writes it
// beside the text that holds the same: a byte with the highest bit alone ends a block.
func tapeCode(data []byte) bool {
	const head, fewest = 4096, 3
	data = data[:min(len(data), head)]
	return bytes.Count(data, []byte{0x80}) >= fewest && bytes.IndexByte(data, '\n') < 0 && bytes.IndexByte(data, 0) < 0
}

// packedFormats are the formats of documents and designs that are archives inside: there is
// nothing of a board to unpack that is read.
var packedFormats = map[string]string{
	"3mf": FormatMechanical, "fcstd": FormatMechanical, "f3d": FormatMechanical, "amf": FormatMechanical, "skp": FormatMechanical,
	"pptx": FormatText, "odt": FormatText, "odp": FormatText, "odg": FormatText, "pages": FormatText,
	"epro": sources.EasyEDAPro, "epro2": sources.EasyEDAPro, "lppz": FormatDesign, "f3z": FormatDesign, "pdsprj": FormatDesign, "fzz": FormatDesign, "cpa": FormatDesign,
	"jar": FormatUnknown, "apk": FormatUnknown, "whl": FormatUnknown,
}

func systemLeftover(name string) bool {
	n := "/" + strings.ReplaceAll(name, "\\", "/")
	base := n[strings.LastIndexByte(n, '/')+1:]
	return strings.Contains(n, "/__MACOSX/") || strings.HasPrefix(base, "._") || strings.EqualFold(base, ".DS_Store") ||
		strings.EqualFold(base, "Thumbs.db") || strings.EqualFold(base, "desktop.ini")
}

// magic tells binary formats by their first bytes.
func magic(data []byte) string {
	head := data[:min(len(data), 512)]
	for _, m := range []struct{ prefix, format string }{
		{"PK\x03\x04", FormatArchive}, {"PK\x05\x06", FormatArchive}, {"\x1f\x8b", FormatArchive}, {"Rar!", FormatArchive},
		{"7z\xbc\xaf\x27\x1c", FormatArchive}, {"%PDF", FormatPDF}, {"\x89PNG", FormatImage}, {"\xff\xd8\xff", FormatImage},
		{"GIF8", FormatImage}, {"BM6", FormatImage}, {"RIFF", FormatImage}, {"ISO-10303-21", FormatMechanical},
	} {
		if bytes.HasPrefix(head, []byte(m.prefix)) {
			return m.format
		}
	}
	if bytes.HasPrefix(head, []byte(oleStart)) {
		if ole := data[:min(len(data), 1<<16)]; bytes.Contains(ole, utf16("Workbook")) || bytes.Contains(ole, utf16("Book")) {
			return FormatTable
		}
	}
	return ""
}

// oleStart begins an OLE container.
const oleStart = "\xd0\xcf\x11\xe0"

func utf16(s string) []byte {
	out := make([]byte, 0, 2*len(s))
	for i := range len(s) {
		out = append(out, s[i], 0)
	}
	return out
}

// formatByHead tells formats with a distinctive beginning.
func formatByHead(data []byte, r *Result) string {
	head := data[:min(len(data), 4096)]
	trim := bytes.TrimSpace(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")))
	switch {
	case bytes.HasPrefix(head, []byte(oleStart)):
		return FormatAltium
	case bytes.HasPrefix(trim, []byte("PCBNEW-BOARD")), // before KiCad wrote .kicad_pcb
		bytes.HasPrefix(trim, []byte("!PADS-")), bytes.HasPrefix(trim, []byte("ha:pcb-rnd")), horizonFile(data, r.ext), easyEDA(trim, r.ext):
		return FormatDesign
	case kicadCompanion(trim, r.ext, r.base):
		return sources.KiCad
	case easyeda.IsProCompanion(r.file.Name, data):
		return sources.EasyEDAProPart
	case bytes.Contains(head, []byte("<eagle")): // a schematic, or a library
		return FormatDesign
	case bytes.HasPrefix(trim, []byte("<svg")), r.ext == "svg" && bytes.Contains(head, []byte("<svg")):
		return FormatImage
	case netlistLike(trim):
		return FormatNetlist
	case strings.EqualFold(r.base, answers.OrderFileName):
		return FormatOrderFile
	case r.ext == "gbrjob":
		return FormatJob
	case bytes.HasPrefix(trim, []byte("{")) && bytes.Contains(head, []byte(`"GenerationSoftware"`)):
		return FormatJob
	case bytes.HasPrefix(trim, []byte("{")) && bytes.Contains(data, []byte(`"fpcStiffeners"`)):
		return FormatOrder
	}
	return ""
}

func kicadCompanion(trim []byte, ext, base string) bool {
	switch ext {
	case "kicad_pro", "kicad_sch", "kicad_prl", "kicad_dru", "kicad_sym", "kicad_mod", "kicad_wks", "kicad_pcb-bak":
		return true
	case "pro":
		return bytes.Contains(trim, []byte("update=")) || bytes.Contains(trim, []byte("[pcbnew"))
	case "sch":
		return bytes.HasPrefix(trim, []byte("EESchema"))
	case "lib", "dcm", "net", "cmp", "bak":
		return bytes.HasPrefix(trim, []byte("EESchema")) || bytes.HasPrefix(trim, []byte("(export")) || bytes.HasPrefix(trim, []byte("Cmp-Mod"))
	}
	return base == "fp-lib-table" || base == "sym-lib-table" || base == "fp-info-cache"
}

var netlistRecord = pattern.Lazy(`(?m)^(?:P  (?:UNITS|CODE|JOB|VER)\b|3[126]7.{17}\S)`)

// netlistLike tells an IPC-D-356 netlist by its records.
func netlistLike(head []byte) bool {
	const enough = 2
	lines := 0
	for line := range bytes.Lines(head) {
		if bytes.HasPrefix(line, []byte("P  ")) || len(line) > 20 && line[0] == '3' && line[2] == '7' {
			lines++
		}
	}
	return lines >= enough && len(netlistRecord().FindAll(head, enough)) == enough // what most files are not, at once
}

var (
	readMe      = pattern.Lazy(`(?i)read[-_ ]?me`)
	gerberStart = pattern.Lazy(`(?m)^\s*(?:%\s*)?(?:FS[LTD]?[AI]?(?:N\d)?X\d|MO(?:IN|MM)|AD+D?\d\d|ASAX|IP(?:POS|NEG)|LP[DC]\*|SFA\d|TF\.|IN[^\n]*\*%)`)
	gerberWork  = pattern.Lazy(`D0?[123]\s*\*|(?m)^\s*(?:M0?[02]|G0?4[^*\n]*)\*`)
	gerberCoord = pattern.Lazy(`(?:[XY][-+]?\d+){1,2}(?:[IJ][-+]?\d+)*D0?[123]\*`)
)

// gerberLike tells Gerber, RS-274X or plain RS-274D, by its statements.
func gerberLike(data []byte) bool {
	head := data[:min(len(data), 16<<10)]
	if bytes.IndexByte(head, 0) >= 0 {
		return false
	}
	star := bytes.IndexByte(head, '*') >= 0
	switch {
	case !star:
		return false
	case gerberStart().Match(head):
		return true
	case bytes.HasPrefix(bytes.TrimSpace(head), []byte("G04")):
		return true
	}
	return len(gerberCoord().FindAll(head, 3)) >= 3
}

// reportFormat tells the reports that CAM outputs leave beside the artwork.
func (r *Result) reportFormat() (format, why string) {
	lower := strings.ToLower(r.base)
	switch r.ext {
	case "extrep":
		return FormatExtRep, "extension ." + r.ext
	case "ldp":
		return FormatLayerPairs, "extension ." + r.ext
	case "drr":
		return FormatDrillRep, "extension ." + r.ext
	case "rul":
		return FormatRules, "extension ." + r.ext
	case "apr", "apr_lib", "apt", "gap", "app":
		if r.ext != "gap" || !gerberLike(r.file.Data) {
			return FormatApertures, "extension ." + r.ext
		}
	case "rep":
		if report.IsDrillSizes(r.file.Data) {
			return FormatDrillRep, "a table of drills"
		}
		if !gerberLike(r.file.Data) {
			return FormatReport, "extension ." + r.ext
		}
	case "reports", "gpi", "dri", "log", "sts", "lst", "rpt", "status", "info":
		if !gerberLike(r.file.Data) && excellon.Sniff(r.file.Data) <= likelyProgram { // .sts is also Eagle's bottom mask, .dri may be its drill program
			return FormatReport, "extension ." + r.ext
		}
	}
	switch {
	case bytes.HasPrefix(bytes.TrimSpace(bytes.TrimPrefix(r.file.Data[:min(len(r.file.Data), 256)], []byte("\xef\xbb\xbf"))), []byte("[CAM Processor Job]")): // of EAGLE: settings, whose layers are numbers of its own
		return FormatReport, "first line"
	case report.IsWheel(r.file.Data):
		return FormatApertures, "rows of shapes and sizes"
	case report.IsPlot(r.file.Data):
		return FormatReport, "first lines"
	case report.IsStackup(r.file.Data):
		return FormatStackup, "columns"
	case strings.HasPrefix(lower, "nc_param"):
		return FormatNCParam, "name"
	case strings.HasPrefix(lower, "art_aper"):
		return FormatApertures, "name"
	case strings.HasPrefix(lower, "art_param"), strings.HasPrefix(lower, "nc_tools"), strings.HasPrefix(lower, "ncroutebits"), strings.HasPrefix(lower, "status report"):
		return FormatReport, "name"
	}
	return "", ""
}

// textFormat sorts what is left: tables, notes, models.
func (r *Result) textFormat() (format, why string) {
	switch r.ext {
	case "step", "stp", "wrl", "stl", "dxf", "dwg", "emn", "emp", "idf", "igs", "iges", "f3d", "scad", "3dm", "x3d", "vrml":
		return FormatMechanical, "extension ." + r.ext
	case "pcbdoc", "schdoc", "prjpcb", "pcblib", "schlib", "brd", "sch", "lbr", "dsn", "opj", "pcb", "cpa", "epro", "json5", "lib", "sym", "mod",
		"dch", "dip", "rrpcb", "max", "ddb", "lyt", "fbrd", "fsch", "eprj", "lppz", "lp", "upv", "cmpcbdoc", "ddf", "f3z", "lpp", "rrb", "ewprj", "t3001", "pdsprj", "lay", "lay6", "fz":
		return FormatDesign, "extension ." + r.ext
	case "png", "jpg", "jpeg", "gif", "bmp", "webp", "svg", "tif", "tiff":
		return FormatImage, "extension ." + r.ext
	case "pdf", "ps", "eps":
		return FormatPDF, "extension ." + r.ext
	case "zip", "rar", "7z", "gz", "tgz", "tar", "z":
		return FormatArchive, "extension ." + r.ext
	}
	if f := r.companion(); f != "" {
		return f, "name and columns"
	}
	if binary(r.file.Data) {
		return FormatUnknown, "binary content that is not known"
	}
	if r.textName() {
		if readMe().MatchString(r.stem) {
			return FormatReadme, "name"
		}
		return FormatText, "text without a known structure"
	}
	return FormatUnknown, "nothing about it is known"
}

// textName tells whether a file is called as texts for people are.
func (r *Result) textName() bool {
	switch r.ext {
	case "txt", "md", "rst", "html", "htm", "rtf", "doc", "docx", "":
		return true
	}
	return false
}

// binary tells whether data is no text: it holds zero bytes and is not UTF-16.
func binary(data []byte) bool {
	head := data[:min(len(data), 1024)]
	wide := bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff"))
	return !wide && bytes.IndexByte(head, 0) >= 0
}

var (
	bomWords       = pattern.Lazy(`(?i)\b(bom|bill[ _-]?of[ _-]?materials?|parts?[ _-]?list|stückliste)\b`)
	placementWords = pattern.Lazy(`(?i)\b(cpl|pos|pnp|pick.?(?:and.?|n)?place|placement|centroid|xy(?:rs|data)?|mnt|mnb|positions?|top-pos|all-pos|rotations)\b`)
	placementHead  = pattern.Lazy(`(?i)(ref|designator|component|part).{0,80}(mid[ _]?x|center-?x|pos ?x|posx|\bx\b|x\(mm\)|x \(|location).{0,120}(rot|angle|side|layer)`) // in one line: sentences have the words in several
	bomHead        = pattern.Lazy(`(?is)(ref|designator|part|item|qty|quantity|comment|value).{0,200}(qty|quantity|value|footprint|package|mpn|manufacturer|description|part ?number|comment)`)
)

// companion tells bills of material and placement files by name and columns.
func (r *Result) companion() string {
	head := strings.ReplaceAll(string(r.file.Data[:min(len(r.file.Data), 2048)]), "\x00", "")
	name := strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(r.stem)
	tabular := strings.Count(head, ",")+strings.Count(head, ";")+strings.Count(head, "\t")+strings.Count(head, "|") > 4
	switch {
	case r.ext == "pos", r.ext == "mnt", r.ext == "mnb", r.ext == "xyrs":
		return FormatPlacement
	case placementWords().MatchString(name) && (tabular || r.ext == "txt"):
		return FormatPlacement
	case bomWords().MatchString(name) && tabular:
		return FormatBOM
	case (tabular || r.ext == "txt") && placementHead().MatchString(headLines(head)):
		return FormatPlacement
	case r.ext == "csv" || r.ext == "tsv":
		if report.IsLayerTable(r.file.Data) {
			return FormatStackup
		}
		if note.IsOptions(r.file.Data) {
			return FormatTable
		}
		if bomHead().MatchString(head) {
			return FormatBOM
		}
		return FormatTable
	}
	return ""
}

func headLines(s string) string {
	lines := strings.SplitN(s, "\n", 20)
	return strings.Join(lines[:min(len(lines), 19)], "\n")
}

// tableFormat names a spreadsheet by its name alone.
func (r *Result) tableFormat() string {
	name := strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(r.stem)
	switch {
	case placementWords().MatchString(name):
		return FormatPlacement
	case bomWords().MatchString(name):
		return FormatBOM
	}
	return FormatTable
}

// odbRoots finds the folders that are ODB++ jobs: those with a matrix.
func odbRoots(results []*Result) []string {
	var roots []string
	for _, r := range results {
		n := strings.ToLower(strings.ReplaceAll(r.Name, "\\", "/"))
		for _, tail := range []string{"matrix/matrix", "matrix/matrix.z"} {
			if strings.HasSuffix("/"+n, "/"+tail) {
				roots = append(roots, n[:len(n)-len(tail)])
			}
		}
	}
	return roots
}

// companionRole is the role a format has by itself.
func companionRole(format string) pcb.Role {
	switch format {
	case FormatGerber, FormatExcellon:
		return pcb.RoleUnknown
	}
	return pcb.RoleOther
}
