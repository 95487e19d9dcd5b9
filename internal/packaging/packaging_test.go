package packaging

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tacheck/tacheck/testkit/need"
)

const project = "../.."

// program is the path of the program.
var program string

func TestMain(m *testing.M) { need.WithProgram(m, &program) }

// command runs a shell command in a folder and returns what it prints.
func command(t *testing.T, dir, line string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", line, err, out)
	}
	return string(out)
}

func only(t *testing.T, pattern string) string {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) != 1 {
		t.Fatalf("%s: %v, %v", pattern, files, err)
	}
	return files[0]
}

// TestDeb makes the package, unpacks it, and has the programs in it verify a model and
// draw it.
func TestDeb(t *testing.T) {
	need.Usual(t, "a package")
	need.All(t, "dpkg-deb", "z3") // packages are made on Debian
	dist, err := filepath.Abs(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("DPKG_DEB_COMPRESSOR_TYPE", "gzip") // the default takes long
	t.Setenv("DPKG_DEB_COMPRESSOR_LEVEL", "1")
	command(t, project, "make -s deb DIST='"+dist+"'")

	deb := only(t, dist+"/tacheck_*.deb")
	if info := command(t, dist, "dpkg-deb -I "+deb); !strings.Contains(info, "Depends: libz3-4") {
		t.Error(info)
	}
	root := filepath.Join(dist, "root")
	command(t, dist, "dpkg-deb -x "+deb+" root")
	for _, file := range []string{"usr/bin/tacheck", "usr/share/man/man1/tacheck-verify.1.gz",
		"usr/share/bash-completion/completions/tacheck", "usr/share/doc/tacheck/tutorial.md", "usr/share/doc/tacheck/copyright"} {
		if _, err := os.Stat(filepath.Join(root, file)); err != nil {
			t.Error(err)
		}
	}
	if out := command(t, root, "usr/bin/tacheck verify rb.ta"); strings.Count(out, "holds") != 3 {
		t.Error(out)
	}
	command(t, root, "usr/bin/tacheck graph rb.ta -o rb.svg && grep -q '<svg' rb.svg")
	version := command(t, project, "git describe --tags --always --dirty 2>/dev/null || echo devel")
	if out := command(t, root, "usr/bin/tacheck version"); !strings.Contains(out, strings.TrimSpace(version)) {
		t.Errorf("version %s, want %s", out, version)
	}
}

// TestArchive makes the archive: its program holds no solver, and takes one over a pipe.
func TestArchive(t *testing.T) {
	need.More(t, "a build without cgo")
	need.All(t, "z3")
	dist, err := filepath.Abs(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	command(t, project, "make -s archive DIST='"+dist+"'")
	command(t, dist, "mkdir static && tar xzf "+only(t, dist+"/tacheck-*-static.tar.gz")+" -C static --strip-components=1")
	if out, err := exec.Command("ldd", dist+"/static/tacheck").CombinedOutput(); err == nil {
		t.Errorf("it is linked dynamically: %s", out)
	}
	if out := command(t, dist+"/static", "./tacheck verify rb.ta --spec relay"); !strings.Contains(out, "holds") {
		t.Error(out)
	}
}

// TestDockerfile does what the Dockerfile says, as far as that goes without
// Docker: packages are known here, copied files exist, commands run in a copy.
func TestDockerfile(t *testing.T) {
	need.More(t, "a build in another folder")
	need.All(t, "apt-cache", "git")
	text, err := os.ReadFile("Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	if goDirective := command(t, project, "sed -n 's/^go //p' go.mod"); !strings.Contains(string(text), "golang:"+strings.Join(strings.Split(strings.TrimSpace(goDirective), ".")[:2], ".")+"-") {
		t.Errorf("the Dockerfile has another Go than go.mod: %s", goDirective)
	}
	copied := filepath.Join(t.TempDir(), "src")
	command(t, project, "git clone -q . '"+copied+"'")
	runs := 0
	for line := range strings.Lines(string(text)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		switch {
		case word == "RUN" && strings.HasPrefix(rest, "apt-get"):
			_, list, _ := strings.Cut(strings.Split(rest, "&& rm")[0], "--no-install-recommends")
			for _, name := range strings.Fields(list) {
				command(t, ".", "apt-cache show "+name+" > /dev/null")
			}
		case word == "RUN":
			command(t, copied, rest)
			runs++
		case word == "COPY" && strings.HasPrefix(rest, "--from=build"):
			for _, file := range regexp.MustCompile(`/src/(\S+)`).FindAllStringSubmatch(rest, -1) {
				if _, err := os.Stat(filepath.Join(copied, file[1])); err != nil {
					t.Error(err)
				}
			}
		case word == "ENTRYPOINT":
			command(t, copied, "bin/"+strings.Trim(rest, `[]"`)+" --help")
		}
	}
	if runs == 0 {
		t.Error("nothing was run")
	}
}

// TestAction runs what the GitHub action runs: models that hold, one that is violated, none.
func TestAction(t *testing.T) {
	script, err := filepath.Abs("action.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	command(t, dir, "mkdir sub")
	for file, model := range map[string]string{"right.ta": "rb.ta", "sub/right.ta": "rb.ta", "wrong.ta": "broken/rb-n3t.ta"} {
		command(t, dir, program+" show "+model+" > "+file)
	}
	for _, c := range []struct {
		command, options, files string
		code                    int
		prints                  []string
	}{
		{"verify", "--spec relay", "**/right.ta", 0, []string{"::group::tacheck verify right.ta", "::group::tacheck verify sub/right.ta"}},
		{"verify", "", "*.ta", 1, []string{"::error file=wrong.ta,line="}},
		{"explore", "--all-up-to 4", "wrong.ta", 1, []string{"::error file=wrong.ta::tacheck explore ends with 1"}},
		{"fmt", "", "right.ta", 1, []string{"::error file=right.ta::tacheck fmt ends with 1"}},
		{"verify", "", "*.pml", 2, []string{"::error::no model matches: *.pml"}},
		{"show", "", "right.ta", 2, []string{"is none of the commands"}},
	} {
		cmd := exec.Command(script)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "TACHECK="+program, "COMMAND="+c.command, "FILES="+c.files, "OPTIONS="+c.options)
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != c.code {
			t.Errorf("%s %s: exit code %d, want %d\n%s", c.command, c.files, code, c.code, out)
		}
		for _, line := range c.prints {
			if !strings.Contains(string(out), line) {
				t.Errorf("%s %s does not print %s:\n%s", c.command, c.files, line, out)
			}
		}
	}
}

// TestExtension: the files that the extension for Visual Studio Code names are there; where npm is, `make vsix` puts
// these and no others in.
func TestExtension(t *testing.T) {
	text, err := os.ReadFile(project + "/docs/vscode/package.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile(`"(?:path|configuration)": "\./([^"]+)"`).FindAllStringSubmatch(string(text), -1) {
		if _, err := os.Stat(project + "/docs/vscode/" + m[1]); err != nil {
			t.Error(err)
		}
	}
	need.More(t, "packages from a registry")
	need.All(t, "npm") // which `make vsix` installs
	dist := t.TempDir()
	command(t, project, "make -s vsix DIST='"+dist+"'")
	got := command(t, dist, "python3 -m zipfile -l *.vsix | awk 'NR > 1 { print $1 }' | sort")
	want := `[Content_Types].xml
extension.vsixmanifest
extension/LICENSE.txt
extension/README.md
extension/dist/extension.js
extension/first-order-configuration.json
extension/language-configuration.json
extension/package.json
extension/syntaxes/ftdp.tmLanguage.json
extension/syntaxes/promela.tmLanguage.json
extension/syntaxes/pyv.tmLanguage.json
extension/syntaxes/ta.tmLanguage.json
`
	if got != want {
		t.Errorf("in the package:\n%s", got)
	}
}
