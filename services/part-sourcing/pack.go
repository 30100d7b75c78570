package partsourcing

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/partlist"
	"boardorder/services/part-sourcing/internal/placement"
)

// pack keeps what whoever assembles the boards needs in the form that they take:
// the list, the placements and the customer's choices.
func (s *assembler) pack(ctx context.Context, w *work, p assemblies.Price) error {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for _, f := range []struct {
		name  string
		write func(io.Writer) error
	}{
		{partlist.Name, func(to io.Writer) error { return partlist.Write(to, p.Parts) }},
		{"positions.csv", func(to io.Writer) error { return w.writePlaces(to, p.Parts) }},
		{"choices.json", func(to io.Writer) error { return w.writeChoices(to, p) }},
	} {
		to, err := z.Create(f.name)
		if err == nil {
			err = f.write(to)
		}
		if err != nil {
			return fmt.Errorf("pack %s: %w", f.name, err)
		}
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("pack: %w", err)
	}
	key := w.prefix + "assembly.zip"
	if _, err := s.blobs.Put(ctx, key, bytes.NewReader(out.Bytes()), int64(out.Len()), "application/zip"); err != nil {
		return fmt.Errorf("keep %s: %w", key, err)
	}
	w.state.Package = key
	return nil
}

// writePlaces lists where the parts go that are fitted, in millimetres from the
// design's own origin.
func (w *work) writePlaces(to io.Writer, parts []assemblies.Part) error {
	fitted := map[string]bool{}
	for _, p := range parts {
		if p.Fitting != assemblies.LeftOff {
			for ref := range strings.SplitSeq(p.Reference, ",") {
				fitted[ref] = true
			}
		}
	}
	out := csv.NewWriter(to)
	rows := [][]string{{"Designator", "Mid X", "Mid Y", "Layer", "Rotation"}}
	written := map[string]bool{}
	for _, l := range w.kit.Places {
		for _, p := range l.Parts {
			if fitted[p.Ref] && !written[p.Ref] && !p.Beside {
				written[p.Ref] = true
				rows = append(rows, []string{partlist.Cell(p.Ref), place(p.At.X), place(p.At.Y), layer(p.Side), strconv.FormatFloat(p.Rotation, 'f', -1, 64)})
			}
		}
	}
	if err := out.WriteAll(rows); err != nil {
		return err
	}
	return out.Error()
}

func place(nm int64) string { return fmt.Sprintf("%.4fmm", float64(nm)/1e6) }

func layer(s placement.Side) string {
	if s == placement.Bottom {
		return "Bottom"
	}
	return "Top"
}

func (w *work) writeChoices(to io.Writer, p assemblies.Price) error {
	text, err := json.MarshalIndent(struct {
		Boards  int64                     `json:"boards"`
		Service string                    `json:"service"`
		Choices assemblies.Choices        `json:"choices"`
		Substs  []assemblies.RequestedSub `json:"substitutions,omitempty"`
		Files   []string                  `json:"files,omitempty"`
		// Unlisted are placed in the design, on no line of the list, and not fitted.
		Unlisted []string `json:"unlisted_refs,omitempty"`
		Notes    []string `json:"notes,omitempty"`
	}{w.boards, p.Service, w.choices, w.state.Substs, w.state.Files, w.state.Unlisted, w.state.Notes}, "", "  ")
	if err != nil {
		return err
	}
	_, err = to.Write(append(text, '\n'))
	return err
}
