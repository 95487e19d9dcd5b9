package lists

import (
	"fmt"
	"strings"
	"testing"
)

// TestChoices: all choices come, each once, in their order.
func TestChoices(t *testing.T) {
	var got []string
	for list := range Product([]int64{0, -1, 2}, []int64{1, 0, 2}) {
		got = append(got, fmt.Sprint(list))
	}
	if text := strings.Join(got, ""); text != "[0 -1 2][0 0 2][1 -1 2][1 0 2]" {
		t.Error(text)
	}
	got = nil
	for list := range BySum(2, 2, 3) {
		got = append(got, fmt.Sprint(list))
	}
	if text := strings.Join(got, ""); text != "[0 0][0 1][1 0][0 2][1 1][2 0][1 2][2 1]" {
		t.Error(text)
	}
	count := 0
	for list := range Product(nil, nil) {
		count += 1 + len(list)
	}
	for list := range BySum(0, 5, 5) {
		count += 1 + len(list)
	}
	for range BySum(3, 9, 9) {
		if count++; count == 5 {
			break
		}
	}
	if count != 5 {
		t.Errorf("%d", count)
	}
}
