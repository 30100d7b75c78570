package openapi

import (
	"encoding/json"
	"fmt"
)

// Schemas is the description with its schemas alone, for generators that write types:
// where a value may be of several kinds it is a list if one of them is, else anything;
// a constant is of its type, and an object has the properties that are named.
func Schemas() ([]byte, error) {
	text, err := JSON("https://api.example.com")
	if err != nil {
		return nil, err
	}
	var doc object
	if err := json.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	schemas := descend(doc, "components", "schemas")
	simplify(schemas)
	return json.Marshal(object{"openapi": doc["openapi"], "info": doc["info"], "paths": object{}, "components": object{"schemas": schemas}})
}

func simplify(value any) {
	switch v := value.(type) {
	case []any:
		for _, item := range v {
			simplify(item)
		}
	case object:
		delete(v, "const")
		if v["properties"] != nil {
			delete(v, "additionalProperties")
		}
		if kinds := distinctKinds(v); len(kinds) > 1 {
			delete(v, "oneOf")
			for _, k := range kinds {
				if k["type"] == "array" {
					v["type"], v["items"] = "array", k["items"]
				}
			}
		}
		for _, item := range v {
			simplify(item)
		}
	}
}

// distinctKinds are what a schema may be besides null.
func distinctKinds(schema object) []object {
	var kinds []object
	several, _ := schema["oneOf"].([]any)
	for _, k := range several {
		if k, ok := k.(object); ok && k["type"] != "null" {
			kinds = append(kinds, k)
		}
	}
	return kinds
}
