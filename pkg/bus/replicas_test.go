package bus

import (
	"testing"

	"github.com/nats-io/nats.go/jetstream"
)

func TestOfflineReplicas(t *testing.T) {
	t.Parallel()
	current := &jetstream.PeerInfo{Current: true}
	for name, c := range map[string]struct {
		replicas int
		cluster  *jetstream.ClusterInfo
		want     int
	}{
		"a broker that stands alone":  {1, nil, 0},
		"one replica in a cluster":    {1, &jetstream.ClusterInfo{Leader: "nats-0"}, 0},
		"all there":                   {3, &jetstream.ClusterInfo{Leader: "nats-0", Replicas: []*jetstream.PeerInfo{current, current}}, 0},
		"one offline":                 {3, &jetstream.ClusterInfo{Leader: "nats-0", Replicas: []*jetstream.PeerInfo{current, {Current: true, Offline: true}}}, 1},
		"one behind":                  {3, &jetstream.ClusterInfo{Leader: "nats-0", Replicas: []*jetstream.PeerInfo{current, {}}}, 1},
		"one nowhere":                 {3, &jetstream.ClusterInfo{Leader: "nats-0", Replicas: []*jetstream.PeerInfo{current}}, 1},
		"no leader":                   {3, &jetstream.ClusterInfo{Replicas: []*jetstream.PeerInfo{current, current}}, 1},
		"one more than was asked for": {3, &jetstream.ClusterInfo{Leader: "nats-0", Replicas: []*jetstream.PeerInfo{current, current, current}}, 0},
	} {
		if got := countOffline(c.replicas, c.cluster); got != c.want {
			t.Errorf("%s: countOffline(%d, %+v) = %d, want %d", name, c.replicas, c.cluster, got, c.want)
		}
	}
}
