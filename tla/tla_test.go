package tla

import (
	"os"
	"testing"
)

func TestShow(t *testing.T) {
	text, err := os.ReadFile("/work/shared/corpus/tla/Tendermint_1round_safety.tla")
	if err != nil {
		t.Skip(err)
	}
	tr, err := Translate("t.tla", string(text))
	if err != nil {
		t.Fatal(err)
	}
	t.Log(tr.Text, tr.Notes)
}
