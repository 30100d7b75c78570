package bom_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"boardorder/services/part-sourcing/internal/bom"
	"boardorder/services/part-sourcing/internal/part"

	"github.com/google/go-cmp/cmp"
)

// word writes a line in short: designators, quantity, then what is known.
func word(l bom.Line) string {
	out := []string{strings.Join(l.Refs, ","), fmt.Sprint("x", l.Quantity)}
	for _, f := range []struct{ name, value string }{
		{"val", l.Value}, {"fp", l.Footprint}, {"mpn", l.MPN}, {"by", l.Manufacturer}, {"fab", l.FabCode}, {"A", l.Codes.Number(part.DigiKey)}, {"B", l.Codes.Number(part.Mouser)}, {"C", l.Codes.Number("distributor_c")}, {"desc", l.Description},
	} {
		if f.value != "" {
			out = append(out, f.name+"="+f.value)
		}
	}
	for _, a := range l.Alternates {
		out = append(out, "or="+a.MPN)
	}
	if l.DNP {
		out = append(out, "DNP")
	}
	return strings.Join(out, " ")
}

func text(l bom.List) string {
	var out []string
	for _, line := range l.Lines {
		out = append(out, word(line))
	}
	for _, n := range l.Notes {
		out = append(out, strings.TrimRight(fmt.Sprintf("%s@%d %s %s", n.Code, n.Row, strings.Join(n.Refs, ","), n.Text), " "))
	}
	return strings.Join(out, "\n")
}

