// Package compat holds the tests that run the production adapters against
// servers that nobody here wrote: MongoDB itself, alone and as a replica set of
// three, the Versity S3 gateway on a folder, and stripe-mock, which holds calls
// against Stripe's own description. The nats command-line tool, which operators use,
// runs each command of the handbook against a broker with production's users. What the
// webhooks service sends is verified by the specification's own libraries for TypeScript
// and Python, in the folder that STANDARDWEBHOOKS names. MongoDB is the program that MONGOD
// names; make test-compat fetches it and them. The others run in the process of the tests. With MONGO_URI or S3_URL set, the same tests run against
// the server that it names.
//
// The module is not part of the workspace, so that these servers enter no
// other module's dependencies: build it with GOWORK=off.
package compat
