package partsourcing

import (
	"fmt"

	"boardorder/pkg/contract"
	"boardorder/services/part-sourcing/internal/sourcing"
	"boardorder/services/part-sourcing/internal/verdict"
)

// report puts what was found into the contract's words.
func (l List) report(r sourcing.Report) contract.PartReport {
	out := contract.PartReport{
		Phase: contract.PartPhase(r.Phase), Boards: int(r.Boards), Parts: make([]contract.PartFound, len(r.Parts)), RetryAfterS: r.RetryAfter, Notes: l.notes,
		Summary: contract.PartSummary{
			Lines: map[string]int{}, PartsCents: r.Summary.PartsCents, PerBoardCents: r.Summary.PerBoardCents, Complete: r.Summary.Complete,
		},
	}
	for v, n := range r.Summary.Lines {
		out.Summary.Lines[string(v)] = n
	}
	for i := range r.Parts {
		out.Parts[i] = found(&r.Parts[i])
		if i < len(l.references) && l.references[i] != "" {
			out.Parts[i].Reference = l.references[i]
		}
	}
	return out
}

func found(p *verdict.Part) contract.PartFound {
	f := contract.PartFound{
		Reference: p.Reference, Part: p.Part, QuantityPerBoard: p.PerBoard, Verdict: string(p.Verdict), Source: p.Source, MPN: p.MPN, Manufacturer: p.Maker,
		FabCode: p.FabCode, FabLibrary: p.Library, Supplier: p.Supplier, SKU: p.SKU, CostUSD: p.CostUSD, Bought: p.Bought, Stock: p.Stock,
		LeadTimeDays: p.LeadDays, Lifecycle: p.Lifecycle, Datasheet: p.Datasheet, Why: p.Why, Searched: p.Searched,
	}
	if s := p.Similar; s != nil {
		f.SimilarPart = &contract.PartInStock{
			MPN: s.MPN, Manufacturer: s.Manufacturer, Source: s.Source, Supplier: s.Supplier, SKU: s.SKU, Stock: s.Stock,
			CostUSD: fmt.Sprintf("%d.%02d", s.CostCents/100, s.CostCents%100), Why: s.Why,
		}
	}
	return f
}
