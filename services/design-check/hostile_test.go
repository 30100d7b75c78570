package designcheck_test

import (
	"boardorder/pkg/worker"
)

var hostile = worker.Tasks{}