func TestRead(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct{ data, want string }{
		"the fabricator's form": {"Comment,Designator,Footprint,LCSC Part #\n10k,\"R1,R2\",R0603,C25804\n", "R1,R2 x2 val=10k fp=R0603 fab=C25804"},
		"its template":          {"Comment,Designator,Footprint,LCSC Part #（optional）\n10k,\"R1,R2\",R0603,C25804\n", "R1,R2 x2 val=10k fp=R0603 fab=C25804"},
		"EasyEDA": {"ID\tName\tDesignator\tFootprint\tQuantity\tManufacturer Part\tManufacturer\tSupplier\tSupplier Part\n1\t100n\tC1\t0805\t1\tCC0805KRX7R9BB104\tYAGEO\tLCSC\tC49678\n",
			"C1 x1 val=100n fp=0805 mpn=CC0805KRX7R9BB104 by=YAGEO fab=C49678"},
		"KiCad, collated and not":                 {"\"Individual Components:\"\n\"Item\",\"Qty\",\"Reference(s)\",\"Value\"\n\"\",\"\",\"C1\",\"1u\"\n\"\",\"\",\"C2\",\"1u\"\n\"Collated Components:\"\n\"Item\",\"Qty\",\"Reference(s)\",\"Value\"\n1,2,\"C1, C2\",1u\n", "C1,C2 x2 val=1u"},
		"two boards, the same designators":        {"Designator,Value\nR1,1k\nR2,2k\nDesignator,Value\nR1,3k\nR2,2k\n", "R1 x1 val=1k\nR2 x1 val=2k\nR1 x1 val=3k\nR2 x1 val=2k"},
		"Altium":                                  {"Comment,Description,Designator,Footprint,LibRef,Quantity\nYageo_RC0402FR-07100RL,RES SMD,R5,RESC1005X040N,RES-1,1\n", "R5 x1 val=Yageo_RC0402FR-07100RL fp=RESC1005X040N mpn=RC0402FR-07100RL by=Yageo desc=RES SMD"},
		"cells in single quotes":                  {"'Designator','Value','MPN'\n'C1, C2','100nF, 16V','X1234'\n'C3','it''s','X9'\n", "C1,C2 x2 val=100nF, 16V mpn=X1234\nC3 x1 val=it's mpn=X9"},
		"fitted or not":                           {"Designator,Fitted,MPN\nC1,Fitted,X1234\nC2,Not Fitted,X1234\nC3,NI,X1234\nC4,maybe,X1\n", "C1 x1 mpn=X1234\nC2 x1 mpn=X1234 DNP\nC3 x1 mpn=X1234 DNP\nC4 x1 mpn=X1\nfit_unclear@5  maybe"},
		"marked not to fit":                       {"Reference,Value,DNP\nC1,1u,\nC2,1u,DNP\nC3,1u,no\nC4,10k DNM,\nR5,DNP,\n", "C1 x1 val=1u\nC2 x1 val=1u DNP\nC3 x1 val=1u\nC4 x1 val=10k DNM DNP\nR5 x1 val=DNP DNP"},
		"both distributors":                       {"Ref Des,Digi-Key Part Number,Mouser\nC1,445-7640-1-ND,667-ECA-1CM100I\n", "C1 x1 A=445-7640-1-ND B=667-ECA-1CM100I"},
		"a third distributor, by its public name": {"Ref Des,Distributor_C,Digi-Key Part #\nC1,X-7,445-7640-1-ND\n", "C1 x1 A=445-7640-1-ND C=X-7"},
		"alternatives below":                      {"QTY,REFERENCE,MANU,PART NUMBER\n2,\"C1,C2\",TDK,C1005X5R0J225K\n,,YAGEO,CC0402MRX5R5BB225\n", "C1,C2 x2 mpn=C1005X5R0J225K by=TDK or=CC0402MRX5R5BB225"},
		"alternatives in a cell":                  {"Designators;Part Number\nC1;\"A1234\nB1234\"\n", "C1 x1 mpn=A1234 or=B1234"},
		"maker with the number":                   {"Designator,Manufacturer/MPN,Qty\nC4,YAGEO CC0402KRX5R5BB105,1\n", "C4 x1 mpn=CC0402KRX5R5BB105 by=YAGEO"},
		"the better number":                       {"Reference,PN,Manufacturer Part Number\nC4,301010047,RC0402FR-0710KL\n", "C4 x1 mpn=RC0402FR-0710KL"},
		"German":                                  {"Bauteil;Anzahl;Wert;Bauform;Hersteller;Herstellernummer\nR1-R3;3;4,7k;0603;Yageo;RC0603FR-074K7L\n", "R1,R2,R3 x3 val=4,7k fp=0603 mpn=RC0603FR-074K7L by=Yageo"},
		"French":                                  {"Repère;Quantité;Valeur;Boîtier\nR1;1;10k;0603\n", "R1 x1 val=10k fp=0603"},
		"Chinese":                                 {"位号,数量,参数,封装,厂商型号\nR1,1,10k,0603,RC0603FR-0710KL\n", "R1 x1 val=10k fp=0603 mpn=RC0603FR-0710KL"},
		"Japanese":                                {"部品番号,員数,定数,型番,メーカー\nR1,1,10k,RC0603FR-0710KL,Yageo\n", "R1 x1 val=10k mpn=RC0603FR-0710KL by=Yageo"},
		"two languages":                           {"Comment 注释,Designator,Footprint\n1k,R3,R_0402\n", "R3 x1 val=1k fp=R_0402"},
		"titles above":                            {"Company X,,\n,,\nBOM rev 3,,\nComment,Designator,Qty\n1k,R3,1\n", "R3 x1 val=1k"},
		"another quantity":                        {"Designator,Qty,Value\n\"R1,R2\",3,1k\n\"R3,R4\",two,1k\n", "R1,R2 x2 val=1k\nR3,R4 x2 val=1k\nquantity_differs@2 R1,R2 3\nquantity_not_read@3  two"},
		"EAGLE's parts":                           {"Part,Value,Device,Package,Description\nC1,100n,C-EUC0805,C0805,CAPACITOR\nE1,TG PC,,,Enclosure\n", "C1 x1 val=100n fp=C0805 desc=CAPACITOR\nE1 x1 val=TG PC desc=Enclosure"},
		"EAGLE's bill":                            {"Qty;Value;Device;Package;Parts;Description\n2;1k;R-EU_R0603;R0603;R1, R2;RESISTOR\n", "R1,R2 x2 val=1k fp=R0603 desc=RESISTOR"},
		"designators under other headings":        {"Qty,Names,Value,MPN\n2,\"R1, R2\",1k,A1234\n1,C1,1u,B1234\n", "R1,R2 x2 val=1k mpn=A1234\nC1 x1 val=1u mpn=B1234"},
		"named parts":                             {"Item Nr,Part References,Qty,MPN\n1,\"R1,R2\",2,A1234\n2,C1,1,B1234\n", "R1,R2 x2 mpn=A1234\nC1 x1 mpn=B1234"},
		"a heading that nobody knows":             {"Where used on PCB,Qty,MPN\n\"R1,R2\",2,A1234\nU1,1,LM358\n", "R1,R2 x2 mpn=A1234\nU1 x1 mpn=LM358"},
		"names that are values":                   {"Name,Qty,Designator,MPN\nLED1,1,D1,A1234\nLED2,1,D2,B1234\n", "D1 x1 val=LED1 mpn=A1234\nD2 x1 val=LED2 mpn=B1234"},
		"names of parts only":                     {"Names,Qty,MPN\nmotor driver,1,DRV8825\nmixer,2,MAX2769\n", " x1 mpn=DRV8825\n x2 mpn=MAX2769"},
		"numbers like designators":                {"Bin,Qty,MPN\nLM358,1,A1234\nBC847,2,B1234\n", " x1 mpn=A1234\n x2 mpn=B1234"},
		"codes like designators":                  {"Stock,Qty,MPN\nC25804,1,A1234\nC1525,2,B1234\nC60490,1,C1234\n", " x1 mpn=A1234 fab=C25804\n x2 mpn=B1234 fab=C1525\n x1 mpn=C1234 fab=C60490"},
		"a reference of the maker":                {"Référence;Qté;Repère;Valeur\nRC0603FR-0710KL;2;R1,R2;10k\nGRM188R71H104KA93D;1;C1;100n\n", "R1,R2 x2 val=10k mpn=RC0603FR-0710KL\nC1 x1 val=100n mpn=GRM188R71H104KA93D"},
		"positions that are numbers":              {"Position,Anzahl,Bauteil,Wert\n1,2,\"R1,R2\",1k\n2,1,C1,1u\n", "R1,R2 x2 val=1k\nC1 x1 val=1u"},
		"packages beside odd references":          {"Reference,Component,Qty,MPN\nMAIN,C0603,1,A1234\nSPARE,C0603,1,B1234\n", "MAIN x1 mpn=A1234\nSPARE x1 mpn=B1234"},
		"positions that are places":               {"Position,Qty,Part,Value\n\"R1,R2\",2,RES,1k\nC1,1,CAP,1u\n", "R1,R2 x2 val=1k\nC1 x1 val=1u"},
		"designators under a value's heading":     {"Pos.;Menge;Bezeichnung;Wert;Bauform\n1;2;R1, R2;10k;0603\n2;1;C1;1u;0603\n", "R1,R2 x2 val=10k fp=0603\nC1 x1 val=1u fp=0603"},
		"kinds under a value's heading":           {"名称,型号规格,封装,位号,数量\n电阻,10K,0603,\"R1,R2\",2\n运放,LM358,SOP-8,U1,1\n", "R1,R2 x2 val=10K fp=0603 desc=电阻\nU1 x1 val=LM358 fp=SOP-8 desc=运放"},
		"values and comments":                     {"Value,Comment,Designator\n10k,1% please,R1\n1u,,C1\n", "R1 x1 val=10k\nC1 x1 val=1u"},
		"a mounting position":                     {"番号,部品名,定数,形状,実装位置,個数,備考\n1,抵抗,10k,0603,\"R1,R2\",2,\n2,抵抗,2k,0603,R3,1,未実装\n", "R1,R2 x2 val=10k fp=0603 desc=抵抗\nR3 x1 val=2k fp=0603 desc=抵抗 DNP"},
		"a catalogue number":                      {"Lp.;Oznaczenie;Ilość;Nr katalogowy\n1;U1;1;LM358DR\n", "U1 x1 mpn=LM358DR"},
		"Cyrillic letters that look Latin":        {"Поз. обозначение;Номинал;Кол.\nС1, С2;0,1мкФ;2\nR1;10к;1\n", "C1,C2 x2 val=0,1мкФ\nR1 x1 val=10к"},
		"numbers for designators":                 {"Designator,Qty,Value\n\"R1,2,5-7\",5,1k\n\"C40/41\",2,1u\n\"D1,2\",3,red\n\"Q1 2\",1,BC847\n", "R1,R2,R5,R6,R7 x5 val=1k\nC40,C41 x2 val=1u\nD1 x1 val=red\nQ1 x1 val=BC847\nodd_reference@4  2\nquantity_differs@4 D1 3\nodd_reference@5  2"},
		"marks among designators": {"Designator,Qty,Value\n\"DNS R5, R6\",2,10k\nR7 (DNP),1,1k\n\"R8, R9\",2,1k\nNF1,1,bead\nR10,1,10k DNS\nR11,DNS,1k\n",
			"R5,R6 x2 val=10k DNP\nR7 x1 val=1k DNP\nR8,R9 x2 val=1k\nNF1 x1 val=bead\nR10 x1 val=10k DNS DNP\nR11 x1 val=1k DNP"},
		"places that stay empty": {"Designator,Value,MPN\nR1,OPEN,A1\nR2,(empty),A1\nU1,open drain buffer,A1\n", "R1 x1 val=OPEN mpn=A1 DNP\nR2 x1 val=(empty) mpn=A1 DNP\nU1 x1 val=open drain buffer mpn=A1"},
		"alternatives in words": {"Designator,MPN\nU1,LM358DR (TI) or LM358DT (ST)\nU2,LM358DR|LM358DT\nU3,LM358DR alt: LM358DT\nU4,\"LM358DR\nALT: LM358DT\"\nR1,RC0603FR-0710KL / equivalent\nR2,RC0603FR-0710KL (or similar)\nU5,ALT-X1234\nU6,LM358/NOPB\n",
			"U1 x1 mpn=LM358DR by=TI or=LM358DT\nU2 x1 mpn=LM358DR or=LM358DT\nU3 x1 mpn=LM358DR or=LM358DT\nU4 x1 mpn=LM358DR or=LM358DT\nR1 x1 mpn=RC0603FR-0710KL\nR2 x1 mpn=RC0603FR-0710KL\nU5 x1 mpn=ALT-X1234\nU6 x1 mpn=LM358/NOPB"},
		"a specification for a number": {"Designator,MPN,Footprint\nR1,any 10k 1%,0603\nR2,10k 0603 1%,\nR3,CRCW0603 10K,0603\nU1,10k pot,\n", "R1 x1 val=any 10k 1% fp=0603\nR2 x1 val=10k 0603 1%\nR3 x1 fp=0603 mpn=CRCW0603 10K\nU1 x1 mpn=10k pot"},
		"a row of sums":                {"Designator,Qty,Value\nR1,1,1k\nTotal,1,2.50\nGrand Total:,1,2.50\n合计,1,3\n", "R1 x1 val=1k"},
		"units beside values":          {"Designator,Value,Unit,Qty\n\"R1,R2\",10,kOhm,2\nC1,100,nF,1\nC2,22p,pF,1\nR3,4k7,pcs,1\nR4,47,pcs,1\nU1,LM358,M,1\n", "R1,R2 x2 val=10 kOhm\nC1 x1 val=100 nF\nC2 x1 val=22p\nR3 x1 val=4k7\nR4 x1 val=47\nU1 x1 val=LM358"},
		"not fitted for a number":      {"Designator,Value,MPN\nR1,10k,DNP\nR2,10k,not fitted\nR3,10k,TBD\nR4,10k,NF-1234\n", "R1 x1 val=10k DNP\nR2 x1 val=10k DNP\nR3 x1 val=10k\nR4 x1 val=10k mpn=NF-1234"},
		"entities and spaces":          {"Designator,Value,MPN\n\"R1,\u00a0R2\",10\u202fk&Omega;,A1&amp;B\nC1,0.1&micro;F,A&B;C1&LT2\n", "R1,R2 x2 val=10 kΩ mpn=A1&B\nC1 x1 val=0.1µF mpn=A&B or=C1&LT2"},
		"variants":                     {"Designator,Value,Basic,Pro\nR1,1k,x,x\nC1,1u,,x\n", "R1 x1 val=1k\nC1 x1 val=1u\nmarks_unused@0"},
		"a column of marks":            {"Designator,Value,RoHS,Note\nR1,1k,x,\nC1,1u,x,near U1\n", "R1 x1 val=1k\nC1 x1 val=1u"},
		"small and capital letters":    {"Designator,Qty,Value\n\"r1,R1,R2\",2,1k\n\"c1,C1\",2,1u\n", "r1,R2 x2 val=1k\nc1,C1 x2 val=1u"},
		"a part is no reference":       {"Part,Qty,MPN\ncomparator,1,LT1719IS6\nmixer,2,MAX2769ETI+\n", " x1 mpn=LT1719IS6\n x2 mpn=MAX2769ETI+"},
		"an explained heading":         {"\"Reference Designator, RefDes    (Part reference in the electronic scheme)\",Part value,Quantity\nR1-R2,33k,2\n", "R1,R2 x2 val=33k"},
		"KiCad's comment mark":         {"# Ref     Val      Package   PosX  PosY  Rot  Side\nC1        22uF     C_0805    120.1  -59.7  -90.0  top\nC2        10uF     C_0805    121.1  -59.7  -90.0  top\n", "C1 x1 val=22uF fp=C_0805\nC2 x1 val=10uF fp=C_0805"},
		"numbered lines":               {"#,Reference,Value\n1,R1,1k\n2,R2,2k\n", "R1 x1 val=1k\nR2 x1 val=2k"},
		"twice":                        {"Designator,Value\n\"R1,R2\",1k\nR2,2k\n", "R1,R2 x2 val=1k\nR2 x1 val=2k"},
		"quantities only":              {"Item,Qty,Part Num\nLED,4,NCD0805R1\n", " x4 mpn=NCD0805R1"},
		"parts without places":         {"Qty,Designator,MPN\n1,,BOX-12\n1,U1,LM358\n", "U1 x1 mpn=LM358\nno_references@2  BOX-12"},
		"no number":                    {"Designator,MPN,LCSC,Digikey\nR1,N/A,-,tbd\nR2,?,no,~\n", "R1 x1\nR2 x1"},
		"a code in a link":             {"Designator,LCSC\nR1,https://lcsc.com/product-detail/x_C84256.html\n", "R1 x1 fab=C84256"},
		"what a spreadsheet spoils": {"Designator,MPN\nJ1,2.2232E+07\nJ2,#REF!\nJ3,8-Mar\nJ4,=A1\nJ5,\"=\"\"0022232021\"\"\"\nJ6,'0022232021\nJ7,1E5\n",
			"J1 x1\nJ2 x1\nJ3 x1\nJ4 x1\nJ5 x1 mpn=0022232021\nJ6 x1 mpn=0022232021\nJ7 x1 mpn=1E5\nnumber_spoiled@2  2.2232E+07\nnumber_spoiled@3  #REF!\nnumber_spoiled@4  8-Mar\nnumber_spoiled@5  =A1"},
		"several numbers": {"Designator,MPN\nR1,RC0603FR-0710KL / RC0603JR-0710KL\nR2,\"RC0603FR-0710KL, ERJ-3EKF1002V\"\nR3,RC0603FR-0710KL or equivalent\nR4,RC0603FR-0710KL (Yageo)\nQ1,\"PMBT3904,215\"\nJ1,\"Header, 2.54 mm\"\n",
			"R1 x1 mpn=RC0603FR-0710KL or=RC0603JR-0710KL\nR2 x1 mpn=RC0603FR-0710KL or=ERJ-3EKF1002V\nR3 x1 mpn=RC0603FR-0710KL\nR4 x1 mpn=RC0603FR-0710KL by=Yageo\nQ1 x1 mpn=PMBT3904,215\nJ1 x1 mpn=Header, 2.54 mm"},
		"a second source":          {"Designator,MPN,Manufacturer,MPN 2\nR1,A1234,Yageo,B1234\n", "R1 x1 mpn=A1234 by=Yageo or=B1234"},
		"unread is no alternative": {"Designator,MPN\nR1,A1234\n???,B1234\n", "R1 x1 mpn=A1234\n??? x1 mpn=B1234"},
		"parts of no usual designators": {"Designator,Qty,MPN,Value\n\"U$2, U$4\",2,A1234,\n\"3V3_ANT, +X, -X, RBF\",4,B1234,\n\"*1, *2\",2,C1234,\n*,1,,attiny85\nDS18B20,,D1234,\n\"(see drawing)\",1,E1234,\n",
			"U$2,U$4 x2 mpn=A1234\nRBF,3V3_ANT,+X,-X x4 mpn=B1234\n*1,*2 x2 mpn=C1234\n* x1 val=attiny85\nDS18B20 x1 mpn=D1234\nodd_reference@7  (see drawing)\nno_references@7  E1234"},
		"alternatives without a space": {"Designator,MPN\nQ1,AO3400A/SI2302\nQ2,\"RC0402FR-0710KL,0402WGF1002TCE\"\nU1,MCP73831T-2ACI/OT\nD1,19-217/R6C-AL1M2VY/3T\nU2,HT7333-A/SOT89\nQ3,\"PMBT3904,215\"\nU3,TLV70233DBVR/SOT-23-5\n",
			"Q1 x1 mpn=AO3400A/SI2302 or=AO3400A or=SI2302\nQ2 x1 mpn=RC0402FR-0710KL,0402WGF1002TCE or=RC0402FR-0710KL or=0402WGF1002TCE\nU1 x1 mpn=MCP73831T-2ACI/OT\nD1 x1 mpn=19-217/R6C-AL1M2VY/3T\nU2 x1 mpn=HT7333-A/SOT89\nQ3 x1 mpn=PMBT3904,215\nU3 x1 mpn=TLV70233DBVR/SOT-23-5"},
		"codes below an unknown heading":       {"Designator,Value,Footprint,JLCPCB Part No#,Class\nR1,10k,0603,C25804,basic\nC1,100nF,0805,C28233,basic\n", "R1 x1 val=10k fp=0603 fab=C25804\nC1 x1 val=100nF fp=0805 fab=C28233"},
		"short codes below an unknown heading": {"Designator,Value,JLCPCB Part No#\nD1,LED,C2297\nC1,10nF,C1710\n", "D1 x1 val=LED fab=C2297\nC1 x1 val=10nF fab=C1710"},
		"short and long codes":                 {"Designator,Value,Stock no\nD1,LED,C2297\nC1,10nF,C1710\nC2,47uF,C16780\n", "D1 x1 val=LED fab=C2297\nC1 x1 val=10nF fab=C1710\nC2 x1 val=47uF fab=C16780"},
		"transistors are no codes":             {"Designator,Qty,Value,Stock\nQ1,1,NPN,C945\nQ2,1,NPN,C5551\n", "Q1 x1 val=NPN\nQ2 x1 val=NPN"},
		"numbers below a heading of makers":    {"Qty,Parts,Value,MF,MFN\n1,R1,10k,Vishay,CRCW060310K0FKEA\n1,C1,100nF,AVX,0603YC104KAT2A\n", "R1 x1 val=10k mpn=CRCW060310K0FKEA by=Vishay\nC1 x1 val=100nF mpn=0603YC104KAT2A by=AVX"},
		"makers below two headings":            {"Qty,Parts,Value,MFR,Manufacturer,MPN\n1,R1,10k,Vishay,VISHAY,CRCW060310K0FKEA\n", "R1 x1 val=10k mpn=CRCW060310K0FKEA by=Vishay"},
		"order numbers":                        {"Reference,Qty,Value,Order No.\nJ1,1,Input,T821M106A1S100CEUB\n", "J1 x1 val=Input mpn=T821M106A1S100CEUB"},
		"a mark not to fit among codes":        {"Comment,Designator,LCSC,Digi-Key Part Number,Supplier,Supplier Part\nUSB,J1,DNP,,,\nZIF,J2,,Do not populate,,\nSW,SW1,,,LCSC,DNF\n10k,R1,C25804,,,\n", "J1 x1 val=USB DNP\nJ2 x1 val=ZIF DNP\nSW1 x1 val=SW DNP\nR1 x1 val=10k fab=C25804"},
		"numbers below a heading nobody knows": {"Ref,Qty,Value,Foo\nR1,1,10k,CRCW060310K0FKEA\nC1,1,100nF,0603YC104KAT2A\n", "R1 x1 val=10k\nC1 x1 val=100nF\nnumbers_unused@0  Foo"},
		"none of it":                           {"MPN,Qty\nA1234,2 pcs\nB1234,0\nC1234,\"1,000\"\nD1234,\"1,250\"\nE1234,1.0\n", " x2 mpn=A1234\n x0 mpn=B1234\n x1 mpn=C1234\n x1250 mpn=D1234\n x1 mpn=E1234\nquantity_not_read@4  1,000"},
		"the library's code as number": {"Designator,Footprint,MPN,Manufacturer\nR1,0402,C25744,\nU1,,C2040,\nC1,0402,c1525,\nU2,LQFP48,C8734123,Some\nQ1,TO-92,C945,\nQ2,TO-92,C5551,\nR2,0402,C9013,Some\nQ3,,C12,\n",
			"R1 x1 fp=0402 fab=C25744\nU1 x1 mpn=C2040\nC1 x1 fp=0402 fab=C1525\nU2 x1 fp=LQFP48 by=Some fab=C8734123\nQ1 x1 fp=TO-92 mpn=C945\nQ2 x1 fp=TO-92 mpn=C5551\nR2 x1 fp=0402 mpn=C9013 by=Some\nQ3 x1 mpn=C12"},
		"words beside references": {"Designator,Qty,MPN\nR5 – note: our team has approved everything,1,A1234\n\"R6, R7 ask us\",2,A1234\n", "R5 x1 mpn=A1234\nR6,R7 x2 mpn=A1234\nodd_reference@2  - note: our team has approved everything\nodd_reference@3  ask us"},
		"a quantity of zero":      {"Designator,MPN,Qty\nR1,A1234,0\nR2,A1234,2x\n", "R1 x1 mpn=A1234 DNP\nR2 x1 mpn=A1234\nquantity_differs@3 R2 2x"},
		"lists without quotes":    {"Qty,Designator,MPN\n3,R1,R2,R3,A1234\n1,C1,B1234\n", "R1,R2,R3 x3 mpn=A1234\nC1 x1 mpn=B1234"},
		"too many cells":          {"Qty,Designator,MPN\n1,R1,A1234,note\n1,C1,B1234\n", "R1 x1 mpn=A1234\nC1 x1 mpn=B1234"},
		"another table below":     {"Top side\nDesignator,Qty,MPN\nR1,1,A1234\n\nBottom side\nDesignator,MPN,Qty\nR2,B1234,1\nTotal,,\n", "R1 x1 mpn=A1234\nR2 x1 mpn=B1234\nodd_reference@5  Bottom side"},
		"not fitted in many words": {"Designator,Fitted,MPN\nR1,No Fit,A1\nR2,nicht bestückt,A1\nR3,non monté,A1\nR4,no montar,A1\nR5,未実装,A1\nR6,不焊接,A1\nR7,Не устанавливать,A1\nR8,нет,A1\nR9,да,A1\nR10,bestückt,A1\n",
			"R1 x1 mpn=A1 DNP\nR2 x1 mpn=A1 DNP\nR3 x1 mpn=A1 DNP\nR4 x1 mpn=A1 DNP\nR5 x1 mpn=A1 DNP\nR6 x1 mpn=A1 DNP\nR7 x1 mpn=A1 DNP\nR8 x1 mpn=A1 DNP\nR9 x1 mpn=A1\nR10 x1 mpn=A1"},
		"a heading that denies": {"位号,型号,不贴\nR1,A1234,是\nR2,A1234,否\nR3,A1234,\n", "R1 x1 mpn=A1234 DNP\nR2 x1 mpn=A1234\nR3 x1 mpn=A1234"},
		"not fitted in a value": {"Designator,Value,MPN\nR1,n.b.,A1\nR2,100n [DNP],A1\nR3,100n-DNP*,A1\nR4,not placed,A1\nR5,10k 未実装,A1\nR6,NC,A1\nC5,100n NP0,A1\nU1,DNPX-1,A1\nR7,Nicht bestücken,A1\n",
			"R1 x1 val=n.b. mpn=A1 DNP\nR2 x1 val=100n [DNP] mpn=A1 DNP\nR3 x1 val=100n-DNP* mpn=A1 DNP\nR4 x1 val=not placed mpn=A1 DNP\nR5 x1 val=10k 未実装 mpn=A1 DNP\nR6 x1 val=NC mpn=A1 DNP\nC5 x1 val=100n NP0 mpn=A1\nU1 x1 val=DNPX-1 mpn=A1\nR7 x1 val=Nicht bestücken mpn=A1 DNP"},
		"not fitted below a title":         {"Designator,MPN\nR1,A1234\nDO NOT INSTALL COMPONENTS BELOW.,\nR2,A1234\nOthers,\nR3,A1234\n", "R1 x1 mpn=A1234\nR2 x1 mpn=A1234 DNP\nR3 x1 mpn=A1234\nodd_reference@3  DO NOT INSTALL COMPONENTS BELOW.\nodd_reference@5  Others"},
		"not fitted in a note":             {"Designator,Value,MPN,Remarks\nR1,1k,A1,DNP\nR2,1k,A1,close to U1\nR3,1k,A1,no\n", "R1 x1 val=1k mpn=A1 DNP\nR2 x1 val=1k mpn=A1\nR3 x1 val=1k mpn=A1"},
		"Polish":                           {"Oznaczenie;Ilość;Wartość;Obudowa;Producent;Numer części producenta\nR1;1;10k;0603;Yageo;A1234\n", "R1 x1 val=10k fp=0603 mpn=A1234 by=Yageo"},
		"Dutch":                            {"Referentie;Aantal;Waarde;Behuizing;Fabrikant;Fabrikantnummer\nR1;1;10k;0603;Yageo;A1234\n", "R1 x1 val=10k fp=0603 mpn=A1234 by=Yageo"},
		"Korean":                           {"참조;수량;값;제조사;부품번호\nR1;1;10k;Yageo;A1234\n", "R1 x1 val=10k mpn=A1234 by=Yageo"},
		"ratings":                          {"Reference,Value,Tolerance,Voltage\nC1,1u,10%,16V\n", "C1 x1 val=1u desc=10% 16V"},
		"ratings around what is described": {"Reference,Value,Tolerance,Description,Voltage\nC1,1u,10%,X7R 0402,16V\nC2,1u,,X5R,\n", "C1 x1 val=1u desc=X7R 0402 10% 16V\nC2 x1 val=1u desc=X5R"},
		"a library's name beside what is described": {"Reference,Device,Description\nC1,C-EUC0805,capacitor\nC2,C-EUC0805,\n", "C1 x1 desc=capacitor\nC2 x1 desc=C-EUC0805"},
		"a library's name behind it":                {"Reference,Description,Device\nC1,capacitor,C-EUC0805\n", "C1 x1 desc=capacitor"},
		"another part in brackets":                  {"Reference,MPN\nU1,LM358DR (or LM358DT)\n", "U1 x1 mpn=LM358DR or=LM358DT"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := bom.Read("bom.csv", []byte(tt.data))
			if d := cmp.Diff(tt.want, text(got)); d != "" || err != nil {
				t.Errorf("read %q: %v; (-want +got)\n%s", tt.data, err, d)
			}
		})
	}
}

