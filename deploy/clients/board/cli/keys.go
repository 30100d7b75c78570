package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"boardorder/pkg/client"

	"github.com/spf13/cobra"
)

func (s *session) keysCommand() *cobra.Command {
	c := &cobra.Command{
		Use: "keys", Short: "Whose the key is, and what it may be used for", Args: cobra.NoArgs,
		Long: "Whose the key is, what it may be used for and how often. Keys are made and revoked at /portal: board open portal.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			service, err := s.connect()
			if err != nil {
				return err
			}
			var body json.RawMessage
			k, err := service.CheckKey(cmd.Context(), client.Raw(&body))
			if err != nil || s.json {
				return s.printReply(body, err)
			}
			mode := "live"
			if !k.Key.Livemode {
				mode = "test"
			}
			var scopes []string
			for _, scope := range k.Key.Scopes {
				scopes = append(scopes, string(scope))
			}
			t := table{head: []string{"", ""}}
			t.add("account", k.Account.Name)
			t.add("key", k.Key.Name+" ("+k.Key.Prefix+"…)")
			t.add("mode", mode)
			t.add("scopes", strings.Join(scopes, ", "))
			if !k.Key.ExpiresAt.IsZero() {
				t.add("expires", k.Key.ExpiresAt.Format(time.DateOnly))
			}
			for _, name := range listKeys(k.Limits) {
				t.add(name, fmt.Sprintf("%d in %s", k.Limits[name].Quota, describeWindow(k.Limits[name].WindowS)))
			}
			t.print(s.Out)
			return nil
		},
	}
	c.AddCommand(&cobra.Command{
		Use: "events", Short: "What was done to the account's keys, newest first", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			service, err := s.connect()
			if err != nil {
				return err
			}
			var list client.KeyEvents
			var body json.RawMessage
			err = service.Do(cmd.Context(), http.MethodGet, "/v1/key-events", nil, nil, &list, client.Raw(&body))
			if err != nil || s.json {
				return s.printReply(body, err)
			}
			t := table{head: []string{"at", "key", "action", "outcome"}}
			for _, e := range list.Events {
				t.add(e.At.Format(time.DateTime), e.Key, e.Action, string(e.Outcome))
			}
			t.print(s.Out)
			return nil
		},
	})
	return c
}

// describeWindow writes a number of seconds in the largest unit that it is a multiple of.
func describeWindow(seconds int64) string {
	for _, unit := range []struct {
		seconds int64
		name    string
	}{{3600, "h"}, {60, "min"}} {
		if seconds >= unit.seconds && seconds%unit.seconds == 0 {
			return fmt.Sprintf("%d %s", seconds/unit.seconds, unit.name)
		}
	}
	return fmt.Sprintf("%d s", seconds)
}
