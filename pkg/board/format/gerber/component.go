package gerber

import "boardorder/pkg/board/pcb"

// Components gives the parts that a component layer (Gerber X3, FileFunction
// Component) places; nil for any other file.
func Components(f *File) []pcb.Component {
	function := f.Attribute(".FileFunction")
	if len(function) == 0 || function[0] != "Component" {
		return nil
	}
	side := pcb.NoSide
	if n := len(function); n > 1 {
		switch function[n-1] {
		case "Top":
			side = pcb.Top
		case "Bot":
			side = pcb.Bottom
		}
	}
	var out []pcb.Component
	l := f.Layer
	for i := range l.Features {
		x := &l.Features[i]
		attrs := l.AttributeSets[x.Attrs]
		if x.Kind != pcb.FlashFeature || value(attrs, ".AperFunction") != "ComponentMain" {
			continue
		}
		c := component(attrs)
		c.At, c.HasAt, c.Side, c.Line = x.A, true, side, x.Line
		out = append(out, c)
	}
	return out
}

// component reads the attributes of a part.
func component(attrs pcb.AttributeSet) pcb.Component {
	c := pcb.Component{
		Ref: value(attrs, ".C"), Value: value(attrs, ".CVal"), MPN: value(attrs, ".CMPN"),
		Manufacturer: value(attrs, ".CMfr"), Footprint: value(attrs, ".CFtp"),
		Rotation: leadingFloat(value(attrs, ".CRot"), 0),
	}
	switch value(attrs, ".CMnt") {
	case "SMD":
		c.Mount = pcb.SurfaceMount
	case "TH", "Pressfit":
		c.Mount = pcb.ThroughHole
	case "":
	default: // Fiducial, Other
		c.Mount = pcb.MountOther
	}
	for name, field := range map[string]string{".CPkg": "package", ".CHgt": "height", ".CLbN": "library", ".CLbD": "library description", ".CSup": "supplier"} {
		if v := value(attrs, name); v != "" {
			if c.Fields == nil {
				c.Fields = map[string]string{}
			}
			c.Fields[field] = v
		}
	}
	return c
}

// value is the first value of an attribute; "" when it is not set.
func value(attrs pcb.AttributeSet, name string) string {
	for _, a := range attrs {
		if a.Name == name && len(a.Values) > 0 {
			return a.Values[0]
		}
	}
	return ""
}
