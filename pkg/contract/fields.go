package contract

import (
	"iter"
	"unsafe"

	"github.com/tidwall/gjson"
)

// Parse gives a JSON value, for whoever looks for a few things in a large one. Nothing
// is copied: see Fields.
func Parse(data []byte) gjson.Result {
	return gjson.Parse(unsafe.String(unsafe.SliceData(data), len(data)))
}

// Fields gives the members of a JSON object, for whoever reads a few of many.
// Nothing is copied: what it gives shares the memory of data, which must stay as
// it is meanwhile. What is no object has none.
func Fields(data []byte) iter.Seq2[string, gjson.Result] {
	return func(yield func(string, gjson.Result) bool) {
		object := Parse(data)
		if !object.IsObject() {
			return
		}
		object.ForEach(func(key, v gjson.Result) bool { return yield(key.Str, v) })
	}
}

// StateOf gives the state that an event's Data holds, as it stands there; nil if
// it holds none.
func StateOf(data []byte) []byte {
	for name, v := range Fields(data) {
		if name == "state" {
			return data[v.Index : v.Index+len(v.Raw)]
		}
	}
	return nil
}
