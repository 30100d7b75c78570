package web

import "boardorder/pkg/board/untrusted"

// Words says which fields of replies hold whose words. What is wrong with a field of a
// formal order is said in msg.
var Words = untrusted.Reply{
	Kinds: map[string]string{
		"file": "file", "files": "file", "name": "name", "layer": "layer", "layers": "layer", "board": "board", "net": "net", "nets": "net",
		"choices": "choice", "from": "source", "source": "source", "project_name": "project",
		"reference": "reference", "references": "reference", "part": "part", "mpn": "part", "manufacturer": "manufacturer", "footprint": "footprint", "package": "package",
		"description": "description", "replaces": "part", "original_mpn": "part", "replacement_mpn": "part", "replacement_manufacturer": "manufacturer",
		"reason": "reason", "objects": "object", "answered_by": "name", "answered_by_position": "position", "approved_by": "name", "alternatives": "part", "approved": "part",
	},
	Sentences: []string{
		"message", "what", "why", "question", "notes", "assumed", "progress", "step", "summary", "next", "fabricators_note", "custom_quote_reasons", "includes",
	},
	Details: []string{"msg"},
}
