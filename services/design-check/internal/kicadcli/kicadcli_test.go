package kicadcli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/geom"
	"boardorder/pkg/board/upload"
)

const report = `{
 "$schema": "https://schemas.kicad.org/drc.v1.json", "coordinate_units": "mm", "kicad_version": "9.0.2", "source": "board.kicad_pcb",
 "violations": [
  {"type": "shorting_items", "severity": "error", "description": "Items shorting two nets", "items": [
    {"description": "Track [GND] on F.Cu", "pos": {"x": 10.5, "y": 20.25}}, {"description": "Pad 1 [VCC] of R1 on F.Cu", "pos": {"x": 11, "y": 20}}]},
  {"type": "clearance", "severity": "error", "description": "Clearance violation", "items": [{"description": "Via", "pos": {"x": 1, "y": 2}}]},
  {"type": "clearance", "severity": "error", "excluded": true, "description": "waived", "items": []},
  {"type": "silk_overlap", "severity": "warning", "description": "Silkscreen overlap", "items": []}],
 "unconnected_items": [
  {"type": "unconnected_items", "severity": "error", "description": "Missing connection between items", "items": [
    {"description": "Pad 1 [A] of R2", "pos": {"x": 1, "y": 1}}, {"description": "Pad 2 [A] of R3", "pos": {"x": 5, "y": 1}}]}],
 "schematic_parity": []
}`

func TestParse(t *testing.T) {
	t.Parallel()
	r, err := Parse([]byte(report))
	if err != nil {
		t.Fatal(err)
	}
	if r.Version != "9.0.2" || len(r.Violations) != 3 || len(r.Unconnected) != 1 {
		t.Errorf("report %+v, want 9.0.2, 3 violations, one unrouted", r)
	}
	if at, want := r.Violations[0].Items[0].At, geom.Pt(10_500_000, -20_250_000); at != want {
		t.Errorf("at %v, want %v", at, want)
	}
	for name, data := range map[string]string{"not JSON": "no", "other JSON": "{}", "unknown unit": `{"kicad_version":"9","coordinate_units":"ell"}`} {
		if _, err := Parse([]byte(data)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(report))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := Parse(data)
		if err == nil {
			Join(&dfm.Report{}, r)
		}
	})
}

func TestJoin(t *testing.T) {
	t.Parallel()
	theirs, err := Parse([]byte(report))
	if err != nil {
		t.Fatal(err)
	}
	ours := &dfm.Report{Findings: []dfm.Finding{
		{Check: dfm.Unrouted, Level: dfm.MustFix, Count: 1}, {Check: dfm.SilkWidth, Level: dfm.Note},
	}}
	Join(ours, theirs)
	var names []string
	for _, f := range ours.Findings {
		names = append(names, f.Level.String()+" "+string(f.Check))
	}
	if got, want := strings.Join(names, ", "), "must_fix unrouted, must_fix short, warning design_rule, note silk_width"; got != want {
		t.Errorf("findings: %s, want %s", got, want)
	}
	if f := ours.Findings[1]; f.Count != 1 || len(f.Places) != 1 || f.Places[0].Objects[1] != "Pad 1 [VCC] of R1 on F.Cu" {
		t.Errorf("short %+v, want one place, with pad 1 of R1 as the second object", f)
	}
	if len(ours.Assumed) != 1 || !strings.Contains(ours.Assumed[0], "it sees unrouted connections too, 1 of them") {
		t.Errorf("said %q, want once that it sees 1 unrouted connection too", ours.Assumed)
	}
	agreed := &dfm.Report{}
	Join(agreed, Report{Version: "9.0.2"})
	if len(agreed.Findings) != 0 || !strings.Contains(agreed.Assumed[0], "no shorts for both") {
		t.Errorf("agreed %+v, want no findings, and no shorts for both", agreed)
	}
}

// program writes a program that behaves like KiCad's as far as configured.
func program(t *testing.T, script string) Tool {
	t.Helper()
	p := filepath.Join(t.TempDir(), "kicad-cli")
	if err := os.WriteFile(p, []byte("#!/bin/sh\n"+script), 0o700); err != nil {
		t.Fatal(err)
	}
	return Tool{Path: p}
}

func TestCheck(t *testing.T) {
	t.Parallel()
	files := []upload.File{
		{Name: "a.zip!/x/demo.kicad_pcb", Data: []byte("(kicad_pcb)")}, {Name: "a.zip!/x/demo.kicad_pro", Data: []byte("{}")},
		{Name: "a.zip!/y/other.kicad_pro", Data: []byte("no")},
	}
	// The arguments are: pcb drc --format json --units mm --severity-all --output FILE BOARD
	good := program(t, `test "$(cat "${10}")" = "(kicad_pcb)" && test "$(cat "$HOME/board.kicad_pro")" = "{}" && test "$1 $2 $4" = "pcb drc json" && cat > "$9" <<'END'
`+report+"\nEND\n")
	data, err := good.Check(context.Background(), files)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Parse(data)
	if err != nil || len(r.Unconnected) != 1 {
		t.Errorf("report %+v, %v", r, err)
	}
	if _, err := good.Check(context.Background(), files[1:]); !errors.Is(err, ErrNoBoard) {
		t.Errorf("no board: %v", err)
	}
	if _, err := good.Check(context.Background(), append(files, files[0])); !errors.Is(err, ErrNoBoard) {
		t.Errorf("two boards: %v", err)
	}
	if _, err := program(t, "echo broken board >&2; exit 3").Check(context.Background(), files); err == nil || !strings.Contains(err.Error(), "broken board") {
		t.Errorf("failing program: %v", err)
	}
	if _, err := program(t, "exit 0").Check(context.Background(), files); err == nil {
		t.Error("no report: no error")
	}
	slow := program(t, "exec sleep 60")
	slow.Limit = 50 * time.Millisecond
	if _, err := slow.Check(context.Background(), files); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("slow program: %v", err)
	}
}

func TestReads(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]bool{"a/b.kicad_pcb": true, "B.KICAD_PRO": true, "b.kicad_dru": true, "b.kicad_sch": false, "b.gbr": false} {
		if Reads(name) != want {
			t.Errorf("Reads(%q) = %v", name, !want)
		}
	}
}
