package gbrjob

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"boardorder/pkg/board/geom"
)

const kicadJob = `{
  "Header": {"GenerationSoftware": {"Vendor": "KiCad", "Application": "Pcbnew", "Version": "7.0.7"}, "CreationDate": "2023-10-06T03:56:53+00:00"},
  "GeneralSpecs": {"ProjectId": {"Name": "demo", "GUID": "x", "Revision": "C3"}, "Size": {"X": 80.1, "Y": 49.1}, "LayerNumber": 4,
    "BoardThickness": 1.6, "Finish": "ENIG", "Castellated": true, "EdgeConnector": "Bevelled", "ImpedanceControlled": "true"},
  "DesignRules": [{"Layers": "Outer", "PadToPad": 0.15, "TrackToTrack": 0.1499, "MinLineWidth": 0.15}],
  "FilesAttributes": [{"Path": "demo-F_Cu.gtl", "FileFunction": "Copper,L1,Top", "FilePolarity": "Positive"}],
  "MaterialStackup": [{"Type": "SolderMask", "Color": "White", "Thickness": 0.01, "Name": "Top Solder Mask"},
    {"Type": "Dielectric", "Material": "FR4", "Thickness": 0.48, "DielectricConstant": 4.5, "LossTangent": "0.02"}]
}`

const autodeskJob = `{"Header": {"GenerationSoftware": {"Application": "Fusion Electronics", "Vendor": "Autodesk", "Version": "9.7.0"}, "Part": "Single"},
 "Overall": {"BoardThickness": 1.57, "LayerNumber": 2, "Name": {"ProjectId": "breakout v10"}, "Owner": "x", "Size": {"X": 25, "Y": 32}}}`

const eagleJob = "G04 Gerber job file.*\r\n%TF.GenerationSoftware,Autodesk,EAGLE,9.0.0*%\r\n%TF.CreationDate,2019-08-08T19:20:39Z*%\r\n%TF.Part,Array*%\r\n" +
	"%MOMM*%\r\n%TJ.B_ID,project*%\r\n%TJ.B_LayerNum,2*%\r\n%TJ.B_Thickness,1.570000*%\r\nM02*"

func TestRead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in string
		want     Job
	}{
		{"KiCad", kicadJob, Job{
			Dialect: "gerber job", Vendor: "KiCad", Application: "Pcbnew", Version: "7.0.7", Created: "2023-10-06T03:56:53+00:00",
			Name: "demo", Revision: "C3", Layers: 4, Width: geom.MM(80.1), Height: geom.MM(49.1), SizeWithStroke: true, Thickness: geom.MM(1.6),
			Finish: "ENIG", Castellated: true, EdgeConnector: "Bevelled", Bevelled: true, Impedance: true,
			Rules: []Rule{{Layers: "Outer", PadToPad: 150_000, TrackToTrack: 149_900, MinLineWidth: 150_000}},
			Files: []File{{"demo-F_Cu.gtl", "Copper,L1,Top", "Positive"}},
			Stackup: []Layer{{Type: "SolderMask", Name: "Top Solder Mask", Colour: "White", Thickness: 10_000},
				{Type: "Dielectric", Material: "FR4", Thickness: 480_000, Dielectric: 4.5, LossTangent: 0.02}},
		}},
		{"Autodesk", autodeskJob, Job{
			Dialect: "autodesk", Vendor: "Autodesk", Application: "Fusion Electronics", Version: "9.7.0", Name: "breakout v10",
			Layers: 2, Width: geom.MM(25), Height: geom.MM(32), Thickness: geom.MM(1.57),
		}},
		{"Gerber syntax", eagleJob, Job{
			Dialect: "gerber syntax", Vendor: "Autodesk", Application: "EAGLE", Version: "9.0.0", Created: "2019-08-08T19:20:39Z",
			Name: "project", Layers: 2, Thickness: geom.MM(1.57), Panel: true,
		}},
		{"byte order mark", "\xef\xbb\xbf{}", Job{Dialect: "gerber job"}},
		{"numbers that are none", `{"GeneralSpecs":{"LayerNumber":"four","Size":{"X":1e99}}}`, Job{Dialect: "gerber job"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(&c.want, Read([]byte(c.in))); diff != "" {
				t.Errorf("Read(%s) (-want +got):\n%s", c.in, diff)
			}
		})
	}
}

