package designcheck

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"strings"

	"boardorder/pkg/board"
	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/render"
	"boardorder/pkg/board/render/pngstream"
	"boardorder/pkg/board/upload"
	"boardorder/pkg/contract"
	"boardorder/pkg/exportcontrol"
	"boardorder/services/design-check/internal/fab"
	"boardorder/services/design-check/internal/reading"

	"go.uber.org/zap"
)

// A maker makes things of customers' files. It runs in a worker: it sees no
// store and no broker.
type maker struct {
	files   []upload.File
	answers *answers.FileAnswers
	put     func(name, mediaType string, write func(io.Writer) error) error
	fabs    *fab.Fabs // for reading
	log     *zap.Logger
}

// The names of what a maker makes.
const (
	uploadPackage = "package.zip"
	zipType       = "application/zip"
	pngType       = "image/png"
)

// read reads, draws and packs. Where the result names a blob it is by the name
// that it was put under.
func (m *maker) read(ctx context.Context) (contract.ReadFiles, error) {
	if err := m.pack(uploadPackage, m.files); err != nil {
		return contract.ReadFiles{}, err
	}
	project := upload.Read(ctx, m.files, upload.Options{Answers: m.answers})
	out := contract.ReadFiles{
		Package: uploadPackage, Files: reading.Files(project.Files), Findings: reading.Findings(project.Findings),
		Boards: []contract.BoardFile{}, Answers: m.answers, Refused: project.Refused,
	}
	out.Findings = append(out.Findings, controlled(m.files)...)
	for i, b := range project.Boards {
		found := m.inspect(ctx, b)
		made, err := m.board(ctx, fmt.Sprintf("%d-", i), b)
		if err != nil {
			return out, err
		}
		made.Findings = findings(found, b, made.Findings)
		made.Measures = measures(found)
		m.mark(ctx, fmt.Sprintf("%d-finding-", i), b, found, made.Findings)
		if err := m.packBoard(fmt.Sprintf("%d-package.zip", i), b, &made, project); err != nil {
			return out, err
		}
		out.Boards = append(out.Boards, made)
	}
	return out, nil
}

// controlled tells of files that say that the design is export-controlled.
func controlled(files []upload.File) []contract.Finding {
	var out []contract.Finding
	for _, f := range files {
		if len(out) < mostControlled && exportcontrol.Mentions(f.Data) {
			out = append(out, contract.Finding{
				Level: "warning", Check: exportcontrol.Check, File: f.Name,
				What: "the file speaks of ITAR export control: " + exportcontrol.Advice,
			})
		}
	}
	return out
}

// mostControlled bounds how many such files are named.
const mostControlled = 5

// board draws both sides. What cannot be drawn is among the findings.
func (m *maker) board(ctx context.Context, prefix string, b *board.Board) (contract.BoardFile, error) {
	out := contract.BoardFile{Name: b.Name, Facts: reading.Facts(b.Facts)}
	for _, side := range []struct {
		of   board.Side
		name *string
	}{{board.Top, &out.Top}, {board.Bottom, &out.Bottom}} {
		img, err := render.SideMap(ctx, b, side.of, render.Options{Width: 1200, Height: 1200, Margin: 1_000_000})
		if errors.Is(err, render.ErrNothing) {
			continue
		}
		if e, ok := errors.AsType[*board.TooComplex](err); ok {
			out.Findings = append(out.Findings, reading.Findings([]board.Finding{e.Finding()})...)
			continue
		}
		if err != nil {
			return out, fmt.Errorf("draw %s side of %s: %w", side.of, b.Name, err)
		}
		name := prefix + side.of.String() + ".png"
		if err := m.put(name, pngType, func(w io.Writer) error { return pngstream.EncodeMap(w, img) }); err != nil {
			return out, fmt.Errorf("picture %s: %w", name, err)
		}
		*side.name = name
	}
	return out, nil
}

func (m *maker) picture(name string, img image.Image) (string, error) {
	err := m.put(name, pngType, func(w io.Writer) error { return pngstream.Encode(w, img) })
	if err != nil {
		return "", fmt.Errorf("picture %s: %w", name, err)
	}
	return name, nil
}

// layers draws every layer of every board, by the board's name.
func (m *maker) layers(ctx context.Context) (map[string][]contract.LayerPicture, error) {
	out := map[string][]contract.LayerPicture{}
	for i, b := range upload.Read(ctx, m.files, upload.Options{Answers: m.answers}).Boards {
		made, err := m.layersOf(ctx, fmt.Sprintf("%d-layer-", i), b)
		if err != nil {
			return nil, err
		}
		out[b.Name] = made
	}
	return out, nil
}

func (m *maker) layersOf(ctx context.Context, prefix string, b *board.Board) ([]contract.LayerPicture, error) {
	var out []contract.LayerPicture
	for i, img := range render.Layers(ctx, b, render.Options{Width: layerWidth, Height: layerHeight, Margin: 1_000_000}) {
		l := b.Layers[i]
		if img == nil || len(l.Features) == 0 && !l.Negative {
			continue
		}
		name, err := m.picture(fmt.Sprintf("%s%d.png", prefix, i), img)
		if err != nil {
			return nil, err
		}
		out = append(out, contract.LayerPicture{Name: l.Name, Role: l.Role.String(), Side: l.Side.String(), Order: l.Order, Key: name})
	}
	return out, nil
}

// unpack reads a package of our own making.
func unpack(data []byte) ([]upload.File, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("open package: %w", err)
	}
	var files []upload.File
	for _, member := range z.File {
		if strings.HasSuffix(member.Name, "/") {
			continue
		}
		f, err := member.Open()
		if err != nil {
			return nil, fmt.Errorf("open %s of the package: %w", member.Name, err)
		}
		content, err := io.ReadAll(f)
		f.Close() //nolint:errcheck // read only
		if err != nil {
			return nil, fmt.Errorf("read %s of the package: %w", member.Name, err)
		}
		files = append(files, upload.File{Name: member.Name, Data: content})
	}
	return files, nil
}
