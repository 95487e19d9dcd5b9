package emit

import "tacheck/protocol"

func protocolMurphi(m *protocol.Model, name string) Files { return nil }
