package design

import (
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/itar"
	"boardorder/services/edge/internal/jsonbody"
	"boardorder/services/edge/internal/orderfile"
	"boardorder/services/edge/internal/web"
)

// Fill gives the fields of a request about an upload with what the upload's order file
// states and the request does not, less what omit names; no source = there is no such file.
// A file that declares the design is refused as a request that does.
func (d Designs) Fill(c *web.Call, file *uploads.OrderFile, request map[string]any, upload string, omit func(string) bool) (*jsonbody.Fields, *quotes.OrderSource, error) {
	if file == nil {
		return nil, nil, nil
	}
	all, source, err := orderfile.Fill(*file, request, omit)
	switch {
	case err != nil:
		return nil, nil, err
	case itar.DeclaresIn(all):
		return nil, nil, d.RefuseITAR(c, upload)
	}
	return jsonbody.NewFields(all), source, nil
}