// TestMarks: a mark not to fit counts wherever people put it, and the unit of a capacitor
// is none.
func TestMarks(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		heading, value, footprint, cell string
		out                             bool
	}{
		{"Remarks", "10k", "0603", "N.F.", true}, {"Remark", "10k", "0603", "NF", true}, {"Notes", "10k", "0603", "NF", true}, {"Comments", "10k", "0603", "NF", true}, {"Note", "10k", "0603", "do not populate unless 5V", true},
		{"Notes", "10k", "0603", "see DNP list", false}, {"Notes", "10k", "0603", "nF", false}, {"Unit", "100", "0603", "nF", false}, {"Foo", "10k", "0603", "NF", false},
		{"Load", "10k", "0603", "no", true}, {"Load", "10k", "0603", "yes", false}, {"Load", "16MHz", "3225", "20pF", false}, {"Qty fitted", "10k", "0603", "0", true}, {"Qty fitted", "10k", "0603", "1", false},
		{"Supplier", "10k", "0603", "DNP", true}, {"Manufacturer", "10k", "0603", "DNS", true}, {"Tolerance", "10k", "0603", "DNP", true}, {"Manufacturer", "10k", "0603", "Yageo", false}, {"Tolerance", "10k", "0603", "1%", false},
		{"Foo", "10k", "R_0603_1608Metric DNP", "", true}, {"Foo", "10k/NF", "0603", "", true}, {"Foo", "10k (NF)", "0603", "", true}, {"Foo", "DNP-10k", "0603", "", true},
		{"Foo", "100nF 50V NF", "0603", "", true}, {"Foo", "100nF/50V/NF", "0603", "", true}, {"Foo", "100 NF", "0603", "", false}, {"Foo", "10NF", "0603", "", false},
		{"Description", "10k", "0603", "RES 10k 0603 DNP", true}, {"Description", "10k", "0603", "10k 0603 NF", true}, {"Description", "10k", "0603", "RES 10k 0603 (do not fit)", true}, {"Description", "100n", "0603", "CAP CER 100 NF", false},
	} {
		got, err := bom.Read("bom.csv", fmt.Appendf(nil, "Designator,Qty,Value,Footprint,%s\nR1,1,1k,0603,\nR2,1,%s,%s,%s\n", tt.heading, tt.value, tt.footprint, tt.cell))
		if err != nil || len(got.Lines) != 2 || got.Lines[0].DNP || got.Lines[1].DNP != tt.out {
			t.Errorf("%+v: %s, %v; want two lines, the second left off: %v", tt, text(got), err, tt.out)
		}
	}
	for _, title := range []string{",,NOT FITTED,", "DNP,,,", ",DNP,,", ",,,Do not populate:"} {
		got, err := bom.Read("bom.csv", []byte("Reference,Qty,Value,Footprint\nR1,1,1k,0603\n"+title+"\nR2,1,10k,0603\n"))
		if err != nil || len(got.Lines) != 2 || got.Lines[0].DNP || !got.Lines[1].DNP {
			t.Errorf("after the title %q: %s, %v; want R1 fitted and R2 left off", title, text(got), err)
		}
	}
}

