package check

import (
	"slices"

	"boardorder/pkg/board/dfm"
)

// An evidence is what findings rest on beside the copper that they measure.
type evidence uint8

const (
	stackFiles evidence = iota // which files are the copper layers
	statedNets                 // what is to be joined and what apart
	boardEdge                  // where the board ends
	holePlaces                 // where the holes are
)

// A doubt is a finding that puts a piece of evidence in doubt. It names what
// contradicts each other, and what to send.
type doubt struct {
	check dfm.Name
	level dfm.Level // and worse
	of    evidence
	why   string // added to findings that rest on it
}

var doubts = []doubt{
	{dfm.LayerExtra, dfm.MustFix, stackFiles, "Two files are for one copper layer and both were looked at, so this may not be of the board."},
	{dfm.NetsContradict, dfm.Warning, statedNets, "Nets and copper contradict each other in many places, so what is one net and what another is not certain."},
	{dfm.OutlineMissing, dfm.MustFix, boardEdge, "The board's outline is not known, so this may not be so."},
	{dfm.HoleWithoutCopper, dfm.MustFix, holePlaces, "Holes fit neither copper nor board as a whole, which this may follow from."},
	{dfm.Registration, dfm.MustFix, holePlaces, "Holes and copper do not fit each other as a whole, which this follows from."},
}

// rests tells what the findings and measures of a check rest on.
var rests = map[dfm.Name][]evidence{
	dfm.Short:          {statedNets, stackFiles, holePlaces},
	dfm.Open:           {statedNets, stackFiles, holePlaces},
	dfm.TrackClearance: {statedNets, stackFiles},
	dfm.PadClearance:   {statedNets, stackFiles},
	dfm.TrackWidth:     {stackFiles},
	dfm.CopperToHole:   {statedNets, stackFiles, holePlaces},
	dfm.CopperToVia:    {statedNets, stackFiles, holePlaces},
	dfm.CopperToPTH:    {statedNets, stackFiles, holePlaces},
	dfm.CopperToNPTH:   {stackFiles, holePlaces},
	dfm.AnnularRing:    {stackFiles, holePlaces},
	dfm.ViaRing:        {stackFiles, holePlaces},
	dfm.NPTHRing:       {stackFiles, holePlaces},
	dfm.HoleToEdge:     {boardEdge, holePlaces},
	dfm.CopperToEdge:   {boardEdge, stackFiles},
	dfm.CopperOutside:  {boardEdge, stackFiles},
	dfm.CopperToVScore: {stackFiles},
	dfm.BoardNeck:      {boardEdge},
	dfm.SlotTooNarrow:  {boardEdge},
	dfm.OutlineRadius:  {boardEdge},
	dfm.OutlineOpen:    {boardEdge},
	dfm.BoardWidth:     {boardEdge},
	dfm.BoardLength:    {boardEdge},
}

// weigh keeps as faults what is certain: a finding that rests on evidence which another
// finding contradicts becomes a warning that says so, and no verdict rests on what was
// measured by it. The contradiction itself is what has to be settled.
func weigh(r *dfm.Report) {
	var raised []doubt
	for _, d := range doubts {
		if slices.ContainsFunc(r.Findings, func(f dfm.Finding) bool { return f.Check == d.check && f.Level >= d.level }) {
			raised = append(raised, d)
		}
	}
	why := func(n dfm.Name) string {
		i := slices.IndexFunc(raised, func(d doubt) bool { return slices.Contains(rests[n], d.of) })
		if i < 0 {
			return ""
		}
		return raised[i].why
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Level == dfm.MustFix && why(f.Check) != "" {
			f.Level = dfm.Warning
			f.What += " " + why(f.Check)
		}
	}
	for i := range r.Measures {
		if w := why(r.Measures[i].Check); w != "" {
			r.Measures[i].Doubt = w
		}
	}
}
