package client

import (
	"context"
	"encoding/json"
	"iter"
	"net/http"
	"net/url"
	"strconv"
)

// walkPages gives all items of a list, page by page; items is what the replies call them.
func walkPages[T any](ctx context.Context, c *Client, path, items string, limit int) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		query := url.Values{}
		if limit > 0 {
			query.Set("limit", strconv.Itoa(limit))
		}
		for {
			var page struct {
				HasMore    bool   `json:"has_more"`
				NextCursor string `json:"next_cursor"`
			}
			var body json.RawMessage
			r, err := c.do(ctx, http.MethodGet, path, query, nil, &body, nil)
			var members map[string]json.RawMessage
			var list []T
			if err == nil {
				err = r.decode(&page)
			}
			if err == nil {
				err = r.decode(&members)
			}
			if err == nil {
				err = (&reply{r.status, r.header, members[items]}).decode(&list)
			}
			if err != nil {
				yield(none, err)
				return
			}
			for _, item := range list {
				if !yield(item, nil) {
					return
				}
			}
			if !page.HasMore {
				return
			}
			if page.NextCursor == "" || page.NextCursor == query.Get("cursor") {
				yield(none, &Error{Class: Protocol, Status: r.status, RequestID: r.header.Get("Request-Id"), RetryAfter: -1, Message: "there are more of them, and no cursor to get them with"})
				return
			}
			query.Set("cursor", page.NextCursor)
		}
	}
}