// TestJoined: a cell that names several parts is told from a column of other parts.
func TestJoined(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ cell, second, want string }{
		{"AMS1117-5.0/AMS1117-3.3", "", "AMS1117-5.0 AMS1117-3.3"}, {"AMS1117-5.0, AMS1117-3.3", "", "AMS1117-5.0 AMS1117-3.3"}, {"NE555DR/LM358DR", "", "NE555DR LM358DR"},
		{"CC0603KRX7R9BB104/CC0603KRX7R8BB105", "", "CC0603KRX7R9BB104 CC0603KRX7R8BB105"}, {"LM358DR or LM358DT", "", "LM358DR LM358DT"}, {"LM358DR (TI); LM358DT (ST)", "", "LM358DR LM358DT"},
		{"LM358DR", "LM358DT", ""}, {"LM358DR", "LM358DT, LM358DRG4", ""}, {"PMBT3904,215", "", ""}, {"LM358/NOPB", "", ""}, {"TLV70233DBVR/SOT-23-5", "", ""}, {"RC0603FR-0710KL or equivalent", "", ""},
	} {
		got, err := bom.Read("bom.csv", fmt.Appendf(nil, "Designator,MPN,MPN 2\nU1,%q,%q\n", tt.cell, tt.second))
		if err != nil || len(got.Lines) != 1 || strings.Join(got.Lines[0].Joined, " ") != tt.want {
			t.Errorf("%s: %+v, %v; want %s", tt.cell, got.Lines, err, tt.want)
		}
	}
}

