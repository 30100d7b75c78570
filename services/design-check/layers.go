package designcheck

import (
	"context"
	"errors"
	"time"

	"boardorder/pkg/aggregate"
	"boardorder/pkg/blob"
	"boardorder/pkg/contract"
	"boardorder/pkg/contract/boards"
	"boardorder/pkg/flow"
	"boardorder/pkg/worker"
)

// layerWidth and layerHeight bound pictures of single layers, in pixels.
const layerWidth, layerHeight = 1600, 1200

// drawLayers makes pictures of every layer of what was read, once somebody
// wants to look at them. They are drawn from the package, which is kept as long
// as the reading.
func (s *Service) drawLayers(ctx context.Context, c contract.Command) error {
	data, err := flow.Decode[boards.DrawLayersData](c)
	if err != nil {
		return err
	}
	before, err := aggregate.At[boards.ReadFiles](s.events, contract.BoardAggregate, data.Digest).Load(ctx)
	switch {
	case err != nil:
		return err
	case !before.State.IsRead():
		return errGone()
	case before.Did(c.ID):
		return nil
	case before.State.IsMaking(): // the package that they are drawn from
		return flow.SnoozeUntil(contract.BoardAggregate, data.Digest, time.Second, errors.New("the package is still being made"))
	case hasLayers(before.State):
		return aggregate.At[boards.ReadFiles](s.events, contract.BoardAggregate, data.Digest).Complete(ctx, c, s.now())
	}
	layers, err := s.makeLayers(ctx, c, before.State)
	if errors.Is(err, blob.ErrNotFound) && before.State.Rest == boards.RestFailed {
		return contract.Refuse(contract.DesignFiles, "The package of these files could not be made, so its layers cannot be drawn.")
	}
	if errors.Is(err, blob.ErrNotFound) {
		return errGone()
	}
	if err != nil {
		return err
	}
	after, err := aggregate.At[boards.ReadFiles](s.events, contract.BoardAggregate, data.Digest).Execute(ctx, c, s.now(),
		func(now aggregate.Snapshot[boards.ReadFiles]) (*aggregate.Change[boards.ReadFiles], error) {
			if now.State.Prefix != before.State.Prefix || now.State.Gone {
				return nil, nil
			}
			state := now.State
			state.Boards = append([]boards.Board(nil), state.Boards...)
			for i := range state.Boards {
				state.Boards[i].Layers = layers[state.Boards[i].Name]
			}
			return &aggregate.Change[boards.ReadFiles]{Event: boards.EventDrawn, State: state}, nil
		})
	if err != nil || after.State.Prefix == before.State.Prefix && !after.State.Gone {
		return err
	}
	if !after.State.Retains(before.State.Prefix, s.now()) { // the pictures that were drawn until then go as well
		if err := blob.DeletePrefix(ctx, s.blobs, before.State.Prefix); err != nil {
			return err
		}
	}
	return errGone()
}

func errGone() *contract.Refusal {
	return contract.Refuse(contract.NotFound, "What was read from these files is no longer kept.")
}

func hasLayers(r boards.ReadFiles) bool {
	for _, b := range r.Boards {
		if len(b.Layers) == 0 {
			return false
		}
	}
	return true
}

func (s *Service) makeLayers(ctx context.Context, c contract.Command, r boards.ReadFiles) (map[string][]boards.LayerPicture, error) {
	info, err := s.blobs.Stat(ctx, r.Package)
	if err != nil {
		return nil, err
	}
	keeper := s.keeper(ctx, r.Prefix)
	var made map[string][]boards.LayerPicture
	err = s.do(ctx, c.Account, 4*info.Size, worker.Order{
		Task: layersTask, Ask: readAsk{Answers: r.Answers}, Files: []worker.Source{s.source(uploadPackage, r.Package, info.Size)}, Put: keeper.put, Result: &made,
	}, nil)
	if worker.IsFailure(err) {
		return nil, refusalOf(err, "")
	}
	for _, layers := range made {
		for i := range layers {
			layers[i].Key = keeper.key(layers[i].Key)
		}
	}
	return made, err
}
