package smtlib

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os/exec"
	"regexp"
	"strings"

	"github.com/tacheck/tacheck/internal/child"
	"github.com/tacheck/tacheck/smt"
)

// Transcript is what a solver said to a script.
type Transcript struct {
	Solver  string   // name and version, by its own account
	Answers []string // to each (check-sat): sat, unsat or unknown
	Proofs  []string // to each (get-proof)
}

// Run has a solver run a script, as Record writes it, and reads its answers. With proofs, it is asked for a proof after
// each answer that the script expects to be unsat. Cancelling ctx kills the solver; its cause is the error.
func Run(ctx context.Context, command []string, script []byte, proofs bool) (*Transcript, error) {
	if len(command) == 0 {
		return nil, errors.New("the solver's command line is empty")
	}
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	child.Detach(cmd)
	cmd.Cancel = func() error { child.Kill(cmd.Process); return nil }
	cmd.Stdin = scriptFor(script, proofs)
	var stdout bytes.Buffer
	var stderr tail
	cmd.Stdout, cmd.Stderr = &capped{&stdout, maxAnswer}, &stderr
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case err != nil:
		said := stderr.String()
		if said == "" {
			said = lastLine(stdout.String())
		}
		if said != "" {
			err = fmt.Errorf("%w: %s", err, said)
		}
		return nil, &smt.Failure{Err: fmt.Errorf("%s: %w", command[0], err)}
	}
	t, err := readTranscript(bufio.NewReader(&stdout))
	if err != nil {
		return nil, &smt.Failure{Err: fmt.Errorf("%s: %w", command[0], err)}
	}
	return t, nil
}

// scriptFor asks for the solver's name and for proofs.
func scriptFor(script []byte, proofs bool) io.Reader {
	var b bytes.Buffer
	b.WriteString("(set-option :print-success false)\n")
	if proofs {
		b.WriteString("(set-option :produce-proofs true)\n")
	}
	b.WriteString("(get-info :name)\n(get-info :version)\n")
	for line := range bytes.Lines(script) {
		b.Write(line)
		if proofs && bytes.Equal(line, []byte("; unsat\n")) {
			b.WriteString("(get-proof)\n")
		}
	}
	b.WriteString("(exit)\n")
	return &b
}

var info = regexp.MustCompile(`^\(:(?:name|version) "?([^"]*)"?\)`)

func readTranscript(r *bufio.Reader) (*Transcript, error) {
	t := &Transcript{}
	var names []string
	for {
		line, err := r.ReadString('\n')
		text := strings.TrimSpace(line)
		switch {
		case err == io.EOF && text == "":
			t.Solver = strings.Join(names, " ")
			return t, nil
		case err != nil && err != io.EOF:
			return nil, err
		case text == "sat" || text == "unsat" || text == "unknown":
			t.Answers = append(t.Answers, text)
		case info.MatchString(text):
			names = append(names, info.FindStringSubmatch(text)[1])
		case strings.HasPrefix(text, "(error"):
			return nil, errors.New(text)
		case text != "" && len(t.Answers) > 0: // the proof of the last answer
			if len(t.Proofs) < len(t.Answers) {
				t.Proofs = append(t.Proofs, make([]string, len(t.Answers)-len(t.Proofs))...)
			}
			t.Proofs[len(t.Answers)-1] += line
		case text != "":
			return nil, fmt.Errorf("cannot read %q", text)
		}
	}
}

// capped bounds what a solver may print.
type capped struct {
	w    io.Writer
	left int
}

func (c *capped) Write(p []byte) (int, error) {
	if c.left -= len(p); c.left < 0 {
		return 0, fmt.Errorf("the solver printed more than %d bytes", maxAnswer)
	}
	return c.w.Write(p)
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// answerMark begins a line with the answer that a solver gave.
const answerMark = "; "

// notes returns the lines in which Record noted answers and values.
func notes(script []byte) []string {
	var list []string
	for line := range bytes.Lines(script) {
		text := strings.TrimSpace(string(line))
		if _, is := noted(text); is || strings.HasPrefix(text, valuesMark) {
			list = append(list, text)
		}
	}
	return list
}

// noted reads a note of an answer.
func noted(note string) (smt.Status, bool) {
	switch note {
	case answerMark + "sat":
		return smt.Sat, true
	case answerMark + "unsat":
		return smt.Unsat, true
	case answerMark + "unknown":
		return smt.Unknown, true
	}
	return smt.Unknown, false
}

// ReadAnswers returns the answers that Record noted in a script.
func ReadAnswers(script []byte) []string {
	var list []string
	for _, note := range notes(script) {
		if _, is := noted(note); is {
			list = append(list, strings.TrimPrefix(note, answerMark))
		}
	}
	return list
}

// Oracle returns a solver that decides nothing: it gives the answers and values
// that Record has noted in a script, in the same order.
func Oracle(name string, script []byte) smt.Solver {
	return &oracle{name: name, notes: notes(script)}
}

type oracle struct {
	name  string
	notes []string
}

// next returns the next note.
func (o *oracle) next() string {
	if len(o.notes) == 0 {
		return ""
	}
	note := o.notes[0]
	o.notes = o.notes[1:]
	return note
}

func (o *oracle) Name() string        { return o.name }
func (o *oracle) Push()               {}
func (o *oracle) Pop()                {}
func (o *oracle) Assert(*smt.Formula) {}
func (o *oracle) Close() error        { return nil }

// Values returns the values that have been noted.
func (o *oracle) Values(vars []*smt.Var) ([]*big.Int, error) {
	words := strings.Fields(strings.TrimPrefix(o.next(), valuesMark))
	if len(words) != len(vars) {
		return nil, fmt.Errorf("%d values are noted, and %d are needed", len(words), len(vars))
	}
	out := make([]*big.Int, len(words))
	for i, w := range words {
		n, ok := new(big.Int).SetString(w, 10)
		if !ok || len(w) > maxDigits {
			return nil, fmt.Errorf("%.40q is not a value", w)
		}
		out[i] = n
	}
	return out, nil
}

// maxDigits bounds values in scripts.
const maxDigits = 10_000

func (o *oracle) Check(ctx context.Context) (smt.Answer, error) {
	if ctx.Err() != nil {
		return smt.Answer{Reason: smt.Interrupted(ctx)}, nil
	}
	status, is := noted(o.next())
	switch {
	case !is:
		return smt.Answer{}, errors.New("there are more questions than answers")
	case status == smt.Unknown:
		return smt.Answer{Reason: "unknown"}, nil
	}
	return smt.Answer{Status: status}, nil
}
