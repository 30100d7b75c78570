package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const blinker = "../../testdata/blinker"

func TestRun(t *testing.T) {
	t.Parallel()
	lone := filepath.Join(blinker, "blinker-F_Cu.gbr")
	for name, tt := range map[string]struct {
		args  []string
		print []string // among what is printed
		fail  string   // in the error; "" none
	}{
		"no verb":          {fail: "facts, check or render"},
		"unknown verb":     {args: []string{"sell"}, fail: "facts, check or render"},
		"no design":        {args: []string{"facts"}, fail: "one design is wanted"},
		"two designs":      {args: []string{"facts", blinker, blinker}, fail: "one design is wanted"},
		"missing folder":   {args: []string{"check", "testdata/none"}, fail: "no such file"},
		"no board":         {args: []string{"facts", "main.go"}, fail: "there is no board in it"},
		"facts":            {args: []string{"facts", blinker}, print: []string{"blinker\n", "width_mm           40 ", "blinker-Edge_Cuts.gbr", "note empty_layer blinker-B_Paste.gbr"}},
		"facts of a file":  {args: []string{"facts", lone}, print: []string{"layers"}},
		"check":            {args: []string{"check", blinker}, print: []string{"must_fix track_width: 5 tracks", "assumed: "}, fail: errMustFix.Error()},
		"check of another": {args: []string{"check", "-board", "x", blinker}, fail: `there is no board "x"; there are ["blinker"]`},
		"render to nobody": {args: []string{"render", blinker}, fail: "-o names the file"},
		"render no side":   {args: []string{"render", "-side", "left", "-o", "x.png", blinker}, fail: "-side is top or bottom"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			err := run(t.Context(), &out, tt.args)
			if (err == nil) != (tt.fail == "") || err != nil && !strings.Contains(err.Error(), tt.fail) {
				t.Errorf("design %q fails with %v, want %q", tt.args, err, tt.fail)
			}
			for _, want := range tt.print {
				if !strings.Contains(out.String(), want) {
					t.Errorf("design %q prints no %q but:\n%s", tt.args, want, out.String())
				}
			}
		})
	}
}

func TestRunPrintsJSON(t *testing.T) {
	t.Parallel()
	var facts struct {
		Boards []boardFacts `json:"boards"`
	}
	var checks []boardCheck
	for _, tt := range []struct {
		verb string
		into any
		fail error
	}{{"facts", &facts, nil}, {"check", &checks, errMustFix}} {
		var out bytes.Buffer
		if err := run(t.Context(), &out, []string{tt.verb, "-json", blinker}); !errors.Is(err, tt.fail) {
			t.Errorf("design %s -json: %v, want %v", tt.verb, err, tt.fail)
		}
		if err := json.Unmarshal(out.Bytes(), tt.into); err != nil {
			t.Errorf("design %s -json: %v in\n%s", tt.verb, err, out.String())
		}
	}
	if len(facts.Boards) != 1 || facts.Boards[0].Facts["layers"].Value != float64(4) || !facts.Boards[0].Facts["thickness_mm"].Preset {
		t.Errorf("facts = %+v, want 4 layers and a preset thickness", facts)
	}
	if len(checks) != 1 || len(checks[0].Findings) != 1 || checks[0].Findings[0].ValueMM != 0.08 || checks[0].Findings[0].LimitMM != 0.09 {
		t.Errorf("checks = %+v, want one track of 0.08 mm against 0.09 mm", checks)
	}
}

func TestRunDraws(t *testing.T) {
	t.Parallel()
	out := filepath.Join(t.TempDir(), "bottom.png")
	if err := run(t.Context(), nil, []string{"render", "-side", "bottom", "-width", "400", "-o", out, blinker}); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if size, err := png.DecodeConfig(f); err != nil || size.Width != 400 || size.Height != 300 {
		t.Errorf("picture = %+v, %v, want 400 x 300 pixels", size, err)
	}
}
