package pricing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"boardorder/pkg/catalog"
	"boardorder/pkg/contract/quotes"
	"boardorder/pkg/contract/stackups"
	"boardorder/pkg/fabricator"
	"boardorder/pkg/trace"

	"go.uber.org/zap"
)

// A stackupPoller keeps what stackups the primary fabricator has, for clients to choose from.
type stackupPoller struct {
	fab interface {
		Stackups(ctx context.Context, s fabricator.Spec) ([]fabricator.Stackup, error)
	}
	catalog *catalog.Catalog
	store   interface {
		Put(ctx context.Context, key string, value []byte) error
	}
	log   *zap.Logger
	pause time.Duration // between two questions
}

// stackupInterval is how often the fabricator is asked what it has.
const stackupInterval = 24 * time.Hour

// run asks at the start and once a day until ctx ends. What cannot be learned
// now is asked for the next day; what was known stays known for a week.
func (s *stackupPoller) run(ctx context.Context) error {
	for ctx.Err() == nil {
		for _, layers := range s.catalog.StackupLayers() {
			if err := s.look(ctx, layers); err != nil && ctx.Err() == nil {
				s.log.Warn("stackups of the fabricator are not known", zap.Int("layers", layers), zap.Error(err))
			}
		}
		wait(ctx, stackupInterval)
	}
	return nil
}

// look asks for every thickness with the standard copper, and keeps the answers
// together.
func (s *stackupPoller) look(ctx context.Context, layers int) error {
	material := s.catalog.Standard.Material
	standard := s.catalog.StandardFor(material, layers)
	found := []stackups.Stackup{}
	for _, mm := range s.catalog.ThicknessFor(material, layers) {
		sts, err := s.fab.Stackups(ctx, fabricator.Spec{
			Layers: layers, Thickness: int64(math.Round(mm * 1e6)), Material: material,
			OuterCopper: standard.Copper, InnerCopper: standard.InnerCopper,
		})
		if err != nil {
			return err
		}
		for _, st := range sts {
			found = append(found, stackups.Stackup{
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
	return s.store.Put(ctx, stackups.Key(layers), value)
}

// stackupsFor lists what the fabricator has where a request names a stackup. While
// the fabricator was not asked about every layer count, nobody can say that it lacks
// one.
func (s *Service) stackupsFor(ctx context.Context, r quotes.Request) ([]stackups.Stackup, error) {
	if r.FabStackup == nil {
		return nil, nil
	}
	var all []stackups.Stackup
	var unknown error
	for _, layers := range s.catalog.StackupLayers() {
		var some []stackups.Stackup
		value, _, err := s.stackups.Get(ctx, stackups.Key(layers))
		if err == nil {
			err = json.Unmarshal(value, &some)
		}
		if err != nil {
			unknown = fmt.Errorf("stackups of %d layers: %w", layers, err)
		}
		all = append(all, some...)
	}
	if unknown != nil && !slices.ContainsFunc(all, func(st stackups.Stackup) bool { return st.IsNamed(*r.FabStackup) }) {
		s.log.Warn("a stackup cannot be judged", zap.Error(unknown), trace.ID(ctx))
		return nil, unavailable(0)
	}
	return all, nil
}

// noStackups is a list that nobody has asked for.
type noStackups struct{}

func (noStackups) Get(context.Context, string) ([]byte, uint64, error) {
	return nil, 0, errors.New("the fabricator was never asked")
}

func sheets(st fabricator.Stackup) []stackups.Sheet {
	out := make([]stackups.Sheet, len(st.Layers))
	for i, l := range st.Layers {
		out[i] = stackups.Sheet(l)
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
