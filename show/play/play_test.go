package play_test

import (
	"bytes"
	"compress/flate"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/tacheck/tacheck/benchmarks"
	"github.com/tacheck/tacheck/show/play"
	"github.com/tacheck/tacheck/testkit/browse"
	"github.com/tacheck/tacheck/testkit/need"
)

const token = "0123456789abcdef"

// options are those of the tests: a right and some broken texts.
func options() play.Options {
	o := play.Options{Release: "test", Examples: play.Broken(), Timeout: time.Minute}
	for _, name := range []string{"sources/rb.ftdp", "rb.ta", "broken/rb-n3t.ta", "paxos_learner.ftdp", "rb.pml"} {
		text, _ := benchmarks.Read(name)
		o.Examples = append(o.Examples, play.Example{Name: name, Group: "of the suite", About: "a model", Text: text})
	}
	o.Start = play.Example{Name: "rb.ftdp", Text: o.Examples[len(play.Broken())].Text}
	return o
}

// serve serves the page, and returns its address.
func serve(t *testing.T) string {
	t.Helper()
	ctx, stop := context.WithCancel(context.Background())
	s := httptest.NewServer(play.Handler(ctx, options(), token))
	t.Cleanup(func() { stop(); s.CloseClientConnections(); s.Close() })
	return s.URL + "/" + token + "/"
}

// opened opens the page, and waits until its first text is decided.
func opened(t *testing.T, width int64) context.Context {
	t.Helper()
	ctx := browse.Open(t, serve(t), width)
	decided(t, ctx)
	return ctx
}

// decided waits until all that the page has asked is answered.
func decided(t *testing.T, ctx context.Context) {
	t.Helper()
	browse.Do(t, ctx, chromedp.Poll(`document.body.dataset.busy === "" && !document.querySelector("#verdicts.stale") && document.querySelectorAll("#verdicts .waiting").length === 0`,
		nil, chromedp.WithPollingTimeout(50*time.Second)))
}

// after does something and waits until the answers to it are there.
func after(t *testing.T, ctx context.Context, script string) {
	t.Helper()
	before := browse.Ask[string](t, ctx, `document.body.dataset.asked`)
	browse.Ask[bool](t, ctx, "("+script+", true)")
	browse.Do(t, ctx, chromedp.Poll(`document.body.dataset.asked !== "`+before+`"`, nil, chromedp.WithPollingTimeout(50*time.Second)))
	decided(t, ctx)
}

const verdicts = `[...document.querySelectorAll("#verdicts .verdict")].map(e => e.textContent).join("; ")`

// slide moves the slider with a label.
func slide(label string, value string) string {
	return `(() => { const k = [...document.querySelectorAll(".knob")].find(k => k.label.textContent === "` + label + `"); k.input.value = ` + value +
		`; k.input.dispatchEvent(new Event("input")); })()`
}

// TestFirstMinutes: reliable broadcast is there and holds; one slider breaks it, and the page shows how; the slider back
// mends it.
func TestFirstMinutes(t *testing.T) {
	ctx := opened(t, 1600)
	if got := browse.Ask[string](t, ctx, verdicts); got != "✓ unforgeability holds; ✓ correctness holds; ✓ relay holds" {
		t.Errorf("at first: %s", got)
	}
	browse.Shot(t, ctx, "play-1600-holds.png")
	after(t, ctx, slide("n > 3 * t", "2"))
	if got := browse.Ask[string](t, ctx, verdicts); !strings.Contains(got, "✗ relay violated") {
		t.Errorf("with n > 2 * t: %s", got)
	}
	if got := browse.Ask[string](t, ctx, `editor.text()`); !strings.Contains(got, "assume n > 2 * t, t >= f") {
		t.Error("the slider has not changed the text: ", got)
	}
	for _, part := range []string{"#run .sequence svg.chart", "#run .beats li"} {
		if browse.Ask[int](t, ctx, `document.querySelectorAll("`+part+`").length`) == 0 {
			t.Errorf("the run of what fails has no %s", part)
		}
	}
	for _, mode := range []string{"light", "dark"} {
		browse.Do(t, ctx, emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: mode}}))
		for _, width := range []int64{400, 900, 1600} {
			browse.Do(t, ctx, chromedp.EmulateViewport(width, 900))
			if over := browse.Ask[int](t, ctx, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("at %d pixels the page is %d too wide", width, over)
			}
			browse.Shot(t, ctx, "play-"+mode+"-"+itoa(width)+".png")
		}
	}
	after(t, ctx, slide("n > 2 * t", "3"))
	if got := browse.Ask[string](t, ctx, verdicts); strings.Contains(got, "violated") {
		t.Errorf("with n > 3 * t again: %s", got)
	}
}

func itoa(n int64) string { b, _ := json.Marshal(n); return string(b) }

