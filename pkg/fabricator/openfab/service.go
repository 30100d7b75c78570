package openfab

// serviceWords are the wire's words for the services of the catalogue: key ->
// its code and caption, and the caption of each value.
var serviceWords = map[string]struct {
	code, show string
	values     map[string]string
}{
	"min_via": {"mvhc", "Min via hole size/diameter", map[string]string{
		"0.3/0.4": "0.3mm/(0.4/0.45mm)", "0.25/0.35": "0.25mm/(0.35/0.4mm)", "0.2/0.45": "0.2/0.45mm↑",
		"0.2/0.4": "0.2/0.4mm", "0.2/0.3": "0.2/0.3mm", "0.15/0.25": "0.15/0.25mm",
	}},
	"paper_between_boards":    {"PPBP", "Paper between PCBs", yesNo},
	"kelvin_test":             {"4WKT", "4-Wire Kelvin Test", yesNo},
	"confirm_production_file": {"CPF", "Confirm Production file", yesNo},
	"thermal_conductivity":    {"TH_CO", "Thermal Conductivity", map[string]string{"1": "1W", "380": "380W", "381": "381W"}},
	"breakdown_voltage":       {"BR_VO", "Breakdown Voltage", map[string]string{"3000": "3000V"}},
	"appearance":              {"AQ", "Appearance Quality", map[string]string{"ipc_class_2": "IPC Class 2 Standard", "superb": "Superb Quality"}},
	"silkscreen_technology": {"SI_TE", "Silkscreen Technology", map[string]string{
		"standard": "Ink-jet/Screen Printing Silkscreen", "high_definition": "High-definition Exposure Silkscreen",
		"high_precision": "High-precision Printing Silkscreen",
	}},
	"x_out_boards":  {"OU_BO", "X-out board", map[string]string{"accept": "Accept", "refuse": "Not Accept"}},
	"package_box":   {"PK_BOX", "Package Box", map[string]string{"logo": "With JLCPCB logo", "blank": "Blank box"}},
	"heatsink":      {"CS", "Direct Heatsink", map[string]string{"isolated": "Thermal-Electrical Isolation", "direct": "Direct Heatsink"}},
	"copper_type":   {"CT", "Copper Type", map[string]string{"electro_deposited": "Electro-deposited", "rolled_annealed": "Rolled Annealed"}},
	"emi_shielding": {"ESF", "EMI Shielding Film", map[string]string{"none": "Without", "one_side": "Single side (Black,18um)", "both_sides": "Both sides (Black,18um)"}},
	"steel_stiffener_mm": {"STT", "Stainless Steel Thickness", map[string]string{
		"none": "No", "0.1": "0.1mm", "0.2": "0.2mm", "0.3": "0.3mm",
	}},
	"flex_outline_tolerance_mm": {"OT", "Outline Tolerance", map[string]string{"0.1": "±0.1mm", "0.05": "±0.05mm"}},
	"flex_cutting":              {"CM", "Cutting Method", map[string]string{"laser": "Laser Cutting", "punching": "Punching"}},
	"polyimide_stiffener_mm": {"PIT", "Polyimide Thickness", map[string]string{
		"none": "No", "0.1": "0.1mm", "0.15": "0.15mm", "0.2": "0.20mm", "0.225": "0.225mm", "0.25": "0.25mm",
	}},
	"coverlay": {"CTC", "Coverlay Thickness", map[string]string{
		"pi12.5_ad15": "PI:12.5um/AD:15um", "pi25_ad25": "PI:25um/AD:25um", "pet25_ad25": "PET:25um/AD:25um",
	}},
	"fr4_stiffener_mm": {"FRT", "FR4 Thickness", map[string]string{
		"none": "No", "0.1": "0.1mm", "0.2": "0.2mm", "0.4": "0.4mm", "0.6": "0.6mm", "0.8": "0.8mm", "1.0": "1.0mm", "1.2": "1.2mm", "1.6": "1.6mm",
	}},
	"tape":                    {"3MT", "3M Tape Thickness", map[string]string{"none": "No", "3m468": "3M468 (0.13mm)", "3m9077": "3M9077 (HT, 0.05mm)"}},
	"outline_tolerance_mm":    {"BOT", "Board Outline Tolerance", map[string]string{"0.2": "±0.2mm(Regular)", "0.1": "±0.1mm(Precision)"}},
	"coverlay_color":          {"PYB", "Coverlay Color", map[string]string{"Yellow": "Yellow", "Black": "Black", "White": "White", "Transparent": "Transparent"}},
	"silkscreen_on_stiffener": {"SC_PR", "Silkscreen on Stiffener", yesNo},
	"flex_gold_fingers":       {"GF_CT", "Gold Fingers", yesNo},
	"laminate_brand": {"OR_BR", "order_plate_brand", map[string]string{
		"any": "No", "kb": "KB", "shengyi": "Shengyi PCB Material", "nanya": "Taiwan Nanya PCB Material",
	}},
	"edge_plating":    {"ME_TR", "Edge Plating", yesNo},
	"grounding":       {"WT_GR", "Grounding", map[string]string{"true": "grounded", "false": "Not grounded"}},
	"press_fit_holes": {"PTH", "Press-Fit Hole", map[string]string{"true": "Yes (Tolerance +/-0.05mm)", "false": "No"}},
	"barcode":         {"N2B", "Need 2D Barcode", map[string]string{"none": "Don't Add", "anywhere": "No Requirement", "specified": "Specify Position"}},
	"barcode_size_mm": {"2DBS", "2D Barcode Size", map[string]string{"3": "3*3mm", "5": "5*5mm", "8": "8*8mm", "10": "10*10mm"}},
	"barcode_print":   {"QRCPT", "QR Code Print Type", map[string]string{"code_and_number": "2D barcode & Number", "code": "2D barcode Only", "number": "Number Only"}},
	"inspection_report": {"IR", "Inspection Report", map[string]string{
		"none": "No", "final_inspection": "Final Inspection", "electrical_test": "Electrical Test", "microsection": "Microsection", "rohs": "ROHS",
		"ionic_contamination": "Ionic Contamination", "nickel_corrosion": "Nickel Corrosion", "reliability": "Reliability", "sem": "SEM",
	}},
	"blind_slots":    {"BVH", "Blind Slots", map[string]string{"[]": "No"}}, // any slot is quoted by hand
	"flex_stackup":   {"STACK UP", "Stackup Type", map[string]string{"bonded": "Bonded", "unbonded": "Unbonded"}},
	"flex_substrate": {"ST", "Substrate Type", map[string]string{"25um": "25µm dielectric", "50um": "50µm dielectric", "transparent": "Transparent"}},
}

var yesNo = map[string]string{"true": "Yes", "false": "No"}
