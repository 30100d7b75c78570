package cards

import "strconv"

// paginate cuts one page out of docs, which run from newest to oldest, as the
// limit, starting_after, ending_before and created parameters say.
func paginate(path string, docs []map[string]any, f form) (map[string]any, *apiError) {
	limit, ok, bad := f.integer("limit")
	if bad != nil {
		return nil, bad
	}
	if !ok {
		limit = 10
	}
	if limit < 1 || limit > 100 {
		return nil, invalid("limit", "Invalid integer: limit must be between 1 and 100.")
	}
	docs, bad = filterCreated(docs, f)
	if bad != nil {
		return nil, bad
	}
	docs, more, bad := window(docs, f, int(limit))
	if bad != nil {
		return nil, bad
	}
	return map[string]any{"object": "list", "url": path, "has_more": more, "data": docs}, nil
}

func window(docs []map[string]any, f form, limit int) (out []map[string]any, more bool, bad *apiError) {
	if before := f.Get("ending_before"); before != "" {
		at := position(docs, before)
		if at < 0 {
			return nil, false, missing("object", before)
		}
		from := max(0, at-limit)
		return docs[from:at], from > 0, nil
	}
	if after := f.Get("starting_after"); after != "" {
		at := position(docs, after)
		if at < 0 {
			return nil, false, missing("object", after)
		}
		docs = docs[at+1:]
	}
	if len(docs) > limit {
		return docs[:limit], true, nil
	}
	return docs, false, nil
}

func position(docs []map[string]any, id string) int {
	for i, doc := range docs {
		if doc["id"] == id {
			return i
		}
	}
	return -1
}

// filterCreated keeps the objects made in the time that created names.
func filterCreated(docs []map[string]any, f form) ([]map[string]any, *apiError) {
	bounds := map[string]func(at, bound int64) bool{
		"created":      func(at, b int64) bool { return at == b },
		"created[gt]":  func(at, b int64) bool { return at > b },
		"created[gte]": func(at, b int64) bool { return at >= b },
		"created[lt]":  func(at, b int64) bool { return at < b },
		"created[lte]": func(at, b int64) bool { return at <= b },
	}
	for key, holds := range bounds {
		bound, ok, bad := f.integer(key)
		if bad != nil {
			return nil, bad
		}
		if !ok {
			continue
		}
		kept := docs[:0:0]
		for _, doc := range docs {
			if at, _ := doc["created"].(int64); holds(at, bound) {
				kept = append(kept, doc)
			}
		}
		docs = kept
	}
	if docs == nil {
		docs = []map[string]any{}
	}
	return docs, nil
}

// newest renders the objects that match, newest first. Each filter is a
// parameter's name and how to read the same thing from the object; a filter
// that the caller left out lets everything through.
func newest[T any](t *table[T], f form, filters map[string]func(T) string, view func(T) map[string]any) []map[string]any {
	docs := []map[string]any{}
	for i := len(t.ids) - 1; i >= 0; i-- {
		v := t.byID[t.ids[i]]
		if matches(v, f, filters) {
			docs = append(docs, view(v))
		}
	}
	return docs
}

func matches[T any](v T, f form, filters map[string]func(T) string) bool {
	for name, read := range filters {
		if want := f.Get(name); want != "" && read(v) != want {
			return false
		}
	}
	return true
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
