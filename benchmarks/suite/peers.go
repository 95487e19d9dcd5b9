package suite

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/tacheck/tacheck/emit"
	"github.com/tacheck/tacheck/internal/child"
	"github.com/tacheck/tacheck/internal/verdict"
	"github.com/tacheck/tacheck/protocol"
)

// Peers measures other explorers on the texts that tasks are of, beside tacheck.
type Peers struct {
	Config
	TLC      string // its archive; "" for none
	Protocol func(ctx context.Context, t Task) (*protocol.Model, error)
}

// peer is a program that visits all states of a text in a language of emit.
type peer struct {
	name, target string
	needs        []string
	make         [][]string // what compiles it
	run          []string
	states       *regexp.Regexp
	more         int64 // states that it counts besides
}

// spin is Spin, with or without its partial orders: what it remembers has room for so many states.
func spin(name string, states int64, flags ...string) peer {
	bits := min(30, max(16, int(math.Ceil(math.Log2(float64(states+1))))+1))
	gcc := slices.Concat([]string{"gcc", "-O3", "-w", "-DSAFETY", "-DNOCLAIM", "-DVECTORSZ=8192"}, flags,
		[]string{"-o", "pan", "pan.c"})
	return peer{name: name, target: "promela", needs: []string{"spin", "gcc"}, more: 1,
		make:   [][]string{{"spin", "-a", "model.pml"}, gcc},
		run:    []string{"./pan", "-E", fmt.Sprintf("-w%d", bits), fmt.Sprintf("-m%d", min(states+1000, 20_000_000))},
		states: regexp.MustCompile(`(\d+) states, stored`)}
}

// peers lists the other programs, for a text that has so many states.
func (p *Peers) peers(states int64) []peer {
	return []peer{
		spin("Spin", states, "-DNOREDUCE"),
		{name: "rumur", target: "murphi", needs: []string{"rumur", "gcc"}, make: [][]string{
			{"rumur", "--deadlock-detection=off", "--threads=1", "--symmetry-reduction=off", "model.m", "-o",
				"model.c"},
			{"gcc", "-O3", "-w", "-mcx16", "-o", "model", "model.c", "-lpthread"}},
			run: []string{"./model"}, states: regexp.MustCompile(`(\d+) states,`)},
		{name: "TLC", target: "tla", needs: []string{"java"}, run: []string{"java", "-Djava.io.tmpdir=.",
			"-XX:+UseSerialGC", "-Xmx4g", "-cp", p.archive(), "tlc2.TLC", "-deadlock", "-workers", "1", "model"},
			states: regexp.MustCompile(`, (\d+) distinct states found, 0 states left`)},
		spin("Spin, partial orders", states),
	}
}

// archive is where TLC is, from any folder.
func (p *Peers) archive() string {
	if path, err := filepath.Abs(p.TLC); err == nil {
		return path
	}
	return p.TLC
}

// peerColumns are the figures of a row.
var peerColumns = []string{"thousand a s", "Spin", "rumur", "TLC", "defaults s", "Spin's s", "gcc s"}

// Measure visits all states of a text without reductions, then with what is the default, and has others do so. States a
// second are those of whole processes, in seconds of the processor; compilers have a column of their own.
func (p *Peers) Measure(ctx context.Context, t Task) (Row, error) {
	plain, usual := t, t
	plain.Command = slices.Concat(t.Command, []string{"--por", "none", "--symmetry", "none", "--crash", "explicit"})
	row, _, err := p.Time(ctx, plain, nil)
	if err != nil || row.Verdict == verdict.Unknown {
		return row, err
	}
	m, err := p.Protocol(ctx, t)
	if err != nil {
		return row, err
	}
	figures := map[string]string{"thousand a s": rate(row.States, row.CPUSeconds)}
	for _, o := range p.peers(row.States) {
		compiled, seconds, states, err := p.measure(ctx, m, o)
		said := ""
		switch {
		case errors.Is(err, errNotHere):
			continue
		case ctx.Err() != nil:
			return row, ctx.Err()
		case err != nil:
			said = err.Error()
		case o.name == "Spin, partial orders":
			figures["Spin's s"] = fmt.Sprintf("%.2f", seconds)
			continue
		case states != row.States:
			said = fmt.Sprintf("%d states", states)
			row.Verdict, row.Reason = verdict.Unknown, strings.TrimPrefix(row.Reason+"; "+o.name+" counts "+said, "; ")
		default:
			said = fmt.Sprintf("%s (%.2f)", rate(states, seconds), row.CPUSeconds/seconds)
		}
		if figures[o.name] = said; o.name == "Spin" {
			figures["gcc s"] = fmt.Sprintf("%.1f", compiled)
		}
	}
	with, _, err := p.Time(ctx, usual, nil)
	if err != nil {
		return row, err
	}
	figures["defaults s"] = fmt.Sprintf("%.2f", with.CPUSeconds)
	row.Published = slices.Clone(row.Published)
	for _, name := range peerColumns {
		row.Published = append(row.Published, Figure{name, figures[name]})
	}
	return row, nil
}

// rate is in thousands.
func rate(states int64, seconds float64) string {
	return fmt.Sprintf("%.0f", float64(states)/seconds/1000)
}

// errNotHere is the error where a program is not installed, or has no text to work on.
var errNotHere = errors.New("not installed")

// measure runs another program on a protocol.
func (p *Peers) measure(ctx context.Context, m *protocol.Model, o peer) (compiled, seconds float64, states int64,
	err error) {
	for _, program := range o.needs {
		if _, err := exec.LookPath(program); err != nil || o.name == "TLC" && p.TLC == "" {
			return 0, 0, 0, errNotHere
		}
	}
	bare := *m // nothing is asked
	bare.Props = nil
	files, err := emit.Protocol(&bare, o.target, "model")
	if err != nil {
		return 0, 0, 0, errors.New("not written")
	}
	dir, err := os.MkdirTemp("", "tacheck-peer-")
	if err != nil {
		return 0, 0, 0, err
	}
	defer os.RemoveAll(dir)
	for ending, text := range files {
		if err := os.WriteFile(filepath.Join(dir, "model"+ending), []byte(text), 0o600); err != nil {
			return 0, 0, 0, err
		}
	}
	for _, args := range o.make {
		_, s, err := p.start(ctx, dir, args)
		if compiled += s; err != nil {
			return compiled, 0, 0, err
		}
	}
	out, seconds, err := p.start(ctx, dir, o.run)
	if err != nil {
		return compiled, seconds, 0, err
	}
	found := o.states.FindStringSubmatch(out)
	if found == nil || strings.Contains(out, "max search depth too small") {
		return compiled, seconds, 0, errors.New("not finished")
	}
	_, err = fmt.Sscan(found[1], &states)
	return compiled, seconds, states - o.more, err
}

// start runs a program in a folder: what it says, and its seconds of the processor.
func (p *Peers) start(ctx context.Context, dir string, args []string) (string, float64, error) {
	if p.Timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, p.Timeout)
		defer stop()
	}
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = dir
	child.Detach(cmd)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		return "", 0, err
	}
	seconds := (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
	switch {
	case ctx.Err() != nil:
		return "", seconds, fmt.Errorf("> %.0f s", seconds)
	case err != nil:
		return "", seconds, fmt.Errorf("%s: %w", args[0], err)
	}
	return string(out), seconds, nil
}
