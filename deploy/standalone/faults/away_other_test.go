//go:build !linux

package faults_test

import "context"

func storeAway(context.Context, *stage) error { return errNotHere }

func diskFull(context.Context, *stage) error { return errNotHere }