// TestExamples: each is one click away, and shows its verdicts and a run.
func TestExamples(t *testing.T) {
	ctx := opened(t, 1600)
	for name, want := range map[string]string{"broadcast_n3t.ftdp": "relay violated", "broken/rb-n3t.ta": "relay violated", "paxos_learner.ftdp": "agreement violated", "rb.pml": "holds"} {
		after(t, ctx, `document.querySelector("[data-example='`+name+`']").click()`)
		if got := browse.Ask[string](t, ctx, verdicts); !strings.Contains(got, want) {
			t.Errorf("%s: %s", name, got)
		}
		if strings.Contains(want, "violated") && browse.Ask[int](t, ctx, `document.querySelectorAll("#run output").length`) == 0 {
			t.Errorf("%s: no run is shown", name)
		}
		browse.Shot(t, ctx, "play-"+strings.ReplaceAll(name, "/", "-")+".png")
	}
}

// TestEditor: the language server highlights, completes and marks what is wrong; verdicts follow what is typed.
func TestEditor(t *testing.T) {
	ctx := opened(t, 1200)
	browse.Do(t, ctx, chromedp.Poll(`document.querySelectorAll(".tok-keyword").length > 5`, nil, chromedp.WithPollingTimeout(20*time.Second)))
	// At the end of the text, "l" can be "ltl" only.
	browse.Ask[bool](t, ctx, `(editor.view.focus(), editor.view.dispatch({selection: {anchor: editor.view.state.doc.length}}), true)`)
	browse.Do(t, ctx, chromedp.KeyEvent("l"), chromedp.Poll(`[...document.querySelectorAll(".cm-completionLabel")].some(e => e.textContent === "ltl")`, nil, chromedp.WithPollingTimeout(20*time.Second)))
	browse.Do(t, ctx, chromedp.Poll(`document.querySelectorAll(".cm-lintRange-error").length > 0`, nil, chromedp.WithPollingTimeout(20*time.Second)))
	browse.Do(t, ctx, chromedp.Poll(`document.querySelectorAll("#wrong li").length > 0`, nil, chromedp.WithPollingTimeout(20*time.Second)))
	browse.Shot(t, ctx, "play-typing.png")
	after(t, ctx, `editor.open("rb.ftdp", editor.text().slice(0, -1).replaceAll("heard(ECHO) >= t + 1", "heard(ECHO) >= t"))`)
	if got := browse.Ask[string](t, ctx, verdicts); !strings.Contains(got, "✗ unforgeability violated") {
		t.Errorf("with a threshold off by one: %s", got)
	}
}

// TestSizesAndRegion: one instance is explored with the values of the sliders; where conditions hold is found, and put into the text.
func TestSizesAndRegion(t *testing.T) {
	need.Usual(t, "the plane of conditions")
	ctx := opened(t, 1200)
	after(t, ctx, `document.querySelectorAll("#sizes input[type=radio]")[1].click()`)
	if got := browse.Ask[string](t, ctx, `document.querySelector("#status").textContent`); !strings.Contains(got, "with n = 4, t = 1, f = 1") {
		t.Errorf("one instance: %s", got)
	}
	after(t, ctx, slide("f", "0"))
	if got := browse.Ask[string](t, ctx, `document.querySelector("#verdicts").textContent`); !strings.Contains(got, "states with n = 4, t = 1, f = 0") {
		t.Errorf("with a faulty process: %s", got)
	}
	browse.Ask[bool](t, ctx, slide("n", "3")+`, true`)
	browse.Do(t, ctx, chromedp.Poll(`document.querySelector("#wrong").textContent.includes("admit no parameters")`, nil, chromedp.WithPollingTimeout(20*time.Second)))
	after(t, ctx, `document.querySelectorAll("#sizes input[type=radio]")[0].click()`)
	browse.Ask[bool](t, ctx, `(document.querySelector("#region").open = true, document.querySelector("#most").value = 4, document.querySelector("#ask-region button").click(), true)`)
	browse.Do(t, ctx, chromedp.Poll(`document.querySelectorAll("#plane .weakest").length > 0`, nil, chromedp.WithPollingTimeout(50*time.Second)))
	if got := browse.Ask[string](t, ctx, `document.querySelector("#sentence").textContent`); !strings.Contains(got, "n > 3*t") && !strings.Contains(got, "n > 3 * t") {
		t.Errorf("the region: %s", got)
	}
	browse.Shot(t, ctx, "play-region.png")
	after(t, ctx, `document.querySelector("#plane .violated").click()`)
	if got := browse.Ask[string](t, ctx, verdicts); !strings.Contains(got, "violated") {
		t.Errorf("a condition that is too weak: %s", got)
	}
}

