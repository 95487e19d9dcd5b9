package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// TestUnread: where there is no time to make the automaton of a text, each of its specifications is unknown, in every form of output.
func TestUnread(t *testing.T) {
	for _, text := range []struct {
		file  string
		specs int
	}{{"../../benchmarks/rounds/benor_clean.ftdp", 6}, {"../../benchmarks/sources/bosco.ftdp", 0}} {
		for _, form := range []string{"text", "json", "csv", "junit", "sarif", "github"} {
			var stdout, stderr bytes.Buffer
			code := execute(context.Background(), []string{"verify", text.file, "--timeout", "1ns", "--format", form}, strings.NewReader(""), &stdout, &stderr)
			if code != exitUnknown || stderr.Len() > 0 || !strings.Contains(stdout.String(), "longer than --timeout") {
				t.Errorf("%s as %s: exit code %d\n%s%s", text.file, form, code, &stdout, &stderr)
			}
			if form != "json" {
				continue
			}
			lines := strings.Split(strings.TrimSpace(stdout.String()), "\n")
			if text.specs > 0 && len(lines) != text.specs {
				t.Errorf("%s: %d objects, and not %d", text.file, len(lines), text.specs)
			}
			for _, line := range lines {
				var one struct{ Version, File, Spec, Verdict, Reason any }
				if err := json.Unmarshal([]byte(line), &one); err != nil || one.Verdict != "unknown" || one.Spec == "" || one.File != text.file {
					t.Errorf("%s: %v", line, err)
				}
			}
		}
	}
}