func TestBroken(t *testing.T) {
	t.Parallel()
	j := Read([]byte("{\n \"GeneralSpecs\": {\n"))
	if len(j.Findings) != 1 || j.Findings[0].Code != "job_unreadable" || j.Findings[0].Line != 3 {
		t.Errorf("findings of a file that breaks off: %+v, want job_unreadable at line 3", j.Findings)
	}
	if j := Read([]byte("hello")); len(j.Findings) != 1 {
		t.Errorf("findings of %q: %+v, want one", "hello", j.Findings)
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{kicadJob, autodeskJob, eagleJob, "{", "%TJ.B_Size,1,2*%"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if j := Read(data); j.Layers < 0 || j.Layers > 128 || min(j.Width, j.Height, j.Thickness) < 0 {
			t.Errorf("Read(%q) = %+v, want layers and sizes that can be", data, j)
		}
	})
}

// TestInnerNumbers: KiCad 9 writes its own numbers of inner layers in job files.
func TestInnerNumbers(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, vendor, numbers, want string }{
		{"its own numbers", "KiCad", "5 7 9 11", "2 3 4 5"},
		{"in any order", "KiCad", "7 5", "3 2"},
		{"places", "KiCad", "2 3 4 5", "2 3 4 5"},
		{"places that are listed in part", "KiCad", "5 7 8", "5 7 8"},
		{"odd places with a gap", "KiCad", "5 9", "5 9"},
		{"one number twice", "KiCad", "5 5 11", "5 5 11"},
		{"one alone", "KiCad", "5", "5"},
		{"another tool", "Altium", "5 7", "5 7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in := `{"Header":{"GenerationSoftware":{"Vendor":"` + c.vendor + `"}},"FilesAttributes":[{"Path":"t","FileFunction":"Copper,L1,Top"},{"Path":"b","FileFunction":"Copper,L6,Bot"}`
			for n := range strings.FieldsSeq(c.numbers) {
				in += `,{"Path":"i","FileFunction":"Copper,L` + n + `,Inr"}`
			}
			j := Read([]byte(in + "]}"))
			got := []string{}
			for _, f := range j.Files[2:] {
				got = append(got, strings.TrimSuffix(strings.TrimPrefix(f.Function, "Copper,L"), ",Inr"))
			}
			if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
				t.Errorf("layers %s of a file by %q (-want +got):\n%s", c.numbers, c.vendor, diff)
			}
			if j.Files[0].Function != "Copper,L1,Top" || j.Files[1].Function != "Copper,L6,Bot" {
				t.Errorf("outer copper of a file by %q is %q and %q, want it left alone", c.vendor, j.Files[0].Function, j.Files[1].Function)
			}
		})
	}
}

