package main

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// badSolver is a program that goes wrong where a solver should answer. Its
// arguments say how, and at which query, counted from 1; queries before that
// are answered by z3.
func badSolver() {
	how, at := os.Args[1], 1
	if len(os.Args) > 2 {
		n, err := strconv.Atoi(os.Args[2])
		if err != nil {
			panic(err)
		}
		at = n
	}
	z3 := exec.Command("z3", "-in", "-smt2")
	to, err := z3.StdinPipe()
	check(err)
	from, err := z3.StdoutPipe()
	check(err)
	check(z3.Start())
	answers := bufio.NewReader(from)
	queries := 0
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		line := in.Text()
		if strings.HasPrefix(line, "(check-sat)") {
			if queries++; queries >= at {
				misbehave(how)
				continue
			}
		}
		if names, found := strings.CutPrefix(line, "(get-value ("); found {
			fmt.Println(values(how, strings.Fields(strings.TrimSuffix(names, "))"))))
			continue
		}
		_, err := fmt.Fprintln(to, line)
		check(err)
		if strings.HasPrefix(line, "(check-sat)") {
			answer, err := answers.ReadString('\n')
			check(err)
			fmt.Print(answer)
		}
	}
}

// values answers (get-value).
func values(how string, names []string) string {
	if how == "nomodel" {
		return "((n 4) nonsense))"
	}
	answer := "("
	for _, name := range names {
		answer += "(" + name + " 7)"
	}
	return answer + ")"
}

func misbehave(how string) {
	switch how {
	case "crash":
		fmt.Fprintln(os.Stderr, "segmentation fault, sorry")
		os.Exit(139)
	case "die":
		check(syscall.Kill(os.Getpid(), syscall.SIGKILL))
		select {}
	case "memory":
		fmt.Println(`(error "out of memory")`)
		os.Exit(101)
	case "babble":
		fmt.Println("maybe")
	case "half":
		fmt.Print("uns")
		os.Exit(0)
	case "flood":
		for {
			fmt.Print(strings.Repeat("x", 1<<16))
		}
	case "unknown":
		fmt.Println("unknown")
	case "sat":
		fmt.Println("sat")
	case "hang":
		time.Sleep(time.Hour)
	}
}

func check(err error) {
	if err != nil {
		panic(err)
	}
}

// mountSmall makes a folder on a disk with room for one small file. Only root
// may.
func mountSmall(dir string) error {
	return exec.Command("mount", "-t", "tmpfs", "-o", "size=4k", "tmpfs", dir).Run()
}

// maySmall reports whether small works here.
func maySmall() bool {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	return mountSmall(dir) == nil && exec.Command("umount", dir).Run() == nil
}

// small FOLDER: makes a folder on a disk with room for one small file.
func small(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: small FOLDER")
	}
	dir := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(dir, 0o777))
	ts.Check(mountSmall(dir))
	ts.Defer(func() {
		if out, err := exec.Command("umount", "-l", dir).CombinedOutput(); err != nil {
			ts.Logf("umount: %s", out)
		}
	})
}

// deaf CODE COMMAND...: runs a command whose standard output is a pipe without
// a reader, and which must exit with the code.
func deaf(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: deaf CODE COMMAND...")
	}
	r, w, err := os.Pipe()
	ts.Check(err)
	ts.Check(r.Close())
	path, err := exec.LookPath(args[1])
	ts.Check(err)
	cmd := exec.Command(path, args[2:]...)
	var stderr strings.Builder
	cmd.Stdout, cmd.Stderr = w, &stderr
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		ts.Fatalf("%v", err)
	}
	ts.Check(w.Close())
	if got := strconv.Itoa(cmd.ProcessState.ExitCode()); got != args[0] || strings.Contains(stderr.String(), "broken pipe") != (got != "0") {
		ts.Fatalf("exit code %s (%s)\n%s", got, cmd.ProcessState, stderr.String())
	}
}
