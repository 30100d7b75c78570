package designcheck

import (
	"archive/zip"
	"bytes"
	"context"
	"fmt"
	"image"
	"io"
	"strings"

	"boardorder/pkg/board/answers"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/render"
	"boardorder/pkg/board/render/pngstream"
	"boardorder/pkg/board/upload"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
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
	plain   bool // boards are not inspected
	put     func(name, mediaType string, write func(io.Writer) error) error
	fabs    *fab.Fabs // for reading
	log     *zap.Logger
}

// The names of what a maker makes.
const (
	uploadPackage = "package.zip"
	marksFile     = "marks.json"
	zipType       = "application/zip"
	pngType       = "image/png"
	jsonType      = "application/json"
)

func boardPackage(i int) string { return fmt.Sprintf("%d-package.zip", i) }

func sidePicture(i int, side pcb.Side) string { return fmt.Sprintf("%d-%s.png", i, side) }

// read finds out all that a price depends on, and leaves the marks of which, with the
// files, [maker.complete] makes the pictures and packages that the result names. What it
// had no time for is among the findings. A plain reading inspects no board.
func (m *maker) read(ctx context.Context) (boards.ReadFiles, error) {
	project := upload.Read(ctx, m.files, upload.Options{Answers: m.answers})
	out := boards.ReadFiles{
		Package: uploadPackage, Files: reading.Files(project.Files), Findings: reading.Findings(project.Findings),
		Boards: []boards.Board{}, Answers: m.answers, Refused: project.Refused,
	}
	out.Findings = append(out.Findings, findControlled(m.files)...)
	marks := make([][]mark, len(project.Boards))
	for i, b := range project.Boards {
		var made boards.Board
		made, marks[i] = m.board(ctx, i, b)
		switch plot, own := m.buildSources(b, project); {
		case plot && len(b.Copper()) == 0:
			made.Findings = append(made.Findings, noCopper)
		case plot || len(own) > 0:
			made.Package = boardPackage(i)
		}
		out.Boards = append(out.Boards, made)
	}
	return out, m.leave(marks)
}

var noCopper = contract.Finding{
	Level: "must_fix", Check: "no_copper",
	What: "The board has no copper layer, so no artwork can be made of it.",
}

// board is what is known of a board, and which findings are to be shown on pictures.
func (m *maker) board(ctx context.Context, i int, b *pcb.Board) (boards.Board, []mark) {
	found := &dfm.Report{}
	if !m.plain {
		found = m.inspect(ctx, b)
	}
	inspected, measured := findings(found, b)
	marks := nameMarks(i, inspected, measured)
	made := boards.Board{Name: b.Name, Facts: reading.Facts(b.Facts), Findings: inspected, Measures: measures(found)}
	if m.plain || ctx.Err() != nil {
		made.Findings = append([]contract.Finding{complexityFinding(b)}, made.Findings...)
	}
	if !render.Extent(b).Empty() {
		made.Top, made.Bottom = sidePicture(i, pcb.Top), sidePicture(i, pcb.Bottom)
	}
	return made, marks
}

// complexityFinding says that a board was not inspected to its end, and names the file that
// draws most of it.
func complexityFinding(b *pcb.Board) contract.Finding {
	file, most := "", -1
	for _, l := range b.Layers {
		if n := len(l.Features); n > most {
			file, most = l.File, n
		}
	}
	return contract.Finding{
		Level: "must_fix", Check: pcb.TooComplexCode, File: file,
		What: "Looking for shorts and missing connections takes more time or memory than is allowed: the files describe far more than a board has. " + advice,
	}
}

// findControlled tells of files that say that the design is export-controlled.
func findControlled(files []upload.File) []contract.Finding {
	var out []contract.Finding
	for _, f := range files {
		if len(out) < maxControlled && exportcontrol.Mentions(f.Data) {
			out = append(out, contract.Finding{
				Level: "warning", Check: exportcontrol.Check, File: f.Name,
				What: "the file speaks of ITAR export control: " + exportcontrol.Advice,
			})
		}
	}
	return out
}

// maxControlled bounds how many such files are named.
const maxControlled = 5

func (m *maker) picture(name string, img image.Image) (string, error) {
	err := m.put(name, pngType, func(w io.Writer) error { return pngstream.Encode(w, img) })
	if err != nil {
		return "", fmt.Errorf("picture %s: %w", name, err)
	}
	return name, nil
}

// layers draws every layer of every board, by the board's name.
func (m *maker) layers(ctx context.Context) (map[string][]boards.LayerPicture, error) {
	out := map[string][]boards.LayerPicture{}
	for i, b := range upload.Read(ctx, m.files, upload.Options{Answers: m.answers}).Boards {
		made, err := m.layersOf(ctx, fmt.Sprintf("%d-layer-", i), b)
		if err != nil {
			return nil, err
		}
		out[b.Name] = made
	}
	return out, nil
}

func (m *maker) layersOf(ctx context.Context, prefix string, b *pcb.Board) ([]boards.LayerPicture, error) {
	var out []boards.LayerPicture
	for i, img := range render.Layers(ctx, b, render.Options{Width: layerWidth, Height: layerHeight, Margin: 1_000_000}) {
		l := b.Layers[i]
		if img == nil || len(l.Features) == 0 && !l.Negative {
			continue
		}
		name, err := m.picture(fmt.Sprintf("%s%d.png", prefix, i), img)
		if err != nil {
			return nil, err
		}
		out = append(out, boards.LayerPicture{Name: l.Name, Role: l.Role.String(), Side: l.Side.String(), Order: l.Order, Key: name})
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