// TestGeneralSpecs: what single members state, in all the ways that tools write them.
func TestGeneralSpecs(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]Job{
		`"LayerNumber":128`:                         {Layers: 128},
		`"LayerNumber":"4"`:                         {Layers: 4},
		`"LayerNumber":129`:                         {},
		`"LayerNumber":-4`:                          {},
		`"BoardThickness":"1.6"`:                    {Thickness: geom.MM(1.6)},
		`"BoardThickness":-1.6`:                     {},
		`"BoardThickness":null`:                     {},
		`"BoardThickness":[1.6]`:                    {},
		`"Size":{"X":-80,"Y":40}`:                   {Height: geom.MM(40)},
		`"ProjectId":"demo"`:                        {Name: "demo"},
		`"ProjectId":{"Name":"demo"}`:               {Name: "demo"},
		`"Name":"demo"`:                             {Name: "demo"},
		`"Name":{"ProjectId":"demo"}`:               {Name: "demo"},
		`"Castellated":"yes"`:                       {Castellated: true},
		`"Castellated":"TRUE"`:                      {Castellated: true},
		`"Castellated":1`:                           {Castellated: true},
		`"Castellated":"no"`:                        {},
		`"EdgePlating":true`:                        {EdgePlating: true},
		`"ImpedanceControlled":true`:                {Impedance: true},
		`"RoHS":true`:                               {ROHS: true},
		`"ROHS":"true"`:                             {ROHS: true},
		`"MaterialType":"Flex"`:                     {Flex: true},
		`"MaterialType":"Rigid-Flex"`:               {RigidFlex: true},
		`"MaterialType":"Rigid"`:                    {},
		`"ViaProtection":"VII"`:                     {ViaProtection: "VII"},
		`"IPC-2221-Type":3`:                         {},
		`"IPC-2221-Type":4`:                         {BlindVias: true},
		`"IPC-2221-Type":5`:                         {},
		`"IPC-2221-Type":"6"`:                       {BlindVias: true},
		`"EdgeConnector":true`:                      {EdgeConnector: "yes"},
		`"EdgeConnector":false`:                     {},
		`"EdgeConnector":"yes"`:                     {EdgeConnector: "yes"},
		`"EdgeConnector":"bevelled"`:                {EdgeConnector: "bevelled", Bevelled: true},
		`"EdgeConnectorBevelled":true`:              {EdgeConnector: "bevelled", Bevelled: true},
		`"EdgeConnector":true,"Finish":"Hard gold"`: {EdgeConnector: "yes", Finish: "Hard gold"},
	} {
		want.Dialect = "gerber job"
		text := `{"GeneralSpecs":{` + in + `}}`
		if diff := cmp.Diff(&want, Read([]byte(text))); diff != "" {
			t.Errorf("Read(%s) (-want +got):\n%s", text, diff)
		}
	}
}

// TestJobAttributes: the attributes of the dialect in Gerber syntax, in its unit.
func TestJobAttributes(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]Job{
		"%TJ.B_Size,25,32*%":                             {Width: geom.MM(25), Height: geom.MM(32)},
		"%TJ.B_Size_X,25*%\n%TJ.B_Size_Y,32*%":           {Width: geom.MM(25), Height: geom.MM(32)},
		"%MOIN*%\n%TJ.B_Size_X,1*%":                      {Width: geom.MM(25.4)},
		"%TJ.B_Size_X,1*%\n%MOIN*%":                      {Width: geom.MM(1)},
		"%TJ.B_Size_X,-1*%":                              {},
		"%TJ.B_Size_X,100001*%":                          {},
		"%TJ.B_Thickness,x*%":                            {},
		"%TJ.B_Overall_Thickness,1.6*%":                  {Thickness: geom.MM(1.6)},
		"%TJ.B_LayerNum,128*%":                           {Layers: 128},
		"%TJ.B_LayerNum,129*%":                           {},
		"%TJ.B_LayerNum,0*%":                             {},
		"%TJ.B_Name,demo*%\n%TJ.B_Revision,2*%":          {Name: "demo", Revision: "2"},
		"%TJ.B_Finish,ENIG*%":                            {Finish: "ENIG"},
		"%TJ.B_Other,1*%\n%TF.Part,Single*%":             {},
		"%TJ.B_Other,1*%\n%TF.Part,Array*%":              {Panel: true},
		"%TJ.B_Other,1*%\n%TF.Part,FabricationPanel,2*%": {Panel: true},
	} {
		want.Dialect = "gerber syntax"
		if diff := cmp.Diff(&want, Read([]byte(in))); diff != "" {
			t.Errorf("Read(%q) (-want +got):\n%s", in, diff)
		}
	}
}
