package partsourcing

import (
	"strings"
	"time"

	"boardorder/pkg/contract/partchecks"
	"boardorder/pkg/passive"
	"boardorder/services/part-sourcing/internal/part"
	"boardorder/services/part-sourcing/internal/sourcing"
	"boardorder/services/part-sourcing/internal/verdict"
)

// report puts what was found into the contract's words.
func (l List) report(r sourcing.Report) partchecks.Report {
	out := partchecks.Report{
		Phase: partchecks.Phase(r.Phase), Boards: int(r.Boards), Parts: make([]partchecks.Found, len(r.Parts)), RetryAfterS: r.RetryAfter, Unreached: r.Unreached, Notes: l.notes,
		Summary: partchecks.Summary{
			Lines: map[string]int{}, PartsCents: r.Summary.PartsCents, PerBoardCents: r.Summary.PerBoardCents, Complete: r.Summary.Complete, AtRisk: r.Summary.AtRisk,
		},
	}
	for v, n := range r.Summary.Lines {
		out.Summary.Lines[string(v)] = n
	}
	for i := range r.Parts {
		out.Parts[i] = reportPart(&r.Parts[i])
		if i < len(l.references) {
			out.Parts[i].Reference, out.Parts[i].Line = l.references[i], i+1
		}
	}
	return out
}

// maxEchoed bounds what is repeated of a list, in bytes: no part's name is longer.
const maxEchoed = 200

// echo is a word of a list as it is repeated: cut where it is none.
func echo(text string) string {
	if len(text) <= maxEchoed {
		return text
	}
	return strings.ToValidUTF8(text[:maxEchoed], "") + "…"
}

func reportPart(p *verdict.Part) partchecks.Found {
	f := partchecks.Found{
		Reference: p.Reference, Part: echo(p.Part), QuantityPerBoard: p.PerBoard, Verdict: string(p.Verdict), Source: p.Source, MPN: p.MPN, Manufacturer: echo(p.Maker),
		FabCode: p.FabCode, FabLibrary: p.Library, Supplier: p.Supplier, SKU: p.SKU, CostUSD: p.CostUSD, Bought: p.Bought, Stock: p.Stock,
		LeadTimeDays: p.LeadDays, Lifecycle: p.Lifecycle, Datasheet: p.Datasheet, Why: p.Why, Searched: p.Searched, Replaces: echo(p.Replaces), Compared: properties(p.Compared), LeftOff: p.LeftOff,
	}
	for _, r := range p.Risks {
		f.Risks = append(f.Risks, partchecks.Risk{Kind: string(r.Kind), Source: r.Source, Says: r.Says, At: r.At.UTC().Truncate(time.Millisecond)})
	}
	for i := range p.Alternatives {
		f.Alternatives = append(f.Alternatives, reportAlternative(&p.Alternatives[i]))
	}
	if s := p.Supply; s != nil {
		f.Supply = &partchecks.Supply{Stock: s.Stock, Needed: s.Needed, Source: s.Source, At: s.At.UTC().Truncate(time.Millisecond)}
	}
	if s := p.Similar; s != nil {
		f.SimilarPart = &partchecks.InStock{
			MPN: s.MPN, Manufacturer: s.Manufacturer, Source: s.Source, Supplier: s.Supplier, SKU: s.SKU, Stock: s.Stock,
			CostUSD: s.CostUSD, Why: s.Why, Compared: properties(s.Compared),
		}
	}
	return f
}

func reportAlternative(a *verdict.Alternative) partchecks.Alternative {
	out := partchecks.Alternative{
		MPN: echo(a.MPN), Manufacturer: echo(a.Manufacturer), Source: a.Source, Supplier: echo(a.Supplier), SKU: echo(a.SKU), Stock: a.Stock, CostUSD: a.CostUSD,
		Datasheet: a.Datasheet, Score: a.Score, NoWorse: a.NoWorse,
	}
	if a.Lifecycle != string(part.Unstated) {
		out.Lifecycle = a.Lifecycle
	}
	if days := a.LeadDays; days >= 0 {
		out.LeadTimeDays = &days
	}
	for _, r := range a.Reasons {
		out.Reasons = append(out.Reasons, partchecks.AlternativeReason{Property: r.Property, Is: r.Is, Named: echo(r.Named), Offered: echo(r.Offered)})
	}
	return out
}

func properties(list []passive.Comparison) []partchecks.Property {
	var out []partchecks.Property
	for _, c := range list {
		out = append(out, partchecks.Property(c))
	}
	return out
}
