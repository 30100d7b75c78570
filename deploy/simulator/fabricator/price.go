package fabricator

import (
	"fmt"
	"math"
	"strconv"
)

// The table of this stand-in, in US cents. It is plausible, not anybody's.
var (
	boardRate = map[int]float64{1: 9000, 2: 9500, 4: 16000, 6: 24000, 8: 36000, 10: 52000, 12: 70000, 14: 90000, 16: 115000, 18: 140000, 20: 170000} // per m2
	setup     = map[int]int64{1: 400, 2: 400, 4: 2400, 6: 4800, 8: 9000, 10: 14000, 12: 20000, 14: 26000, 16: 32000, 18: 40000, 20: 48000}
	plateRate = map[int]float64{fr4: 1, aluminum: 1.1, copper: 3.5, rogers: 6, ptfe: 8, flex: 3}

	serviceFees = map[string]int64{
		"mvhc": 1500, "PPBP": 120, "4WKT": 3000, "FT155": 900, "CPF": 110, "AQ": 1600, "SI_TE": 800, "PK_BOX": 0, "OU_BO": 500,
		"HFMT": 0, "ESF": 2200, "BOT": 1000, "OR_BR": 1800, "ME_TR": 2900, "PTH": 1700, "N2B": 900, "IR": 2000, "IM_TR": 900,
	}
	freeServices = map[string]bool{
		"Accept": true, "KB": true, "IPC Class 2 Standard": true, "Ink-jet/Screen Printing Silkscreen": true, "±0.2mm(Regular)": true,
		"0.3mm/(0.4/0.45mm)": true, "FR4-Standard TG 135-140": true, "No requirement": true,
	}
)

// A build is one build time and what it costs over the slowest.
type build struct {
	hours int
	name  string
	cents int64
}

// builds are the build times of a board, standard first.
func (b *board) builds() []build {
	area := b.area()
	switch {
	case b.Layer <= 2 && area <= 1:
		n := int64(0)
		if *b.Color != 0 {
			n = 24 // colours take a day longer
		}
		h := int(n)
		return []build{{48 + h, "2 days", 0}, {24 + h, "24 hours", 1500}}
	case b.Layer <= 2:
		return []build{{120, "5-6 days", 0}, {72, "3-4 days", 4000 + int64(area*1500)}}
	case b.Layer <= 6 && area <= 1:
		return []build{{96, "4-5 days", 0}, {72, "3 days", 3500}, {48, "48 hours", 7000}}
	}
	return []build{{192, "8-9 days", 0}, {144, "6-7 days", 9000 + int64(area*3000)}}
}

// area is the order's, in m2.
func (b *board) area() float64 {
	n := float64(b.Qty)
	if *b.Panel == 1 {
		n *= float64(b.PanelX * b.PanelY)
	}
	return float64(b.Width) * float64(b.Length) / 1e6 * n
}

// A cost is what a board costs, part by part, in cents, by the wire's names.
type cost struct {
	parts    map[string]int64
	services []fee
	total    int64
}

type fee struct {
	service
	cents int64
}

func (b *board) cost(hours int) (cost, error) {
	area := b.area()
	c := cost{parts: map[string]int64{}}
	rate := boardRate[b.Layer] * plateRate[b.Plate]
	if b.Thickness > 1.6 {
		rate *= 1.15
	}
	c.add("stencilFee", 200+int64(math.Round(rate*area/(1+0.06*math.Log1p(area)))))
	c.add("projectFee", setup[b.Layer]*int64(b.Designs))
	c.add("adornPutFee", finishFee(b, area))
	c.add("charFontColor", charge(isAmong(b.Color, 2, 4, 5, 6), 0, 300*area))
	c.add("cuprumThicknessFee", charge(b.Copper > 1, 1500, 6000*area))
	c.add("insideCuprumThicknessFee", charge(b.InnerCopper != nil && *b.InnerCopper > 0.5, 1000, 5000*area))
	c.add("viaCoveringMoney", viaFee(b, area))
	c.add("halfHoleFee", int64(*b.Castellated)*1200)
	c.add("edgeGrindingMoney", charge(*b.GoldFinger == 2, 2000, 0))
	c.add("spellFee", charge(*b.Panel == 1, 800, 0))
	c.add("stackupMoney", charge(b.Stackup != "", 600, 0))
	c.add("testsFee", charge(*b.Test == 2, 0, 1800*max(0, area-0.2))+charge(*b.Test == 6, 30000, 0))
	c.add("bigBoardFee", charge(max(b.Width, b.Length) > 500, 2500, 0))
	c.add("noCodeMoney", 0)
	for _, s := range b.Services {
		if isDeclined(s.Value) || freeServices[s.Value] {
			continue
		}
		n := serviceFees[s.Code]
		c.services = append(c.services, fee{s, n})
		c.total += n
	}
	for _, x := range b.builds() {
		if x.hours == hours {
			c.add("achieveFee", x.cents)
			return c, nil
		}
	}
	return cost{}, refuse(2602)
}

func (c *cost) add(name string, cents int64) {
	c.parts[name] = cents
	c.total += cents
}

func charge(when bool, flat int64, perArea float64) int64 {
	if !when {
		return 0
	}
	return flat + int64(math.Round(perArea))
}