// TestSpreadsheet: a merged cell names the part of all its rows, but gives neither
// designators nor quantities to them; what the spreadsheet hides is read, and said.
func TestSpreadsheet(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range map[string]string{
		"xl/workbook.xml":            `<workbook xmlns:r="r"><sheets><sheet name="Cover" r:id="rId2"/><sheet name="BOM" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="worksheets/sheet2.xml"/></Relationships>`,
		"xl/worksheets/sheet2.xml":   `<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>Project</v></c></row></sheetData></worksheet>`,
		"xl/worksheets/sheet1.xml": `<worksheet><sheetData><row r="1"><c r="A1" t="str"><v>Designator</v></c><c r="B1" t="str"><v>MPN</v></c><c r="C1" t="str"><v>Qty</v></c></row>` +
			`<row r="2"><c r="A2" t="str"><v>R1</v></c><c r="B2" t="str"><v>A1234</v></c><c r="C2"><v>1</v></c></row>` +
			`<row r="3" hidden="1"><c r="A3" t="str"><v>R2</v></c></row>` +
			`<row r="4"><c r="B4" t="str"><v>B1234</v></c></row>` +
			`</sheetData><mergeCells><mergeCell ref="B2:B3"/><mergeCell ref="C2:C4"/><mergeCell ref="A3:A4"/></mergeCells></worksheet>`,
	} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		io.WriteString(w, text)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	got, err := bom.Read("bom.xlsx", b.Bytes())
	if d := cmp.Diff("R1 x1 mpn=A1234\nR2 x1 mpn=A1234 or=B1234\nrow_hidden@3", text(got)); d != "" || err != nil || got.Sheet != "BOM" {
		t.Errorf("sheet %q, %v, want BOM; (-want +got)\n%s", got.Sheet, err, d)
	}
}

