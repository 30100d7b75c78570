package fabricator

import (
	"archive/zip"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

func (s *Server) detail(c *call) (any, error) {
	var r struct {
		Batch string `json:"batchNum"`
	}
	if err := c.decode(&r); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var items []any
	var total, freight int64
	var first *Order
	for _, o := range s.orders {
		if o.Batch == r.Batch && r.Batch != "" {
			if first == nil {
				first = o
			}
			total, freight = total+o.Boards, freight+o.Freight
			items = append(items, map[string]any{"orderType": 1, "pcbItem": s.item(o), "smtItem": nil})
		}
	}
	if first == nil {
		return nil, refuse(2005)
	}
	return map[string]any{
		"shippingAddress": map[string]any{"city": first.Address.City, "province": first.Address.Province, "linkAddress": first.Address.Street},
		"shippingMethod":  first.Way, "paymentMethod": "balance", "totalDummyMoney": dollars(total),
		"totalCarriageMoney": dollars(freight), "totalMoney": dollars(total + freight), "orderItem": items,
	}, nil
}

// item describes an order; the caller holds the lock.
func (s *Server) item(o *Order) map[string]any {
	state := o.state(s.cfg.Now(), s.cfg.Pace)
	it := map[string]any{
		"fileName": s.files[o.FileKey].Name, "buildTime": o.Hours, "count": o.Qty, "orderDate": stamp(o.At), "produceCode": nil,
		"customerCode": "SIM1A", "orderRemark": "", "deliveryTime": nil, "price": dollars(o.Boards), "orderStatus": state, "cancelReason": nil,
	}
	if state != reviewing {
		it["produceCode"] = o.Number
	}
	switch state {
	case cancelled:
		it["cancelReason"] = o.Cancelled.Reason
	case shipped:
		it["deliveryTime"] = stamp(o.shipmentTime(s.cfg.Pace))
		it["expressNo"], it["freightModeName"] = o.tracking(), o.WayName
	}
	return it
}

func (s *Server) wip(c *call) (any, error) {
	var r struct {
		ID string `json:"orderUUID"`
	}
	if err := c.decode(&r); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range s.orders {
		if o.ID == r.ID {
			return o.progress(s.cfg.Now(), s.cfg.Pace), nil
		}
	}
	return nil, refuse(2113)
}

// audit gives of a file what its members' names show. Until a pace has
// passed there is no result yet.
func (s *Server) audit(c *call) (any, error) {
	var r struct {
		Key string `json:"key"`
	}
	if err := c.decode(&r); err != nil {
		return nil, err
	}
	f, ok := s.file(r.Key)
	if !ok {
		return nil, refuse(2500)
	}
	if s.cfg.Now().Sub(f.At) < s.cfg.Pace {
		return nil, refuse(2501)
	}
	z, err := zip.OpenReader(s.path(f.Key))
	if err != nil {
		return nil, refuse(5001)
	}
	defer z.Close()
	layers := 0
	findings := map[string][]string{"red": {}, "yellow": {}, "blue": {}, "green": {}}
	for _, m := range z.File {
		name := path.Base(m.Name)
		switch {
		case strings.HasSuffix(m.Name, "/"):
		case copperName.MatchString(name):
			layers++
			findings["green"] = append(findings["green"], name+": copper")
		case gerberName.MatchString(name):
			findings["green"] = append(findings["green"], name+": Gerber or drill file")
		default:
			findings["blue"] = append(findings["blue"], name+": not used")
		}
	}
	return map[string]any{
		"stencilLayer": layers, "minLineWidth": nil, "minLineDist": nil, "smallestHole": nil, "setLength": nil, "setWidth": nil,
		"technologyDiscernRecordResult": findings,
	}, nil
}

var (
	copperName = regexp.MustCompile(`(?i)(\.(gtl|gbl|g\d{1,2}l?|gl\d|cmp|sol)$|[-_.]([fb]|in\d{1,2})[._]cu\b|copper)`)
	gerberName = regexp.MustCompile(`(?i)\.(g..|gbr|ger|drl|xln|txt|exc|gm\d+|gko)$`)
)

// A stackup is a build-up on the shelf.
type stackup struct {
	Code   string
	Name   string
	Layers int
	MM     float64
	Sheets []sheet
}

type sheet struct {
	Type    int    `json:"iaminationType"`
	Content string `json:"content"`
}

var prepregs = []string{"7628", "3313", "2116"}

// stockStackups lists the build-ups of a layer count and thickness.
func stockStackups(layers int, mm float64) []stackup {
	var out []stackup
	if layers < 4 || layers > 20 || layers%2 != 0 || !slices.Contains([]float64{0.8, 1.0, 1.2, 1.6, 2.0}, mm) {
		return nil
	}
	for _, p := range prepregs {
		st := stackup{Code: fmt.Sprintf("SIM%02d%02d-%s", layers, int(mm*10+0.5), p), Layers: layers, MM: mm}
		st.Name = st.Code
		for l := range layers {
			st.Sheets = append(st.Sheets, sheet{1, fmt.Sprintf("L%d", l+1)})
			switch {
			case l == layers-1:
			case l%2 == 0:
				st.Sheets = append(st.Sheets, sheet{2, p})
			default:
				st.Sheets = append(st.Sheets, sheet{3, "core"})
			}
		}
		out = append(out, st)
	}
	return out
}

func stackupOf(code string) stackup {
	var layers, tenths int
	var prepreg string
	if _, err := fmt.Sscanf(code, "SIM%02d%02d-%s", &layers, &tenths, &prepreg); err != nil {
		return stackup{}
	}
	for _, st := range stockStackups(layers, float64(tenths)/10) {
		if st.Code == code {
			return st
		}
	}
	return stackup{}
}

func (s *Server) stackups(c *call) (any, error) {
	var r struct {
		Layers int         `json:"stencilLayer"`
		MM     flexible    `json:"stencilPly"`
		Outer  json.Number `json:"cuprumThickness"`
		Inner  json.Number `json:"insideCuprumThickness"`
		Plate  int         `json:"plateType"`
	}
	if err := c.decode(&r); err != nil || r.Plate == 0 {
		return nil, refuse(3)
	}
	out := []any{}
	if r.Plate != fr4 {
		return out, nil
	}
	for _, st := range stockStackups(r.Layers, float64(r.MM)) {
		out = append(out, map[string]any{
			"templateName": st.Name, "stencilLayer": st.Layers, "stencilPly": st.MM, "cuprumThickness": r.Outer, "insideCuprumThickness": r.Inner,
			"expeditedFlag": true, "enableFlag": true, "impedanceTemplateCode": st.Code, "iaminationList": st.Sheets,
		})
	}
	return out, nil
}