func finishFee(b *board, area float64) int64 {
	switch {
	case *b.Finish == 1:
		return charge(true, 120, 400*area)
	case *b.Finish == 2 && b.Layer < 6:
		return charge(true, 1500, (2600+900*float64(*b.GoldThickness-1))*area)
	case *b.Finish == 2: // included from six layers on, but for thicker gold
		return charge(*b.GoldThickness > 1, 800, 1800*area)
	}
	return 0
}

func viaFee(b *board, area float64) int64 {
	switch b.Via {
	case 3:
		return charge(true, 500, 900*area)
	case 4:
		return charge(b.Layer < 6, 2600, 7000*area)
	case 5:
		return charge(true, 6000, 12000*area)
	}
	return 0
}

// grams is the weight of the packed order.
func (b *board) grams() float64 {
	density := map[int]float64{fr4: 1.95, aluminum: 2.7, copper: 8.9, rogers: 1.9, ptfe: 2.2, flex: 1.5}[b.Plate]
	perBoard := float64(b.Width) * float64(b.Length) * float64(b.Thickness) / 1000 * density
	boards := math.Round(b.area() * 1e6 / (float64(b.Width) * float64(b.Length)))
	return math.Ceil(80 + perBoard*boards*1.05)
}

// dollars writes cents as the wire does.
func dollars(cents int64) float64 { return float64(cents) / 100 }

type priceRequest struct {
	OrderType int    `json:"orderType"`
	Board     *board `json:"pcbParam"`
	Hours     int    `json:"achieveDate"`
	Country   string `json:"country"`
	PostCode  string `json:"postCode"`
	City      string `json:"city"`
	FileKey   string `json:"fileKey"`
}

func (s *Server) calculate(c *call) (any, error) {
	var r priceRequest
	if err := c.decode(&r); err != nil {
		return nil, err
	}
	price, err := s.quote(c, r)
	if err != nil {
		return nil, err
	}
	return price, nil
}

func (s *Server) quote(c *call, r priceRequest) (map[string]any, error) {
	if err := s.checkOrder(r, false); err != nil {
		return nil, err
	}
	cost, err := r.Board.cost(r.Hours)
	if err != nil {
		return nil, err
	}
	if s.take(c, FaultDear) {
		cost.double()
	}
	var ships []any
	if r.Country != "" {
		ways, err := shipments(r.Country, r.Board.grams())
		if err != nil {
			return nil, err
		}
		for _, w := range ways {
			ships = append(ships, map[string]any{
				"options": w.id, "showOptions": w.name, "cost": fmt.Sprintf("%.4f", dollars(w.cents)),
				"day": fmt.Sprintf("%d-%d business days", w.from, w.to),
			})
		}
	}
	var builds []any
	for _, b := range r.Board.builds() {
		checked := ""
		if b.hours == r.Hours {
			checked = "checked"
		}
		builds = append(builds, map[string]any{
			"achieveName": b.name, "achieveDate": strconv.Itoa(b.hours), "achieveChecked": checked, "achievePrice": dollars(b.cents),
		})
	}
	out := map[string]any{
		"orderTotalWeight": r.Board.grams(), "priceWithoutFreight": dollars(cost.total), "pcbCostInfo": cost.info(r.Board),
		"shipList": ships, "achieveDateList": builds, "serviceConfigFeeInfo": cost.fees(),
		"gerberTop": "", "gerberBottom": "",
	}
	s.spoil(c, out)
	return out, nil
}

func (c *cost) double() {
	for k := range c.parts {
		c.parts[k] *= 2
	}
	for i := range c.services {
		c.services[i].cents *= 2
	}
	c.total *= 2
}

func (c *cost) info(b *board) map[string]any {
	out := map[string]any{"weight": b.grams(), "totalFee": dollars(c.total), "dummyMoney": dollars(c.total), "specialMoney": 0, "specialFlag": false, "fillFee": 0}
	for k, v := range c.parts {
		out[k] = dollars(v)
	}
	return out
}

func (c *cost) fees() []any {
	out := []any{}
	for _, f := range c.services {
		out = append(out, map[string]any{
			"serviceConfigCode": f.Code, "serviceConfigShow": f.Show, "serviceFee": dollars(f.cents), "configOptionShow": f.Value,
		})
	}
	return out
}

// spoil makes nonsense of a price when that was asked for.
func (s *Server) spoil(c *call, out map[string]any) {
	switch {
	case s.take(c, FaultNegative):
		out["priceWithoutFreight"] = -5.0
		out["pcbCostInfo"].(map[string]any)["stencilFee"] = -100.0
	case s.take(c, FaultZero):
		out["priceWithoutFreight"] = 0
		out["pcbCostInfo"] = map[string]any{"totalFee": 0}
	case s.take(c, FaultSum):
		out["priceWithoutFreight"] = out["priceWithoutFreight"].(float64) + 12.34
	case s.take(c, FaultCurrency):
		out["currency"] = "CNY"
	case s.take(c, FaultNoWeight):
		delete(out, "orderTotalWeight")
	case s.take(c, FaultNoShips):
		out["shipList"] = []any{}
	}
}

// checkOrder is what a price and an order have in common. A price may be asked
// for without files.
func (s *Server) checkOrder(r priceRequest, filesNeeded bool) error {
	switch {
	case r.OrderType != 1:
		return refuse(2004)
	case r.Board == nil || (r.FileKey == "" && filesNeeded):
		return refuse(2000)
	}
	if _, ok := s.file(r.FileKey); !ok && r.FileKey != "" {
		return refuse(2001)
	}
	return r.Board.check()
}
