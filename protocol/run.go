package protocol

// Digest names the text of the model.
func (m *Model) Digest() string { return m.Source.Digest() }
