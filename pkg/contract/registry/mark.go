package registry

import (
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/assemblies"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/contract/buylinks"
	"boardorder/pkg/contract/cases"
	"boardorder/pkg/contract/confirmations"
	"boardorder/pkg/contract/designchecks"
	"boardorder/pkg/contract/formal"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"

	"github.com/tidwall/gjson"
)

// marked says, for each command whose data tells of a person or a design, which
// members of the data name them, and which says that it is controlled.
var marked = map[contract.CommandName]struct{ person, upload, board, controlled string }{
	formal.Submit:          {person: "email", controlled: "itar"},
	formal.IssueQuote:      {person: "email", controlled: "itar"},
	formal.AcceptQuote:     {controlled: "itar"},
	formal.Move:            {controlled: "itar"},
	formal.RecordReview:    {controlled: "itar"},
	formal.DropFiles:       {controlled: "itar"},
	cases.AskApproval:      {controlled: "itar"},
	cases.Decide:           {controlled: "itar"},
	cases.Take:             {controlled: "itar"},
	uploads.Create:         {upload: "ref"},
	uploads.AddFiles:       {upload: "ref"},
	quotes.Price:           {person: "request.ship_to.email", upload: "upload", board: "digest"},
	quotes.ChooseDelivery:  {person: "ship_to.email"},
	quotes.RequestReview:   {person: "ship_to.email"},
	boards.Read:            {upload: "upload", board: "digest"},
	boards.Complete:        {upload: "upload", board: "digest"},
	assemblies.Assemble:    {upload: "upload", board: "digest"},
	designchecks.Check:     {upload: "upload"},
	designchecks.Measure:   {upload: "upload"},
	boards.DrawLayers:      {board: "digest"},
	confirmations.SendCode: {person: "email"},
	buylinks.Create:        {upload: "upload"},
	boards.Forget:          {board: "digest"},
}

// MarksOf gives the marks of a command, from its data.
func MarksOf(c contract.Command) contract.Marks {
	in, ok := marked[c.Name]
	if !ok {
		return nil
	}
	text := func(path string) string {
		if path == "" {
			return ""
		}
		return gjson.GetBytes(c.Data, path).String()
	}
	marks := contract.MarksFrom(contract.PersonMark(text(in.person)), uploads.Mark(text(in.upload)), boards.Mark(text(in.board)))
	if in.controlled != "" && gjson.GetBytes(c.Data, in.controlled).Bool() {
		marks = marks.Union(contract.Marks{contract.ControlledMark})
	}
	return marks
}