// TestLink: a link has all that is shown; one that makes no sense does no harm.
func TestLink(t *testing.T) {
	address := serve(t)
	ctx := browse.Open(t, address, 1200)
	decided(t, ctx)
	after(t, ctx, `editor.open("rb.ftdp", editor.text().replace("n > 3 * t", "n >= 3 * t"))`)
	hash := ""
	for begin := time.Now(); !strings.Contains(linked(hash), "n >= 3 * t"); time.Sleep(20 * time.Millisecond) {
		if hash = browse.Ask[string](t, ctx, `location.hash`); time.Since(begin) > 50*time.Second {
			t.Fatalf("the address has another text: %s", linked(hash))
		}
	}
	other := browse.Open(t, address+hash, 1200)
	decided(t, other)
	if got := browse.Ask[string](t, other, `editor.text()`); !strings.Contains(got, "n >= 3 * t") {
		t.Error("the link does not open the text")
	}
	for i, bad := range []string{"#1.!!!!", "#1.AAAA", "#2.x", "#1."} {
		if i%need.Every(t, 1) > 0 {
			continue
		}
		other := browse.Open(t, address+bad, 1200) // anew: while one page gives way to another, nothing can be asked
		decided(t, other)
		if got := browse.Ask[string](t, other, `editor.text()`); !strings.Contains(got, "protocol rb") {
			t.Errorf("%s: the page begins with %q", bad, got)
		}
	}
}

// linked is what an address says: "" if it says nothing.
func linked(hash string) string {
	packed, err := base64.RawURLEncoding.DecodeString(strings.TrimPrefix(hash, "#1."))
	if err != nil {
		return ""
	}
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		return ""
	}
	return string(text)
}

// TestHostile: what texts and names contain is text, wherever it is shown.
func TestHostile(t *testing.T) {
	ctx := opened(t, 1200)
	after(t, ctx, `(() => { window.harmed = false;
		document.querySelector("#name").value = "<img src=x onerror=harmed=true>.ta";
		document.querySelector("#name").dispatchEvent(new Event("change")); })()`)
	after(t, ctx, `editor.open("x.ta", "/* <script>harmed = true</"+"script> */ ta X { shared <img src=x onerror=harmed=true>; }")`)
	time.Sleep(100 * time.Millisecond)
	if browse.Ask[bool](t, ctx, `window.harmed || document.querySelectorAll("img").length > 0`) {
		t.Error("the text has run in the page")
	}
	if got := browse.Ask[string](t, ctx, `document.querySelector("#wrong").textContent`); got == "" {
		t.Error("nothing is said of what is wrong")
	}
}

