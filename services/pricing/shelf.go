package pricing

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract"
	"boardorder/pkg/fabricator"

	"go.uber.org/zap"
)

// A shelf keeps what stackups the fabricator has, for clients to choose from.
type shelf struct {
	fab interface {
		Stackups(ctx context.Context, s fabricator.Spec) ([]fabricator.Stackup, error)
	}
	catalog *catalog.Catalog
	keep    interface {
		Put(ctx context.Context, key string, value []byte) error
	}
	log   *zap.Logger
	pause time.Duration // between two questions
}

// shelfEvery is how often the fabricator is asked what it has.
const shelfEvery = 24 * time.Hour

// run asks at the start and once a day until ctx ends. What cannot be learned
// now is asked for the next day; what was known stays known for a week.
func (s *shelf) run(ctx context.Context) error {
	for ctx.Err() == nil {
		for _, layers := range s.catalog.StackupLayers() {
			if err := s.look(ctx, layers); err != nil && ctx.Err() == nil {
				s.log.Warn("stackups of the fabricator are not known", zap.Int("layers", layers), zap.Error(err))
			}
		}
		wait(ctx, shelfEvery)
	}
	return nil
}

// look asks for every thickness with the standard copper, and keeps the answers
// together.
func (s *shelf) look(ctx context.Context, layers int) error {
	material := s.catalog.Standard.Material
	standard := s.catalog.StandardFor(material, layers)
	found := []contract.Stackup{}
	for _, mm := range s.catalog.ThicknessFor(material, layers) {
		sts, err := s.fab.Stackups(ctx, fabricator.Spec{
			Layers: layers, Thickness: int64(math.Round(mm * 1e6)), Material: material,
			OuterCopper: standard.Copper, InnerCopper: standard.InnerCopper,
		})
		if err != nil {
			return err
		}
		for _, st := range sts {
			found = append(found, contract.Stackup{
				Code: st.Code, Name: st.Name, Material: material, Layers: layers, ThicknessMM: mm,
				CopperOz: standard.Copper, InnerCopperOz: standard.InnerCopper, Sheets: sheets(st),
			})
		}
		wait(ctx, s.pause)
	}
	value, err := json.Marshal(found)
	if err != nil {
		return fmt.Errorf("encode stackups: %w", err)
	}
	return s.keep.Put(ctx, contract.StackupsKey(layers), value)
}

func sheets(st fabricator.Stackup) []contract.StackupSheet {
	out := make([]contract.StackupSheet, len(st.Layers))
	for i, l := range st.Layers {
		out[i] = contract.StackupSheet(l)
	}
	return out
}

func wait(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
}
