package board

import (
	"context"
	"io"
	"io/fs"

	"boardorder/pkg/board/archive"
	"boardorder/pkg/board/dfm"
	"boardorder/pkg/board/dfm/check"
	"boardorder/pkg/board/dfm/limits"
	"boardorder/pkg/board/pcb"
	"boardorder/pkg/board/render"
	"boardorder/pkg/board/upload"
)

// Read reads every design in a folder. Archives are unpacked; the member m of an
// archive a is named a!/m. What cannot be read, is missing or contradicts itself becomes
// a finding, an archive that is damaged or hostile too; the error is one of fsys, or of
// ctx if it ended first.
func Read(ctx context.Context, fsys fs.FS) (*pcb.Project, error) {
	files, refused, err := archive.Load(ctx, fsys)
	if err != nil {
		return nil, err
	}
	named := make([]upload.File, len(files))
	for i, f := range files {
		named[i] = upload.File(f)
	}
	project := upload.Read(ctx, named, upload.Options{})
	for _, why := range refused {
		project.Findings = append(project.Findings, pcb.Finding{Code: "archive_" + string(why.Code), Level: pcb.Problem, File: why.Archive, Message: why.Error()})
	}
	return project, ctx.Err()
}

// Check holds a board against the limits of the primary fabricator's usual process for
// as many layers as it has, with the copper and thickness that its files state. The
// error is ctx's if it ended first; the report then names what was not judged.
func Check(ctx context.Context, b *pcb.Board) (*dfm.Report, error) {
	return CheckLimits(ctx, b, limits.Standard(b.Facts.CopperLayers.Value, b.Facts.OuterCopper.Value))
}

// CheckLimits is [Check] with limits of one's own.
func CheckLimits(ctx context.Context, b *pcb.Board, l dfm.Limits) (*dfm.Report, error) {
	return check.Run(ctx, b, dfm.Options{Limits: l, CopperOz: b.Facts.OuterCopper.Value})
}

// Render writes one side of a board as it will look, the bottom as one sees it when it
// is turned over: a PNG of the given width in pixels (0: 1200), transparent round the
// board and in its holes. The error is [render.ErrNothing] where nothing can be drawn.
func Render(ctx context.Context, w io.Writer, b *pcb.Board, side pcb.Side, width int) error {
	return render.SidePNG(ctx, w, b, side, render.Options{Width: width})
}
