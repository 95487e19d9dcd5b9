package emit

import (
	"fmt"
	"strings"

	"github.com/tacheck/tacheck/internal/diag"
	"github.com/tacheck/tacheck/protocol"
)

// Protocol writes a protocol of fixed size for a tool. A state of the text is a state of the protocol, crashes are
// explicit, and traffic is direct: other tools count the states that `explore --symmetry none --crash explicit` counts.
// name is that of the module. Its error is a diag.List where the text has something that the other language has no
// words for.
func Protocol(m *protocol.Model, target, name string) (files Files, err error) {
	defer diag.Caught(func(r refusal) { files, err = nil, r.list.Err() })
	switch target {
	case "tla":
		return protocolTLAFiles(m, name), nil
	case "murphi":
		return protocolMurphi(m, name), nil
	case "promela":
		return protocolPromela(m, name), nil
	}
	return nil, fmt.Errorf("protocols with identities are not written for %q (have %s)", target,
		strings.Join(Targets, ", "))
}
