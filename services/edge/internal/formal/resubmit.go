package formal

import (
	"slices"
	"strings"

	"boardorder/pkg/contract/formal"
)

// differing names the fields in which a request that came again is not like the
// one that made its order. Of an order whose customer was erased nothing is known.
func differing(o formal.Order, again formal.SubmitData) []string {
	if o.Name == "" {
		return nil
	}
	var out []string
	for _, f := range []struct {
		name string
		same bool
	}{
		{"name", o.Name == again.Name}, {"qty", o.Qty == again.Qty}, {"services", o.Services == again.Services},
		{"board_layers", equal(o.BoardLayers, again.BoardLayers)}, {"board_origin", o.BoardOrigin == again.BoardOrigin},
		{"production_spec", o.ProductionSpec == again.ProductionSpec}, {"target_date", o.TargetDate == again.TargetDate}, {"itar", o.ITAR == again.ITAR},
		{"language", o.Language == "" || o.Language == again.Language},
		{"customer_po", o.CustomerPO == again.CustomerPO}, {"notes", o.Notes == again.Notes},
		{"email", o.Email == again.Email || o.Issued > 0}, // a quote may have been announced elsewhere
	} {
		if !f.same {
			out = append(out, f.name)
		}
	}
	for _, role := range roles {
		before := o.File(role)
		i := slices.IndexFunc(again.Files, func(f formal.File) bool { return f.Role == role })
		if (before == nil) != (i < 0) || before != nil && before.SHA256 != again.Files[i].SHA256 {
			out = append(out, role)
		}
	}
	return out
}

func equal(a, b *int) bool { return a == b || a != nil && b != nil && *a == *b }

// wanting names the files that the services of an order need and that it has not:
// the team asks for them, or finds what it needs in others.
func wanting(o formal.Order) []string {
	var out []string
	if (o.Services.PartProcurement || o.Services.Assembly) && !o.Has(formal.BOM) {
		out = append(out, formal.BOM)
	}
	if o.Services.Assembly && !o.Has(formal.CPL) {
		out = append(out, formal.CPL)
	}
	if o.Services.Assembly && !o.Services.Fabrication && !o.Has(formal.Gerbers) {
		out = append(out, formal.Gerbers)
	}
	return out
}

// noteRepeat is what is said first of an order that there was before.
func (r *Record) noteRepeat(fields []string) {
	if len(fields) == 0 {
		return
	}
	r.Differs = fields
	r.Next = "This request_id made this order before, and the order stands as it was sent then: " + strings.Join(fields, ", ") +
		" of this request are not taken. What shall be another order needs another request_id. " + r.Next
}
