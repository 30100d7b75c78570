package bom

import (
	"strings"

	"boardorder/services/part-sourcing/internal/fitting"
	"boardorder/services/part-sourcing/internal/table"

	"golang.org/x/text/width"
)

// A column is what the cells below a heading mean.
type column int

const (
	other column = iota
	references
	quantity
	value
	footprint
	partNumber
	alternateNumber // of another part that may be fitted
	anyNumber       // a part number, of the manufacturer where no column says it better
	manufacturer
	makerAndNumber // both in one cell: "YAGEO CC0402KRX7R7BB104"
	fabCode
	distributorCode
	description
	leftOut // do not fit
	fitted  // the opposite
	supplier
	supplierNumber
	unit   // of the value
	rated  // tolerance, voltage, dielectric: more of the description
	device // a library's name of the part: a description where there is none
	positionX
	positionY
	noteColumn // known, and of no use here: links, prices, line numbers
)

// headings are the words of the common tools and of people, in plain letters.
var headings = map[column]string{
	references: "oznaczenie oznaczenia desygnator označení oznaceni referentie referenties beteckning referens referência referências referans 참조 참조번호 부품기호 位號 元件位號 標號 ref refs boardref boardrefs partdesignator partdesignators pcbref pcbreference reference references refdes refdesignator refdesignators refdesig referencedesignator referencedesignators " +
		"実装位置 搭載位置 取付位置 部品記号 위치 실장위치 designator designators location partreference partreferences componentreference position schematicreference " +
		"bezeichner referenz referenzen bauteil bauteile positionen repère repere repères référence références referencia referencias " +
		"designador designadores indicador riferimento riferimenti 位号 元件位号 位置号 标号 元件标号 元器件位号 编号 編號 部品番号 リファレンス 記号 回路記号 обозначение позиционноеобозначение позобозначение",
	quantity: "aantal antal počet pocet ks ilość ilosc liczba adet miktar stuks 수량 數量 数目 개수 qty quantity quantityperpcb qtyperboard qtyperpcb qtypcb qnty count quant amount anzahl menge stück stückzahl quantité quantite qté qte " +
		"cantidad cant quantità quantita qtà quantidade qtd 数量 用量 用量数 個数 员数 員数 количество кол колво",
	value: "규격 wartość wartosc hodnota waarde värde værdi değer deger 값 數值 標稱值 value val comment name partvalue compvalue componentvalue wert valeur valor valore 值 参数 规格 型号规格 注释 名称 定数 値 数值 标称值 阻值 容值 元件值 номинал значение bezeichnung commentaire designation désignation",
	footprint: "形状 外形 obudowa pouzdro behuizing kapsel hus kılıf kilif footprintname 패키지 풋프린트 封裝名稱 footprint package pkg case casepackage packagecase pcbfootprint decal pcbdecal landpattern packagereference smdpackage encapsulation " +
		"gehäuse gehaeuse bauform boîtier boitier empreinte encapsulado huella contenitore 封装 封裝 封装名称 封装规格 パッケージ フットプリント корпус compackage comppackage",
	partNumber: "numerczęściproducenta numerproducenta číslovýrobce číslodíluvýrobce fabrikantnummer fabrikantartikelnummer tillverkarensartikelnummer tillverkarnummer códigodofabricante codigodofabricante üreticiparçano üreticikodu 製造商型號 製造商料號 原廠型號 제조사부품번호 제조사품번 mpn mp mfrpn mfpn mfgpn mfp manufacturerpartnumber manufacturerpartno manufacturerpart manufacturerpn manufacturepn manufacturepartnumber manufacturerspartnumber " +
		"mfrpartnumber mfrpartno mfrpart mfgpartnumber mfgpartno mfgpart mfrno mfgno manfpn manfnumber mfrnumber mfgnumber manufpartnumber makerpartnumber mpn1 preferredmpn " +
		"manufacturerpartnumber1 herstellerteilenummer herstellernummer herstellernr référencefabricant referencefabricant réffabricant reffabricant códigofabricante codigofabricante referenciafabricante codiceproduttore kodproducenta katalogovéčíslovýrobce " +
		"numérodepiècefabricant codiceproduttore 厂商型号 制造商型号 原厂型号 メーカー型番 製造型番 partmpn",
	alternateNumber: "mpn2 mpn3 mpn4 manufacturerpartnumber2 manufacturerpartnumber3 mfrpartnumber2 mfgpartnumber2 mfgpn2 mfrpn2 manufacturerpart2 altmpn alternatempn alternativempn " +
		"alternatepartnumber alternativepartnumber altpartnumber alternatepart secondsource secondsourcempn 替代型号 替代料 代替型番",
	anyNumber: "nrkatalogowy numerkatalogowy katalogovéčíslo catalognumber catalogno catno katalognummer katalognr artikelnr teilenr artikelnummer numerczęści številka onderdeelnummer 料號 料号 品番 부품번호 품번 partnumber partno partnum part pn number vendorpartnumber orderingcode ordercode orderno ordernumber orderingnumber artikelnummer teilenummer numerodeparte númerodeparte partcode " +
		"型号 器件型号 物料型号 型番 型式 артикул партномер",
	manufacturer: "producent výrobce vyrobce fabrikant tillverkare üretici uretici 제조사 제조업체 메이커 製造商 廠商 廠牌 manufacturer manufacturers mfr mfg mf manu manf mfn maker make brand manufacturername mfrname mfgname mfg1 manufacturer1 hersteller fabricant fabricante " +
		"produttore 制造商 品牌 厂家 厂商 生产商 メーカー 製造者 производитель",
	makerAndNumber: "manufacturermpn manufacturerandpartnumber mfrmfrpn",
	fabCode: "lcsc lcscpart lcscpartnumber lcscpartno lcsc# lcscpn lcscpartcode lcsccode jlcpcbpart jlcpcb jlcpcbpartnumber jlcpcbpartno jlcpartnumber jlcpart jlc " +
		"jlcpcbpartcode jlcpcbpn jlcpn lcscid lcsclink jlcpcblcsc fabcode fabpartcode 立创编号 立创商城编号 嘉立创编号",
	description: "部品名 부품명 opis popis omschrijving beskrivning açıklama 설명 說明 描述 품명 description desc partdescription componentdescription details characteristics specification specifications beschreibung descripción descripcion descrição " +
		"descrizione 描述 说明 規格 物料描述 品名 説明 備考 описание наименование",
	leftOut:        fitting.LeftOut,
	fitted:         fitting.Fitted,
	supplier:       "supplier supplier1 vendor distributor lieferant fournisseur proveedor 供应商 distributor1 d1n d1",
	supplierNumber: "supplierpart supplierpartnumber supplierpartnumber1 supplierpn supplierpartno vendorpart distributorpartnumber bestellnummer 供应商编号 供应商料号 d1pn distributorpn sku",
	unit:           "unit units uom valueunit einheit unité unidad unità unidade единица единицы 单位 單位 単位 단위",
	device:         "device",
	rated:          "tolerance tol toleranz comptol voltage rating voltagerating ratedvoltage spannung tension dielectric tempco 精度 容差 耐压 电压",
	positionX:      "x posx positionx midx centerx centrex refx xmm xmil symx locationx locx xposition xlocation",
	positionY:      "y posy positiony midy centery centrey refy ymm ymil symy locationy locy yposition ylocation",
	noteColumn: "番号 번호 item id line lineitem pos no nr index notes note remark remarks link url datasheet price unitprice side layer type parttype libref librarypart libpart " +
		"category revision rev 备注 序号 datasheetlink lineno " + lineNumber,
}

