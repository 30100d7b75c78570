package dfm

import (
	"testing"
)

func TestFiguresThatNobodyCanRelyOn(t *testing.T) {
	t.Parallel()
	const head = `{"version":1,"id":"x","name":"X","sources":{"s":{"title":"T","url":"https://example.com/a","checked":"2026-01-02"}},"offers":[],"figures":[`
	for name, c := range map[string]struct {
		data string
		ok   bool
	}{
		"fine":              {head + `{"check":"track_width","min":0.1,"source":"s"}]}`, true},
		"no source":         {head + `{"check":"track_width","min":0.1,"source":"?"}]}`, false},
		"mils for mm":       {head + `{"check":"track_width","min":5,"source":"s"}]}`, false},
		"said twice":        {head + `{"check":"track_width","min":0.1,"source":"s"},{"check":"track_width","min":0.2,"source":"s"}]}`, false},
		"milder than limit": {head + `{"check":"track_width","min":0.2,"recommended":0.1,"source":"s"}]}`, false},
		"maximum":           {head + `{"check":"drill_maximum","min":6.3,"recommended":6,"source":"s"}]}`, true},
		"nothing said":      {head + `{"check":"track_width","source":"s"}]}`, false},
		"unknown word":      {head + `{"check":"track_width","minimum":0.1,"source":"s"}]}`, false},
		"no date":           {`{"version":1,"id":"x","name":"X","sources":{"s":{"title":"T","url":"https://example.com/a"}},"offers":[],"figures":[]}`, false},
		"not JSON":          {`{`, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if _, err := ReadCapability([]byte(c.data)); (err == nil) != c.ok {
				t.Errorf("error %v, want fine: %v", err, c.ok)
			}
		})
	}
}
