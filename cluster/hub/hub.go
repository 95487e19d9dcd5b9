// Package hub is a NATS server with JetStream and file storage, for clusters of one machine, and for others that need
// no configuration. It is apart from the main program because it is as large as half of that.
package hub

import (
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"strconv"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// Options say where a server listens, and where it keeps what it has.
type Options struct {
	Dir    string // for storage, and for its log
	Listen string // host:port; port 0 is any that is free
	Token  string // that clients have to know; "" for none
	Store  int64  // bytes that may be stored; 0 for three quarters of the disk
	Config string // a configuration file of NATS, in place of all else
}

// Start starts a server. When it returns, clients can connect to its URL.
func Start(o Options) (*server.Server, error) {
	var config *server.Options
	if o.Config != "" {
		var err error
		if config, err = server.ProcessConfigFile(o.Config); err != nil {
			return nil, err
		}
		config.JetStream = true
	} else {
		host, port, err := net.SplitHostPort(o.Listen)
		if err != nil {
			return nil, err
		}
		number, err := strconv.Atoi(port)
		if err != nil {
			return nil, fmt.Errorf("port %q is no number", port)
		}
		if number == 0 {
			number = server.RANDOM_PORT
		}
		config = &server.Options{ServerName: "tacheck-hub", Host: host, Port: number, Authorization: o.Token,
			JetStream: true, StoreDir: o.Dir,
			JetStreamMaxStore: o.Store, MaxPayload: 1 << 20, LogFile: filepath.Join(o.Dir, "server.log")}
	}
	config.NoSigs = true
	s, err := server.NewServer(config)
	if err != nil {
		return nil, err
	}
	s.ConfigureLogger()
	s.Start()
	if !s.ReadyForConnections(30 * time.Second) {
		s.Shutdown()
		return nil, errors.New("the server is not ready after 30 s: see its log")
	}
	if !s.JetStreamEnabled() {
		s.Shutdown()
		return nil, errors.New("JetStream is not available: see the server's log")
	}
	return s, nil
}
