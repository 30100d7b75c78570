package openfab

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"mime/multipart"
	"strconv"

	"boardorder/pkg/fabricator"
)

// Upload sends a zip of design files, streaming it, and returns the key that
// names them at the fabricator. Sending the same files again is harmless.
func (c *Client) Upload(ctx context.Context, name string, zip io.Reader) (string, error) {
	var head bytes.Buffer
	w := multipart.NewWriter(&head)
	if err := w.WriteField("fileName", name); err != nil {
		return "", fmt.Errorf("write form: %w", err)
	}
	if _, err := w.CreateFormFile("file", name); err != nil {
		return "", fmt.Errorf("write form: %w", err)
	}
	tail := "\r\n--" + w.Boundary() + "--\r\n"
	var key string
	err := c.exchange(ctx, request{
		path: "pcb/uploadGerber", body: io.MultiReader(&head, zip, bytes.NewReader([]byte(tail))), length: -1,
		kind: w.FormDataContentType(), timeout: c.cfg.UploadTimeout,
	}, &key)
	if err != nil {
		return "", err
	}
	if key == "" {
		return "", &fabricator.Error{Kind: fabricator.Unavailable, Message: "it took the files without naming them"}
	}
	return key, nil
}

// Stackups lists the layer build-ups that the fabricator stocks for a board of
// these layers, thickness, copper and material.
func (c *Client) Stackups(ctx context.Context, s fabricator.Spec) ([]fabricator.Stackup, error) {
	lam, ok := laminates[s.Material]
	if !ok {
		return nil, nil
	}
	var rs []stackupReply
	err := c.post(ctx, "pcb/getImpedanceTemplateSettingList", stackupRequest{
		Layers: s.Layers, Thickness: mm(s.Thickness), Outer: decimalOf(s.OuterCopper), Inner: decimalOf(s.InnerCopper), PlateType: lam.plate,
	}, &rs)
	if err != nil {
		return nil, err
	}
	kinds := map[int]string{1: "copper", 2: "prepreg", 3: "core"}
	var out []fabricator.Stackup
	for _, r := range rs {
		if !r.Enabled || r.Code == "" {
			continue
		}
		st := fabricator.Stackup{Code: r.Code, Name: r.Name}
		for _, l := range r.Layers {
			st.Layers = append(st.Layers, fabricator.StackupLayer{Kind: kinds[l.Type], Content: l.Content})
		}
		out = append(out, st)
	}
	return out, nil
}

// Audit returns what the fabricator's own reading of the files says. Until it
// has read them, that is fabricator.Unavailable with a time to ask again.
func (c *Client) Audit(ctx context.Context, fileKey string) (fabricator.Audit, error) {
	var r auditReply
	if err := c.post(ctx, "pcb/audit/get", map[string]any{"key": fileKey, "language": 0}, &r); err != nil {
		return fabricator.Audit{}, err
	}
	layers, err := strconv.Atoi(string(r.Layers))
	if err != nil || layers < 0 || layers > 100 {
		return fabricator.Audit{}, &fabricator.Error{Kind: fabricator.Unavailable, Message: "its audit counts no layers"}
	}
	return fabricator.Audit{
		Layers: layers, Width: nm(r.Width), Height: nm(r.Length), MinTrack: r.MinTrack.InexactFloat64(),
		MinSpace: r.MinSpace.InexactFloat64(), MinHole: r.MinHole.InexactFloat64(), Findings: r.Findings,
	}, nil
}

func nm(mm amount) int64 { return int64(math.Round(mm.InexactFloat64() * 1e6)) }
