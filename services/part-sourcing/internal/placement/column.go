package placement

import (
	"regexp"
	"strings"
	"unicode"

	"boardorder/services/part-sourcing/internal/fitting"
)

// A column is what the cells below a heading mean.
type column int

const (
	other column = iota
	reference
	centreX
	centreY
	otherX // of the reference point or pad 1; used where there is no centre
	otherY
	rotation
	side
	mirrored
	value
	footprint
	leftOff // not to be fitted
	fitted  // the opposite
)

var headings = func() map[string]column {
	m := map[string]column{}
	for c, words := range map[column]string{
		reference: "oznaczenie desygnator označení referentie beteckning referens riferimento referência referans 참조 부품번호 位號 標號 ref refs reference references refdes refid designator designators compref component part partreference name bauteil bezeichner repère repere referencia " +
			"位号 元件位号 标号 部品番号 リファレンス 記号 обозначение",
		centreX: "x posiciónx posicionx posizionex pozycjax poloha_x 座標x posx positionx midx centerx centrex xcenter xcentre symx locationx locx xpos xposition xlocation xcoord xcoordinate coordx x坐标 中心x midpointx midposx centroidx x座標 placementx",
		centreY: "y posicióny posiciony posizioney pozycjay 座標y posy positiony midy centery centrey ycenter ycentre symy locationy locy ypos yposition ylocation ycoord ycoordinate coordy y坐标 中心y midpointy midposy centroidy y座標 placementy",
		otherX:  "refx padx", otherY: "refy pady",
		rotation: "rotazione obrót obrot kąt otočení natočení rotatie hoek dönüş rotação ângulo ángulo angulo angolo 회전 각도 旋轉 rot rotation rotate angle orientation orient symrotate theta drehung winkel rotación rotacion 旋转 旋转角度 角度 回転 回転角 angledeg rotationdeg поворот угол",
		side:     "lato strona strana zijde cara sida yüz 면 板面 層 板層 side layer tb topbottom boardside face seite lage couche capa lado 层 板层 面 层面 実装面 面别 placementside symside layerside сторона слой",
		mirrored: "mirror mirrored symmirror flip flipped",
		value:    "val value comment compvalue partvalue part# partnumber parttype wert 参数 值 注释 номинал",
		leftOff:  fitting.LeftOut, fitted: fitting.Fitted,
		footprint: "package footprint pattern pkg comppackage symname pcbdecal decal gehäuse 封装 パッケージ корпус partdecal",
	} {
		for w := range strings.FieldsSeq(words) {
			m[w] = c
		}
	}
	return m
}()

// columnOf is what a heading announces, with the unit that it names.
func columnOf(heading string) (column, Unit) {
	if len(heading) > 60 {
		return other, 0
	}
	heading = angleUnit.ReplaceAllString(heading, "")
	name, unit := splitUnit(heading)
	if c, ok := headings[plain(name)]; ok {
		return c, unit
	}
	ascii := strings.Map(func(r rune) rune {
		if r < 0x80 {
			return r
		}
		return -1
	}, name)
	return headings[plain(ascii)], unit
}

var (
	angleUnit = regexp.MustCompile(`(?i)[\s_]*(?:[(\[]\s*(?:deg(?:rees?)?|°|rad(?:ians?)?)\.?\s*[)\]]|_(?:deg|rad))$`)
	radians   = regexp.MustCompile(`(?i)(?:[(\[]\s*rad(?:ians?)?\.?\s*[)\]]|_rad)$`)
)

var unitWords = map[string]Unit{
	"mm": Millimetre, "millimeter": Millimetre, "millimeters": Millimetre, "millimetre": Millimetre, "millimetres": Millimetre, "metric": Millimetre,
	"mil": Mil, "mils": Mil, "thou": Mil, "in": Inch, "inch": Inch, "inches": Inch, "imperial": 0,
	"um": Micrometre, "\u00b5m": Micrometre, "\u03bcm": Micrometre, // the micro sign, and the Greek letter
	"micrometer": Micrometre, "micrometers": Micrometre, "micrometre": Micrometre, "micrometres": Micrometre, "micron": Micrometre, "microns": Micrometre,
}

// splitUnit parts "Center-X(mm)", "X [mil]" and "PosX_mm".
func splitUnit(heading string) (name string, unit Unit) {
	i := strings.LastIndexAny(heading, "([_ ")
	if i <= 0 {
		return heading, 0
	}
	if u, ok := unitWords[plain(heading[i:])]; ok {
		return heading[:i], u
	}
	return heading, 0
}

// plain keeps letters and digits, in lower case.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '#' {
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimLeft(text, "#"))
}
