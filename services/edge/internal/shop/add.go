package shop

import (
	"net/url"
	"slices"

	"boardorder/services/edge/internal/checkout"
	"boardorder/services/edge/internal/problem"
	"boardorder/services/edge/internal/upload"
	"boardorder/services/edge/internal/web"
)

// add answers POST /order/{upload_id}/files: files for a board that is there. They and the old
// ones become another upload, at a page of its own, with all that was chosen; whoever else has
// the address of the old page still sees the old board.
func (s *Shop) add(c *web.Call) error {
	id, up, err := s.upload(c)
	if err != nil {
		return err
	}
	f, form := choicesOf(c), choices{}
	adding := s.Uploads
	adding.Receiver.Judge = form.keep
	made, err := s.accept(c, func() (upload.Accepted, error) { return adding.Extend(c, up.Ref) })
	if form.get("quantity") != "" { // it came, with all that was chosen since the page was made
		f = form
	}
	if err == nil {
		return lead(c, s.self(made)+"?"+url.Values(f).Encode())
	}
	failure := problem.Find(err)
	words, detail := s.explainUpload(c, failure)
	if wantsJSON(c) {
		return c.JSON(failure.Status, map[string]string{"message": words, "detail": detail})
	}
	outcome, _, err := s.price(c, id, f)
	if err != nil {
		return err
	}
	v, err := s.boardView(c, id, up, f, outcome)
	if err != nil {
		return err
	}
	v.Title, v.Detail = s.voice(c).Text("Error: %s", v.Title), detail
	v.Notices = []checkout.Notice{{Kind: "bad", Text: words, Focus: true}}
	return s.reply(c, failure.Status, "board", v)
}

// showBoard answers GET /order/{upload_id}/files, which a reload of a refusal asks for, or the
// refusal in another language: it leads back to the board.
func (s *Shop) showBoard(c *web.Call) error {
	id, _, err := s.upload(c)
	if err != nil && !isUnpacking(err) {
		return err
	}
	return lead(c, s.self(id)+"?"+url.Values(choicesOf(c)).Encode())
}

// maxKept is how many bytes of an address what is chosen takes at most.
const maxKept = 8 << 10

// keep takes a field of the page's form that came with files.
func (f choices) keep(name, value string) error {
	if err := judge(name, value); err != nil || value == "" || slices.Contains(notChosen, name) {
		return err
	}
	if len(url.Values(f).Encode())+len(url.QueryEscape(name))+len(url.QueryEscape(value)) < maxKept {
		f[name] = append(f[name], value)
	}
	return nil
}