// lineNumber is the heading "#", spelt out.
const lineNumber = "linenumber"

var headingOf = func() map[string]column {
	m := map[string]column{}
	for c, words := range headings {
		for w := range strings.FieldsSeq(words) {
			m[w] = c
		}
	}
	for w := range schemeOf {
		m[w] = distributorCode
	}
	return m
}()

// columnOf is what a heading announces. A heading in two languages, "Comment
// 注释", counts by its first words.
func columnOf(heading string) column { return headingOf[findHeading(heading)] }

// findHeading is the heading in plain letters as the tables have it; "" where they do not.
func findHeading(heading string) string {
	heading = width.Fold.String(heading) // LCSC Part #（optional）
	if len(heading) > 60 {               // an explanation in brackets may be behind the words
		heading, _, _ = strings.Cut(heading, "(")
		if heading = strings.TrimSpace(heading); len(heading) > 60 {
			return ""
		}
	}
	if strings.TrimSpace(heading) == "#" {
		return lineNumber
	}
	heading = strings.ReplaceAll(heading, "#", "number")
	forms := []string{heading}
	if before, _, both := strings.Cut(heading, ","); both {
		forms = append(forms, before)
	}
	first, _, _ := strings.Cut(heading, "(")
	forms = append(forms, first)
	ascii := strings.Map(func(r rune) rune {
		if r < 0x80 {
			return r
		}
		return -1
	}, heading)
	if ascii != heading {
		forms = append(forms, strings.TrimSuffix(strings.TrimSpace(ascii), "??"))
	} else if before, ok := strings.CutSuffix(strings.TrimSpace(heading), "?"); ok {
		forms = append(forms, strings.TrimRight(before, "? "))
	}
	for _, form := range forms {
		if plain := table.Plain(form); headingOf[plain] != other {
			return plain
		}
	}
	return ""
}
