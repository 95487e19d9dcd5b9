// The tacheck-hub command is a server for clusters of tacheck: NATS with
// JetStream and file storage. Any NATS server with JetStream does as well.
package main

import (
	"os"

	"github.com/tacheck/tacheck/cluster/hub"
)

func main() { os.Exit(hub.Main()) }