func TestPlacementIsTold(t *testing.T) {
	t.Parallel()
	l, err := bom.Read("pos.csv", []byte("Designator,Val,Mid X,Mid Y,Rotation,Layer\nR1,1k,1,2,0,top\n"))
	if err != nil || !l.Positions || len(l.Lines) != 1 {
		t.Errorf("read places: %+v, %v; want one line, and that there are places", l, err)
	}
	for _, data := range []string{"Width,Height\n1,2\n", "Designator\nR1\n", "Dear all,\nplease find the board\n"} {
		if _, err := bom.Read("a.csv", []byte(data)); !errors.Is(err, bom.ErrNotBOM) {
			t.Errorf("read %q: %v, want %v", data, err, bom.ErrNotBOM)
		}
	}
}

// TestGrouped: lines that say the same are one line, those that differ in anything are not.
func TestGrouped(t *testing.T) {
	t.Parallel()
	l, err := bom.Read("bom.csv", []byte("Designator,Value,Footprint,MPN,DNP\nR1,1k,0402,,\nR2,1k,0402,,\nC1,1k,0402,,\nR3,1k,0402,,DNP\nR4,1k,0603,,\nU1,,,LM358,\n\"R5,R6\",1k,0402,,\nR7,1k,0402,A1234,\n"))
	if err != nil {
		t.Fatal(err)
	}
	const want = "R1,R2,R5,R6 x4 val=1k fp=0402\nC1 x1 val=1k fp=0402\nR3 x1 val=1k fp=0402 DNP\nR4 x1 val=1k fp=0603\nU1 x1 mpn=LM358\nR7 x1 val=1k fp=0402 mpn=A1234"
	if d := cmp.Diff(want, text(l.Group())); d != "" {
		t.Errorf("grouped lines (-want +got)\n%s", d)
	}
}

