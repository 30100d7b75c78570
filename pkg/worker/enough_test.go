package worker

import (
	"errors"
	"testing"
)

func TestEnough(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		without     string
		development bool
		refused     bool
	}{
		"confined":                        {},
		"confined, in development":        {development: true},
		"another system":                  {without: "not available on darwin", refused: true},
		"another system, in development":  {without: "not available on darwin", development: true},
		"calls not filtered":              {without: "operation not permitted", refused: true},
		"calls not filtered, development": {without: "operation not permitted", development: true},
	} {
		err := confinement{Without: tt.without}.checkEnough(tt.development)
		if errors.Is(err, ErrUnconfined) != tt.refused || (err != nil) != tt.refused {
			t.Errorf("%s: %v, want refused %v", name, err, tt.refused)
		}
	}
}