// get asks as a program does.
func get(t *testing.T, method, address, body string, header map[string]string) (int, string) {
	t.Helper()
	r, err := http.NewRequest(method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for k, v := range header {
		if k == "Host" {
			r.Host = v
		}
		r.Header.Set(k, v)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(text)
}

// TestForeign: other pages, other names of this machine and requests without the token get nothing.
func TestForeign(t *testing.T) {
	address := serve(t)
	question := `{"file": "x.ta", "text": ""}`
	for name, c := range map[string]struct {
		method, address string
		header          map[string]string
		status          int
	}{
		"the page":           {"GET", address, nil, 200},
		"a question":         {"POST", address + "check", nil, 200},
		"a wrong token":      {"GET", strings.Replace(address, token, "f"+token[1:], 1), nil, 404},
		"no token":           {"GET", address[:strings.Index(address, token)], nil, 404},
		"another host":       {"GET", address, map[string]string{"Host": "evil.example:80"}, 404},
		"another origin":     {"POST", address + "check", map[string]string{"Origin": "http://evil.example"}, 404},
		"no origin":          {"POST", address + "check", map[string]string{"Origin": "null"}, 404},
		"a socket elsewhere": {"GET", address + "lsp", map[string]string{"Origin": "http://evil.example", "Connection": "Upgrade", "Upgrade": "websocket"}, 404},
		"another file":       {"GET", address + "../../etc/passwd", nil, 404},
		"another walk":       {"GET", address + "walk/" + token + "/", nil, 404},
	} {
		if got, text := get(t, c.method, c.address, question, c.header); got != c.status {
			t.Errorf("%s: status %d, want %d: %.100s", name, got, c.status, text)
		}
	}
	for name, body := range map[string]string{"nothing": "", "no JSON": "{", "another field": `{"text": "", "path": "/etc/passwd"}`,
		"too much": `{"text": "` + strings.Repeat("x", 6<<20) + `"}`} {
		if got, text := get(t, "POST", address+"check", body, nil); got != 400 {
			t.Errorf("%s: status %d: %.100s", name, got, text)
		}
	}
}

// TestQuestions: what is wrong with a question is an answer, too.
func TestQuestions(t *testing.T) {
	address := serve(t)
	rb, _ := benchmarks.Read("rb.ta")
	ask := func(what string, q map[string]any) string {
		body, _ := json.Marshal(q)
		_, text := get(t, "POST", address+what, string(body), nil)
		return text
	}
	for name, c := range map[string]struct {
		what string
		q    map[string]any
		want string
	}{
		"nothing":         {"check", map[string]any{"file": "x.ftdp", "text": ""}, `"kind":"wrong"`},
		"a mistake":       {"check", map[string]any{"file": "x.ta", "text": "ta X {\n  shered x;\n}"}, `"line":2`},
		"not admitted":    {"check", map[string]any{"file": "rb.ta", "text": rb, "set": map[string]int{"n": 1, "t": 1, "f": 1}}, `does not satisfy`},
		"a negative size": {"check", map[string]any{"file": "rb.ta", "text": rb, "set": map[string]int{"n": -1, "t": 1, "f": 1}}, `"kind":"wrong"`},
		"no form":         {"region", map[string]any{"file": "rb.ta", "text": rb, "form": ""}, `"kind":"wrong"`},
		"no such name":    {"region", map[string]any{"file": "rb.ta", "text": rb, "form": "m > a*t"}, `there is no parameter`},
		"another run":     {"walk", map[string]any{"file": "rb.ta", "text": rb, "run": map[string]any{}}, `"kind":"wrong"`},
		"by hand":         {"walk", map[string]any{"file": "rb.ta", "text": rb}, `"address":"walk/`},
	} {
		if got := ask(c.what, c.q); !strings.Contains(got, c.want) {
			t.Errorf("%s: %s does not contain %s", name, got, c.want)
		}
	}
}

// TestGivenUp: a question ends when the client is gone.
func TestGivenUp(t *testing.T) {
	address := serve(t)
	text, _ := benchmarks.Read("paxos.ftdp")
	body, _ := json.Marshal(map[string]any{"file": "paxos.ftdp", "text": text, "set": map[string]int{"n": 5}})
	for range 4 { // more than are worked on at once
		ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
		r, _ := http.NewRequestWithContext(ctx, "POST", address+"check", strings.NewReader(string(body)))
		if resp, err := http.DefaultClient.Do(r); err == nil {
			_, _ = io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
		}
		cancel()
	}
	rb, _ := benchmarks.Read("rb.ta")
	body, _ = json.Marshal(map[string]any{"file": "rb.ta", "text": rb})
	if _, got := get(t, "POST", address+"check", string(body), nil); strings.Count(got, `"verdict":"holds"`) != 3 {
		t.Errorf("after questions that were given up: %s", got)
	}
}

// TestServe: the page is there, at the address that is announced, until the context ends.
func TestServe(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	address, done := make(chan string, 1), make(chan error, 1)
	go func() { done <- play.Serve(ctx, options(), func(a string) { address <- a }) }()
	if status, text := get(t, "GET", <-address, "", nil); status != 200 || !strings.Contains(text, "tacheck play") {
		t.Error(status, text)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestAskedAgain: what was decided is told again without deciding it, the same to the letter; a text that is another is decided.
func TestAskedAgain(t *testing.T) {
	address := serve(t)
	text, _ := benchmarks.Read("rb.ta")
	ask := func(text string) (events string) {
		body, _ := json.Marshal(map[string]any{"file": "rb.ta", "text": text})
		_, got := get(t, "POST", address+"check", string(body), nil)
		at := strings.LastIndex(got, `{"kind":"end"`)
		if at < 0 {
			t.Fatal(got)
		}
		return got[:at]
	}
	broken := strings.Replace(text, "n > 3 * t", "n > 2 * t", 1)
	first, other := ask(text), ask(broken)
	if strings.Count(first, `"verdict":"holds"`) != 3 || strings.Count(other, `"verdict":"violated"`) == 0 || strings.Count(other, `"kind":"run"`) == 0 {
		t.Errorf("at first:\n%s\n%s", first, other)
	}
	if again := ask(text); again != first {
		t.Errorf("again:\n%s\nnot\n%s", again, first)
	}
	if again := ask(broken); again != other {
		t.Errorf("again:\n%s\nnot\n%s", again, other)
	}
}

// TestWaitedFor: what the reader looks at is decided first, and names that are not there are no matter.
func TestWaitedFor(t *testing.T) {
	text, _ := benchmarks.Read("rb.ta")
	body, _ := json.Marshal(map[string]any{"file": "rb.ta", "text": text, "first": []string{"gone", "relay"}})
	_, got := get(t, "POST", serve(t)+"check", string(body), nil)
	var order []string
	for _, line := range strings.Split(got, "\n") {
		var e struct{ Kind, Spec string }
		if json.Unmarshal([]byte(line), &e) == nil && e.Kind == "verdict" {
			order = append(order, e.Spec)
		}
	}
	if want := "relay unforgeability correctness"; strings.Join(order, " ") != want {
		t.Errorf("%v, not %s", order, want)
	}
}
