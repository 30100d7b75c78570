package release

import (
	"slices"
	"strings"
)

// renamed are the settings of the last release that this version reads under other
// names, as the change log says.
var renamed = map[string]string{
	"FABRICATOR": "FABRICATOR_0_INTERFACE", "FABRICATOR_URL": "FABRICATOR_0_URL", "FABRICATOR_APP_ID": "FABRICATOR_0_APP_ID",
	"FABRICATOR_ACCESS_KEY": "FABRICATOR_0_ACCESS_KEY", "FABRICATOR_SECRET_KEY": "FABRICATOR_0_SECRET_KEY", "FABRICATOR_CALLS_PER_SECOND": "FABRICATOR_0_CALLS_PER_SECOND",
	"DISTRIBUTOR_A_URL": "DISTRIBUTOR_0_URL", "DISTRIBUTOR_A_CLIENT_ID": "DISTRIBUTOR_0_CLIENT_ID", "DISTRIBUTOR_A_CLIENT_SECRET": "DISTRIBUTOR_0_CLIENT_SECRET",
	"DISTRIBUTOR_B_URL": "DISTRIBUTOR_1_URL", "DISTRIBUTOR_B_API_KEY": "DISTRIBUTOR_1_API_KEY",
}

// added are the settings that the last release did not have.
var added = map[string]string{
	"FABRICATOR":        "FABRICATOR_0_NAME=board_maker",
	"DISTRIBUTOR_A_URL": "DISTRIBUTOR_0_NAME=distributor_a DISTRIBUTOR_0_INTERFACE=digikey", "DISTRIBUTOR_B_URL": "DISTRIBUTOR_1_NAME=distributor_b DISTRIBUTOR_1_INTERFACE=mouser",
}

// NameForBoth gives the settings of either version under the names of both.
func NameForBoth(env []string) []string {
	out := slices.Clone(env)
	add := func(name, value string) {
		if !slices.ContainsFunc(out, func(s string) bool { return strings.HasPrefix(s, name+"=") }) {
			out = append(out, name+"="+value)
		}
	}
	for _, setting := range env {
		name, value, _ := strings.Cut(setting, "=")
		if now := renamed[name]; now != "" {
			add(now, value)
		}
		for _, more := range strings.Fields(added[name]) {
			name, value, _ := strings.Cut(more, "=")
			add(name, value)
		}
		for before, now := range renamed {
			if now == name {
				add(before, value)
			}
		}
	}
	return out
}
