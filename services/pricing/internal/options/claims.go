package options

import (
	"fmt"
	"slices"
	"strings"

	"boardorder/pkg/board/pcb"
	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
)

// panelDoubt is why people look at a panel that the request says to lie in the files: the
// price counts its boards, and the files show none, or another number of them.
func (d *decision) panelDoubt() string {
	p := catalog.PanelOf(d.request.FabOptions)
	if p.By != "customer" {
		return ""
	}
	shown := d.facts.BoardsInPanel
	pieces := slices.ContainsFunc(d.facts.Processes, func(p NeededProcess) bool { return p.Name == pcb.Separating && yes(p.Needed) })
	switch {
	case !yes(d.facts.Panel) && !pieces && !(shown.isStated() && shown.Value > 1):
		return fmt.Sprintf("the request says (fab_options.panel_by, panel_columns, panel_rows) that the files hold a panel of %d x %d boards, and they show one board, so our team looks how many come; with panel_by: fabricator the panel is made of it",
			p.Columns, p.Rows)
	case shown.isStated() && shown.Value > 1 && shown.Value != p.Boards():
		return fmt.Sprintf("the request says (fab_options.panel_by, panel_columns, panel_rows) that the files hold a panel of %d x %d boards, and they show %d boards, so our team looks how many come; with panel_columns and panel_rows that make %d it is priced at once", p.Columns, p.Rows, shown.Value, shown.Value)
	}
	return ""
}

// blindSlots holds the images of blind slots against what was uploaded: one that is not
// there is refused, a slot without any is for people to ask about.
func (d *decision) blindSlots() (reasons []string, refused []contract.FieldProblem) {
	slots, _ := d.request.FabOptions["blind_slots"].([]any)
	for i, s := range slots {
		slot, _ := s.(map[string]any)
		image, _ := slot["image"].(string)
		switch {
		case strings.TrimSpace(image) == "":
			reasons = append(reasons, fmt.Sprintf("blind slot %d comes without an image, which our team asks for", i+1))
		case !slices.ContainsFunc(d.facts.Names, func(name string) bool { return sameFile(name, image) }):
			refused = append(refused, contract.FieldProblem{
				Field: fmt.Sprintf("fab_options.blind_slots.%d.image", i), Problem: "unknown", Allowed: images(d.facts.Names),
				Message: "The upload holds no file of this name: add the image to the upload, or name one that it holds.",
			})
		}
	}
	return reasons, refused
}

// sameFile compares by the end of the path, as people leave folders out.
func sameFile(name, image string) bool {
	return strings.EqualFold(name, image) || strings.HasSuffix(strings.ToLower(name), "/"+strings.ToLower(image))
}

// images lists the files that may show something.
func images(names []string) []string {
	out := []string{}
	for _, n := range names {
		if i := strings.LastIndexByte(n, '.'); i >= 0 && slices.Contains([]string{"png", "jpg", "jpeg", "gif", "bmp", "tif", "tiff", "svg", "pdf"}, strings.ToLower(n[i+1:])) {
			out = append(out, n)
		}
	}
	return out
}
