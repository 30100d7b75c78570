package mongo

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"go.mongodb.org/mongo-driver/v2/bson"
	driver "go.mongodb.org/mongo-driver/v2/mongo"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
)

// missedHeartbeats is how many beats a rebuild may miss until another takes its
// place.
const missedHeartbeats = 5

// A heartbeat shows the other processes that a rebuild goes on. It is a number
// that grows: their clocks need not agree.
type heartbeat struct {
	cancel context.CancelFunc
	done   sync.WaitGroup
}

// startHeartbeat beats once a lease until it is ended.
func startHeartbeat(g generations, gen int64) *heartbeat {
	ctx, cancel := context.WithCancel(context.Background())
	h := &heartbeat{cancel: cancel}
	h.done.Go(func() {
		tick := time.NewTicker(g.lease)
		defer tick.Stop()
		for {
			if err := beat(ctx, g.c, gen); errors.Is(err, driver.ErrClientDisconnected) {
				return
			} // another error is a beat missed
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
		}
	})
	return h
}

// end may be called again.
func (h *heartbeat) end() {
	h.cancel()
	h.done.Wait()
}

// heartbeatsOf is the document that counts the beats of a generation's rebuild.
func heartbeatsOf(gen int64) bson.D {
	return bson.D{{Key: "_id", Value: fmt.Sprint("beats of g", gen)}}
}

func beat(ctx context.Context, c *driver.Collection, gen int64) error {
	more := bson.D{{Key: "$inc", Value: bson.D{{Key: "beats", Value: int64(1)}}}}
	_, err := c.UpdateOne(ctx, heartbeatsOf(gen), more, options.UpdateOne().SetUpsert(true))
	return err
}

// heartbeats is how often the rebuild of gen has shown that it goes on.
func heartbeats(ctx context.Context, c *driver.Collection, gen int64) (int64, error) {
	var found struct {
		Heartbeats int64 `bson:"beats"`
	}
	err := c.FindOne(ctx, heartbeatsOf(gen)).Decode(&found)
	if errors.Is(err, driver.ErrNoDocuments) {
		err = nil
	}
	return found.Heartbeats, err
}

// forget removes the beats of a rebuild that is over.
func forget(ctx context.Context, c *driver.Collection, gen int64) error {
	_, err := c.DeleteOne(ctx, heartbeatsOf(gen))
	return err
}