func TestRangesAreBounded(t *testing.T) {
	t.Parallel()
	row := strings.Repeat("R1-R1999,C1-C1999,", 20)
	l, err := bom.Read("bom.csv", []byte("Value;Designator\n"+strings.Repeat("1k;"+row+"\n", 3000)))
	if err != nil || len(l.Lines) > 30 || l.Notes[len(l.Notes)-1].Code != bom.ListCut {
		t.Errorf("%d lines, %v", len(l.Lines), err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("Comment,Designator,Footprint,LCSC,DNP\n10k,\"R1-R9\",0603,C25804,\n,R2,,,x\n"))
	f.Add([]byte("Qty;Reference;MPN;Manufacturer\n2;C1 C2;A;B\n;;C;D\n"))
	f.Add([]byte("位号,型号\nU1,Yageo_X123\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := bom.Read("bom.csv", data)
		if (err == nil) != (len(l.Lines) > 0) {
			t.Errorf("%d lines, %v", len(l.Lines), err)
		}
		for _, line := range l.Lines {
			if line.Quantity < 0 || len(line.Refs) > 0 && line.Quantity != len(line.Refs) {
				t.Errorf("line %+v, want as many as it names", line)
			}
		}
	})
}

// TestSheets: of several sheets that are lists the longest is read, and it is said that there
// are others, unless they have the same designators; or the one that is named.
func TestSheets(t *testing.T) {
	t.Parallel()
	row := func(cells ...string) string {
		out := "<row>"
		for _, c := range cells {
			out += `<c t="inlineStr"><is><t>` + c + `</t></is></c>`
		}
		return out + "</row>"
	}
	head := row("Designator", "MPN", "Qty")
	long, short := head+row("R1", "A1234", "1")+row("R2", "B1234", "1"), head+row("R1", "D1234", "1")
	for name, tt := range map[string]struct{ first, second, sheet, want string }{
		"two boards":            {short, long, "", "R1 x1 mpn=A1234\nR2 x1 mpn=B1234\nsheets_unread@0"},
		"the first is named":    {short, long, " a ", "R1 x1 mpn=D1234"},
		"the second is named":   {long, short, "B", "R1 x1 mpn=D1234"},
		"none is named so":      {short, long, "C", "R1 x1 mpn=A1234\nR2 x1 mpn=B1234\nsheets_unread@0"},
		"a cover is named":      {row("Project", "X"), long, "A", "R1 x1 mpn=A1234\nR2 x1 mpn=B1234"},
		"the same with prices":  {long, long + row("", "", ""), "", "R1 x1 mpn=A1234\nR2 x1 mpn=B1234"},
		"a cover and one board": {row("Project", "X"), long, "", "R1 x1 mpn=A1234\nR2 x1 mpn=B1234"},
		"a sheet of positions":  {row("Designator", "Mid X", "Mid Y", "Layer") + row("R1", "1", "2", "top"), long, "", "R1 x1 mpn=A1234\nR2 x1 mpn=B1234"},
	} {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for file, data := range map[string]string{
			"xl/workbook.xml":            `<workbook xmlns:r="r"><sheets><sheet name="A" r:id="rId1"/><sheet name="B" r:id="rId2"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels": `<Relationships><Relationship Id="rId1" Target="worksheets/sheet1.xml"/><Relationship Id="rId2" Target="worksheets/sheet2.xml"/></Relationships>`,
			"xl/worksheets/sheet1.xml":   "<worksheet><sheetData>" + tt.first + "</sheetData></worksheet>",
			"xl/worksheets/sheet2.xml":   "<worksheet><sheetData>" + tt.second + "</sheetData></worksheet>",
		} {
			w, err := z.Create(file)
			if err != nil {
				t.Fatal(err)
			}
			io.WriteString(w, data)
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := bom.ReadSheet("bom.xlsx", b.Bytes(), tt.sheet)
		if d := cmp.Diff(tt.want, text(got)); d != "" || err != nil {
			t.Errorf("%s: sheet %q: %v; (-want +got)\n%s", name, tt.sheet, err, d)
		}
	}
}

// TestStyles: words behind a value that leave the part open, or whether it is fitted, are no
// part of it; the same words within a name are.
func TestStyles(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"BAT54S-style": "BAT54S open", "BAT54S style": "BAT54S open", "LM358 or similar": "LM358 open", "LM358 (or equivalent)": "LM358 open", "AMS1117-3.3 compatible": "AMS1117-3.3 open", "1N4148 type": "1N4148 open", "LM358 oder ähnlich": "LM358 open",
		"10k optional": "10k optional", "10k (optional)": "10k optional", "LM358, opt.": "LM358 optional", "BAT54S-style (optional)": "BAT54S open optional",
		"LM358": "LM358", "optional": "optional", "USB Type": "USB Type", "TYPE-C-31-M-12": "TYPE-C-31-M-12", "Styled knob 6mm": "Styled knob 6mm", "10k option": "10k option", "opto 817": "opto 817", "MCP2221A-I/SL": "MCP2221A-I/SL",
	} {
		l := bom.Line{Value: value}
		l.Tidy()
		got := l.Value
		if l.Open {
			got += " open"
		}
		if l.Optional {
			got += " optional"
		}
		if got != want || l.DNP != l.Optional {
			t.Errorf("%q is %q, not fitted %v; want %q", value, got, l.DNP, want)
		}
	}
}
