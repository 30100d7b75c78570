package shop

import (
	"strings"
	"time"

	"boardorder/pkg/contract"
	"boardorder/pkg/contract/uploads"
	"boardorder/pkg/language"
	"boardorder/services/edge/internal/problem"
)

// fieldNames are what the page calls the fields of a request within an English sentence.
var fieldNames = map[string]string{
	"solder_mask": "solder mask", "surface_finish": "surface finish", "via_process": "the kind of vias", "thickness_mm": "the thickness",
	"copper_oz": "the outer copper", "inner_copper_oz": "the inner copper", "ship_to.country": "the country", "ship_to.postal_code": "the postal code", "special_notes": "the notes",
}

// fieldLabels are what stands beside the fields on the page.
var fieldLabels = map[string]string{
	"solder_mask": language.Key("Solder mask"), "surface_finish": language.Key("Surface finish"), "via_process": language.Key("Vias"), "thickness_mm": language.Key("Thickness"),
	"copper_oz": language.Key("Copper, outer"), "inner_copper_oz": language.Key("Copper, inner"), "material": language.Key("Material"), "layers": language.Key("Layers"),
	"ship_to.country": language.Key("Country"), "ship_to.postal_code": language.Key("Postal code"), "special_notes": language.Key("Special requirements or notes"),
	"board": language.Key("Which board"), "assembly": language.Key("With all parts assembled"), "do_not_fit_refs": language.Key("Leave these parts off"),
}

// problemAdvice says what to do about a field, by what is wrong with it.
var problemAdvice = map[string]string{
	"missing": language.Key("Please fill this in."), "empty": language.Key("Please fill this in."), "too_long": language.Key("This is too long: please shorten it."),
	"not_served":  language.Key("We do not deliver there."),
	"not_offered": cannotBeHad, "not_available": cannotBeHad, "not_applicable": cannotBeHad, "not_allowed": cannotBeHad, "unsupported": cannotBeHad, "conflict": cannotBeHad,
	"contradicts": cannotBeHad, "contradicts_files": cannotBeHad, "contradicts_stackup": cannotBeHad, "not_applied": cannotBeHad,
}

var cannotBeHad = language.Key("This cannot be had with this board or with your other choices: please choose another, or tick “Something special: our team prices it”.")

// fieldWords says what is wrong with what was chosen; detail says the same in English where the
// page's language has no sentence of its own for it.
func (p voice) fieldWords(problems []contract.FieldProblem) (text, detail string) {
	var own, english []string
	for _, one := range problems {
		if one.Field == "quantity" {
			own = append(own, p.Text("The number of boards is a whole number from 1 to 100,000."))
			continue
		}
		words := p.plain.Replace(one.Message)
		if name := fieldNames[one.Field]; name != "" {
			words = strings.ReplaceAll(words, one.Field, name)
		}
		switch sentence := p.say(contract.Sentence(words)); {
		case sentence.English:
			own, english = append(own, p.advice(one)), append(english, sentence.Text)
		default:
			own = append(own, sentence.Text)
		}
	}
	return strings.Join(own, " "), strings.Join(english, " ")
}

// advice says what to do about a field.
func (p voice) advice(one contract.FieldProblem) string {
	advice := problemAdvice[one.Problem]
	if advice == "" {
		advice = language.Key("Please check what you entered.")
	}
	label := fieldLabels[one.Field]
	if label == "" {
		return p.Text(advice)
	}
	return p.Text("%[1]s: %[2]s", p.Text(label), p.Text(advice))
}

// archiveAdvice says what to do about an archive, by what is wrong with it.
var archiveAdvice = map[string]string{
	"damaged":      language.Key("The archive is damaged or cut off. Please pack the files anew."),
	"encrypted":    language.Key("The archive is protected by a password. Please pack the files without one."),
	"not_archive":  language.Key("This is no archive, whatever its name says. Please pack the files anew, or send them as they are."),
	"too_large":    language.Key("The archive is too large to be unpacked. Please leave out what the board is not built from."),
	"refused_name": language.Key("A file in the archive has a name that cannot be taken. Please rename it."),
	"refused_kind": language.Key("The archive holds a link or something else that is no file. Please pack the files alone."),
	"duplicate":    language.Key("Two files in the archive have the same name. Please rename one."),
	"unsupported":  language.Key("The archive is packed in a way that we cannot read. Please pack it as an ordinary zip."),
	"empty":        language.Key("There is nothing in the archive."),
}

// fileWords says which files were not taken, and why. A member of an archive is named with it.
func (p voice) fileWords(problems []contract.FieldProblem) (text, detail string) {
	var own, english []string
	for _, one := range problems {
		archive, member, packed := strings.Cut(one.Field, "!/")
		name := p.Text("“%s”", shorten(archive, 120))
		if packed {
			name = p.Text("%[1]s in %[2]s", p.Text("“%s”", shorten(member, 120)), name)
		}
		words, more := p.fieldWords([]contract.FieldProblem{one})
		if advice := archiveAdvice[one.Problem]; advice != "" && more != "" {
			words, more = p.Text(advice), "" // which says all of it
		} else if more != "" {
			words = p.Text("This file cannot be taken.")
		}
		own, english = append(own, p.Text("%[1]s: %[2]s", name, words)), append(english, more)
	}
	return strings.Join(own, " "), strings.TrimSpace(strings.Join(english, " "))
}

// uploadWords says why files were not taken, and what to do.
func (p voice) uploadWords(failure *problem.Problem, now time.Time) (text, detail string) {
	r := failure.Refusal
	switch r.Code {
	case contract.NoFiles:
		return p.Text("Please choose the files of your board first: a zip, or the files themselves."), ""
	case contract.TooManyFiles:
		return p.Text("More than 20 files arrived at once. Please pack them into one zip and send that."), ""
	case contract.Internal, contract.Unavailable:
		return p.Text("Your files could not be taken just now. Nothing was kept. Please send them again in a moment."), ""
	case contract.RateLimited:
		return p.rateWords(r, now), ""
	case contract.Forbidden:
		return p.message(r.Message, language.Key("The form could not be taken. Please choose your files again and send them."))
	}
	if p.isEnglish() {
		return englishUploadWords(p, r), ""
	}
	switch {
	case len(r.Fields) > 0:
		return p.fileWords(r.Fields)
	case r.Code == contract.UploadTooLarge:
		return p.Text("Your files are too large: a file has up to %d MB, and all together have up to %d MB. Please leave out what the board is not built from, such as 3D models, and send the rest.", uploads.MaxFileBytes>>20, uploads.MaxBytes>>20), ""
	}
	return p.message(r.Message, language.Key("These files cannot be taken. Please choose your files again and send them."))
}

func englishUploadWords(p voice, r contract.Refusal) string {
	message := p.plain.Replace(r.Message)
	switch {
	case r.Code == contract.UploadTooLarge:
		return r.Message + " Please leave out what the board is not built from, such as 3D models, and send the rest."
	case len(r.Fields) > 0:
		files, _ := p.fileWords(r.Fields)
		return message + " " + files
	}
	return message + " Please choose your files again and send them."
}
