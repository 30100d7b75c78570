package altium

import "boardorder/pkg/board/pcb"

// A mask is what a track, an arc, a fill or a region opens over itself.
type mask struct {
	solder, paste           bool
	solderGrow, pasteGrow   int64
	solderByRule, pasteRule bool
}

// A maskKey is a record, by its kind's name and its number from 0.
type maskKey struct {
	kind  string
	index int
}

func (r *reader) mask(c *cursor) error {
	p := c.properties(r.meter)
	if p["TYPE"] != "Mask" {
		return nil
	}
	m := mask{solderGrow: p.length("SOLDERMASKEXPANSION_MANUAL"), pasteGrow: p.length("PASTEMASKEXPANSION_MANUAL")}
	m.solder, m.solderByRule = parseMaskMode(p["SOLDERMASKEXPANSIONMODE"])
	m.paste, m.pasteRule = parseMaskMode(p["PASTEMASKEXPANSIONMODE"])
	if r.design.masks == nil {
		r.design.masks = map[maskKey]mask{}
	}
	r.design.masks[maskKey{p["PRIMITIVEOBJECTID"], p.number("PRIMITIVEINDEX", -1)}] = m
	return nil
}

func parseMaskMode(mode string) (open, byRule bool) {
	return mode == "Manual" || mode == "Rule", mode == "Rule"
}

// openings draws what an object on an outer layer opens: draw gets the layer, and how
// far beyond the object it reaches.
func (b *builder) openings(kind string, o *object, draw func(l layer, grow int64)) {
	m, ok := b.design.masks[maskKey{kind, o.record - 1}]
	if !ok || o.layer != topLayer && o.layer != bottomLayer {
		return
	}
	solder, paste := topSolder, topPaste
	if o.layer == bottomLayer {
		solder, paste = bottomSolder, bottomPaste
	}
	if m.solderByRule {
		m.solderGrow = b.maskGrow
	}
	if m.pasteRule {
		m.pasteGrow = b.pasteGrow
	}
	if m.solder {
		draw(solder, m.solderGrow)
	}
	if m.paste {
		draw(paste, m.pasteGrow)
	}
}

// reportScopedRules says that openings whose size the file does not hold may differ: rules for
// some objects only were not followed.
func (b *builder) reportScopedRules() {
	for i := range b.design.rules {
		u := &b.design.rules[i]
		if b.guessed > 0 && u.on && !u.appliesToAll() && (u.kind == "SolderMaskExpansion" || u.kind == "PasteMaskExpansion") {
			b.finding(pcb.Warning, "mask_rule_unread", "rule %q sets openings for %q; %d openings, whose size the file does not hold, were drawn by the rule for all", u.p.text("NAME"), u.scope, b.guessed)
			return
		}
	}
}
