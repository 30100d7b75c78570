package openfab

import "encoding/json"

// The wire's own words. Fields that are left out are not sent at all, as the
// API expects.

type boardParam struct {
	Layer                     int             `json:"layer"`
	Width                     json.Number     `json:"width"`  // mm
	Length                    json.Number     `json:"length"` // mm
	Qty                       int             `json:"qty"`
	Thickness                 json.Number     `json:"thickness"` // mm
	PCBColor                  int             `json:"pcbColor"`
	SurfaceFinish             int             `json:"surfaceFinish"`
	CopperWeight              json.Number     `json:"copperWeight"`                    // oz
	InsideCuprumThickness     string          `json:"insideCuprumThickness,omitempty"` // oz; refused below four layers
	GoldFinger                int             `json:"goldFinger"`
	MaterialDetails           int             `json:"materialDetails"`
	PanelFlag                 int             `json:"panelFlag"`
	PanelX                    int             `json:"panelByJLCPCB_X"`
	PanelY                    int             `json:"panelByJLCPCB_Y"`
	DifferentDesign           int             `json:"differentDesign"`
	FlyingProbeTest           int             `json:"flyingProbeTest"`
	CastellatedHoles          int             `json:"castellatedHoles"`
	OrderDetailsRemark        string          `json:"orderDetailsRemark"`
	CascadeStructure          int             `json:"cascadeStructure"`
	ImpedanceTemplateCode     string          `json:"impedanceTemplateCode,omitempty"`
	ImpedanceFlag             string          `json:"impedanceFlag"`
	IsAddCustomerCode         string          `json:"isAddCustomerCode,omitempty"`
	MarkOnPCB                 int             `json:"markOnPcb,omitempty"`
	PlateType                 int             `json:"plateType"`
	AutoConfirmProductionFile *bool           `json:"autoConfirmProductionFile,omitempty"`
	ViaCovering               int             `json:"viaCovering"`
	NeedTechnics              int             `json:"needTechnics"`
	TechnicsSize              int             `json:"technicsSize,omitempty"`
	GoldThickness             json.Number     `json:"goldThickness,omitempty"` // microinches; with ENIG only
	EdgeRounding              bool            `json:"edgeRounding"`
	RowSpacing                json.Number     `json:"rowSpacing,omitempty"`
	ColumnSpacing             json.Number     `json:"columnSpacing,omitempty"`
	FlexGoldFingerThickness   json.Number     `json:"fpcGoldFingerThickness,omitempty"`
	Services                  []serviceChoice `json:"serviceConfigVos"`
	Serial                    *serialCode     `json:"serialQrCodeConfigData,omitempty"`
}

type serviceChoice struct {
	Code   string `json:"serviceConfigCode"`
	Show   string `json:"serviceConfigShow"`
	Option string `json:"configOptionShow"`
}

type serialCode struct {
	Format    int    `json:"qrCodeFormat"`
	Location  int    `json:"qrLocation"`
	Prefix    string `json:"prefixCode,omitempty"`
	AddUnique bool   `json:"addUniqueCode"`
	Increment string `json:"incrCode,omitempty"`
}

const boardOnly = 1 // orderType

type priceRequest struct {
	OrderType   int        `json:"orderType"`
	Board       boardParam `json:"pcbParam"`
	AchieveDate int        `json:"achieveDate"` // hours
	Country     string     `json:"country,omitempty"`
	PostCode    string     `json:"postCode,omitempty"`
	City        string     `json:"city,omitempty"`
	FileKey     string     `json:"fileKey"`
}

type priceReply struct {
	Weight   amount `json:"orderTotalWeight"` // g
	Due      amount `json:"priceWithoutFreight"`
	Currency string `json:"currency"` // not documented; held against ours when it comes
	Cost     costs  `json:"pcbCostInfo"`
	Services []struct {
		Code string `json:"serviceConfigCode"`
		Show string `json:"serviceConfigShow"`
		Fee  amount `json:"serviceFee"`
	} `json:"serviceConfigFeeInfo"`
	Ship []struct {
		ID   string  `json:"options"`
		Name string  `json:"showOptions"`
		Cost *amount `json:"cost"`
		Days days    `json:"day"`
	} `json:"shipList"`
	Builds []struct {
		Name    string `json:"achieveName"`
		Hours   hours  `json:"achieveDate"`
		Checked string `json:"achieveChecked"`
		Price   amount `json:"achievePrice"`
	} `json:"achieveDateList"`
}

