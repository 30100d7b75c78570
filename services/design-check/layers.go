package designcheck

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/board"
	"boardorder/pkg/board/draw"
	"boardorder/pkg/board/reader"
	"boardorder/pkg/contract"
	"boardorder/pkg/flow"
)

// layerWidth and layerHeight bound pictures of single layers, in pixels.
const layerWidth, layerHeight = 1600, 1200

// drawLayers makes pictures of every layer of what was read, once somebody
// wants to look at them. They are drawn from the package, which is kept as long
// as the reading.
func (s *Service) drawLayers(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[contract.DrawLayersData](c)
	if err != nil {
		return err
	}
	before, err := aggregate.Load[contract.ReadFiles](ctx, s.events, contract.BoardAggregate, data.Digest)
	switch {
	case err != nil:
		return err
	case !before.State.IsRead():
		return errGone()
	case before.Did(c.ID):
		return nil
	case hasLayers(before.State):
		return aggregate.Complete(ctx, s.events, c, contract.BoardAggregate, data.Digest, s.now())
	}
	layers, err := s.makeLayers(ctx, before.State)
	if errors.Is(err, blob.ErrNotFound) {
		return errGone()
	}
	if err != nil {
		return err
	}
	after, err := aggregate.Execute(ctx, s.events, contract.BoardAggregate, data.Digest, c, s.now(),
		func(now aggregate.Snapshot[contract.ReadFiles]) (*aggregate.Change[contract.ReadFiles], error) {
			if now.State.Prefix != before.State.Prefix || now.State.Gone {
				return nil, nil
			}
			state := now.State
			state.Boards = append([]contract.BoardFile(nil), state.Boards...)
			for i := range state.Boards {
				state.Boards[i].Layers = layers[state.Boards[i].Name]
			}
			return &aggregate.Change[contract.ReadFiles]{Event: contract.BoardDrawn, State: state}, nil
		})
	if err != nil || after.State.Prefix == before.State.Prefix && !after.State.Gone {
		return err
	}
	// The pictures that were drawn until then go as well.
	if err := s.deletePrefix(ctx, before.State.Prefix); err != nil {
		return err
	}
	return errGone()
}

func errGone() *contract.Refusal {
	return contract.Refuse(contract.NotFound, "What was read from these files is not kept any more.")
}

func hasLayers(r contract.ReadFiles) bool {
	for _, b := range r.Boards {
		if len(b.Layers) == 0 {
			return false
		}
	}
	return true
}

func (s *Service) makeLayers(ctx context.Context, r contract.ReadFiles) (map[string][]contract.LayerPicture, error) {
	info, err := s.blobs.Stat(ctx, r.Package)
	if err != nil {
		return nil, err
	}
	leave, err := s.gate.enter(ctx, 4*info.Size)
	if err != nil {
		return nil, flow.Snooze(0, err)
	}
	defer leave()
	files, err := s.unpack(ctx, r.Package)
	if err != nil {
		return nil, err
	}
	limited, cancel := context.WithTimeout(ctx, s.cfg.ReadTimeout)
	defer cancel()
	out := map[string][]contract.LayerPicture{}
	for i, b := range reader.Read(limited, files, reader.Options{}).Boards {
		made, err := s.layersOf(ctx, fmt.Sprintf("%s%d-layer-", r.Prefix, i), b)
		if err != nil {
			return nil, err
		}
		out[b.Name] = made
	}
	return out, nil
}

// unpack reads a package of our own making.
func (s *Service) unpack(ctx context.Context, key string) ([]reader.File, error) {
	r, _, err := s.blobs.Get(ctx, key)
	if err != nil {
		return nil, fmt.Errorf("fetch package: %w", err)
	}
	defer r.Close() //nolint:errcheck // read only
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("fetch package: %w", err)
	}
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("open package: %w", err)
	}
	var files []reader.File
	for _, m := range z.File {
		if strings.HasSuffix(m.Name, "/") {
			continue
		}
		f, err := m.Open()
		if err != nil {
			return nil, fmt.Errorf("open %s of the package: %w", m.Name, err)
		}
		content, err := io.ReadAll(f)
		f.Close() //nolint:errcheck // read only
		if err != nil {
			return nil, fmt.Errorf("read %s of the package: %w", m.Name, err)
		}
		files = append(files, reader.File{Name: m.Name, Data: content})
	}
	return files, nil
}

func (s *Service) layersOf(ctx context.Context, prefix string, b *board.Board) ([]contract.LayerPicture, error) {
	var out []contract.LayerPicture
	for i, img := range draw.Layers(ctx, b, draw.Options{Width: layerWidth, Height: layerHeight, Margin: 1_000_000}) {
		l := b.Layers[i]
		if img == nil || len(l.Features) == 0 && !l.Negative {
			continue
		}
		key, err := s.keep(ctx, fmt.Sprintf("%s%d.png", prefix, i), img)
		if err != nil {
			return nil, err
		}
		out = append(out, contract.LayerPicture{Name: l.Name, Role: l.Role.String(), Side: l.Side.String(), Order: l.Order, Key: key})
	}
	return out, nil
}