// costs are the parts of the cost, whose list may grow, and a flag among them.
type costs struct {
	parts   map[string]amount
	special bool
}

// UnmarshalJSON reads amounts; of flags it knows one.
func (c *costs) UnmarshalJSON(data []byte) error {
	var parts map[string]cost
	if err := json.Unmarshal(data, &parts); err != nil {
		return err
	}
	c.parts = make(map[string]amount, len(parts))
	for name, p := range parts {
		if p.isAmount {
			c.parts[name] = p.amount
		}
	}
	c.special = parts["specialFlag"].isSet
	return nil
}

// A cost is an amount, or a flag that is set or not; null is neither.
type cost struct {
	amount
	isAmount, isSet bool
}

func (c *cost) UnmarshalJSON(data []byte) error {
	switch string(data) {
	case "true":
		c.isSet = true
	case "false", "null":
	default:
		c.isAmount = true
		return c.amount.UnmarshalJSON(data)
	}
	return nil
}

type addressData struct {
	FirstName  string `json:"firstName"`
	LastName   string `json:"lastName"`
	Company    string `json:"companyName,omitempty"`
	Street     string `json:"streetAddress"`
	Line2      string `json:"addressLine2"`
	City       string `json:"city"`
	Country    string `json:"country"`
	Province   string `json:"province"`
	PostalCode string `json:"postalCode"`
	Phone      string `json:"cellOrMobileNumber"`
}

type createRequest struct {
	FileKey        string      `json:"fileKey"`
	BatchNum       string      `json:"batchNum"`
	Shipping       addressData `json:"shippingAddress"`
	TaxNumber      string      `json:"taxOrVATNumber"`
	UseBilling     int         `json:"billingAddressFlag"`
	OrderType      int         `json:"orderType"`
	Board          boardParam  `json:"pcbParam"`
	AchieveDate    int         `json:"achieveDate"`
	ShippingMethod string      `json:"shippingMethod"`
}

type createReply struct {
	OrderID   string `json:"orderId"`
	OrderDate string `json:"orderDate"`
	BatchNum  string `json:"batchNum"`
}

type orderReply struct {
	Shipping string `json:"shippingMethod"`
	Total    amount `json:"totalMoney"`
	Items    []struct {
		OrderType int      `json:"orderType"`
		Board     *pcbItem `json:"pcbItem"`
	} `json:"orderItem"`
	expressInfo
}

type pcbItem struct {
	OrderID     string `json:"orderId"` // not documented; used when it comes
	OrderDate   string `json:"orderDate"`
	ProduceCode string `json:"produceCode"`
	Status      *int   `json:"orderStatus"`
	Cancel      string `json:"cancelReason"`
	Delivery    string `json:"deliveryTime"`
	Price       amount `json:"price"`
	expressInfo
}

// expressInfo names the parcel. The board endpoints do not document it; these
// are the names that the same API uses for its other products.
type expressInfo struct {
	ExpressNo string `json:"expressNo"`
	Freight   string `json:"freightModeName"`
}

type wipStep struct {
	Name  string `json:"technicsProcessName"`
	Begin string `json:"beginTime"`
}

type auditReply struct {
	Layers   json.Number         `json:"stencilLayer"`
	MinTrack amount              `json:"minLineWidth"`
	MinSpace amount              `json:"minLineDist"`
	MinHole  amount              `json:"smallestHole"`
	Length   amount              `json:"setLength"`
	Width    amount              `json:"setWidth"`
	Findings map[string][]string `json:"technologyDiscernRecordResult"`
}

type stackupRequest struct {
	Layers    int         `json:"stencilLayer"`
	Thickness json.Number `json:"stencilPly"`
	Outer     json.Number `json:"cuprumThickness"`
	Inner     json.Number `json:"insideCuprumThickness"`
	PlateType int         `json:"plateType"`
}

type stackupReply struct {
	Name    string `json:"templateName"`
	Code    string `json:"impedanceTemplateCode"`
	Enabled bool   `json:"enableFlag"`
	Layers  []struct {
		Type    int    `json:"iaminationType"`
		Content string `json:"content"`
	} `json:"iaminationList"`
}
