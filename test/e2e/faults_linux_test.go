// What an agent sees when something is missing or dies.

package e2e

import (
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/playguard/playguard/test/harness"
	"github.com/playguard/playguard/test/processes"
	"github.com/playguard/playguard/test/site"
)

// Without the bundled packages the tools are listed all the same, and a call
// says which command installs them.
func TestMissingInstallation(t *testing.T) {
	_, p := open(t, "PLAYGUARD_DATA_DIR="+t.TempDir())
	contains(t, p.Result("tools/list", `{}`), `"browser_snapshot"`, `"browser_click"`, `"raw"`)
	for range 2 {
		text, isError := attempt(t, p, "browser_snapshot", nil)
		if !isError {
			t.Error("a call without an installation succeeded")
		}
		contains(t, text, "Playwright MCP", "not installed", "`playguard setup`")
	}
}

// A browser that is not where the user says: the call says which.
func TestMissingBrowser(t *testing.T) {
	pages := site.Start(t)
	s := newStage(t, harness.Setup{})
	s = restage(t, s, "PLAYWRIGHT_MCP_ARGS="+s.Args()+" --executable-path "+s.Temp+"/no-browser")
	p := s.Start()
	p.Init()
	contains(t, p.Result("tools/list", `{}`), `"browser_snapshot"`)
	text, isError := attempt(t, p, "browser_navigate", map[string]any{"url": pages.URL})
	if !isError {
		t.Error("a call without a browser succeeded")
	}
	contains(t, text, s.Temp+"/no-browser")
}

// After the end of Playwright MCP the open action is answered with what happened,
// and the next call works on a new one.
func TestServerKilled(t *testing.T) {
	pages := site.Start(t)
	s, p := open(t)
	navigate(t, p, pages.URL+"/index.html")
	old := s.made(t)
	before := processes.Below(p.Process().Pid)
	waiting := p.AskTool("browser_evaluate", `{"function":"() => { document.title = 'changed'; return new Promise(() => {}); }"}`)
	node := one(t, p.Process().Pid, "cli.js")
	if err := syscall.Kill(node.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	text, isError := harness.TextOf(t, p.Answer(waiting))
	if !isError {
		t.Error("the open call succeeded")
	}
	contains(t, text, "Playwright MCP ended during browser_evaluate", "is unknown", "Restored: "+pages.URL+"/index.html")
	navigate(t, p, pages.URL+"/form.html")
	contains(t, look(t, p, nil), "Registration")
	if again := one(t, p.Process().Pid, "cli.js"); again.PID == node.PID {
		t.Error("the killed process still serves")
	}
	s.lasts(t, func(name string) bool { return !slices.Contains(old, name) })
	var left []string
	for _, p := range processes.Running() {
		if slices.ContainsFunc(before, p.Is) {
			left = append(left, p.Command)
		}
	}
	if len(left) > 0 {
		t.Errorf("processes of the killed tree are left beside the new one:\n%s", strings.Join(left, "\n"))
	}
}

// What is in PlayGuard's environment reaches Playwright MCP and the browser only
// if the row allows it.
func TestEnvironment(t *testing.T) {
	pages := site.Start(t)
	_, p := open(t,
		"FIGMA_API_KEY=secret", "AWS_SECRET_ACCESS_KEY=secret", "GITHUB_TOKEN=secret", "CLAUDE_CODE_SESSION=secret",
		"LD_PRELOAD_NOTE=secret", "PLAYGUARD_PASS_ENV=ACME_*,ONE_MORE", "ACME_A=passes", "ACME_B=passes", "ONE_MORE=passes", "ONE_MORE_NOT=secret",
		"PLAYWRIGHT_MCP_VIEWPORT_SIZE=801x602", "LC_TIME=C", "npm_config_registry=http://127.0.0.1:1/")
	navigate(t, p, pages.URL+"/index.html")
	contains(t, call(t, p, "browser_evaluate", map[string]any{"function": "() => innerWidth + 'x' + innerHeight"}), "801x602")
	allowed := []string{
		"PATH", "HOME", "LANG", "LC_", "TZ", "TMPDIR", "TMP", "TEMP", "XDG_", "LOGNAME", "SHELL", "TERM", "USER",
		"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
		"npm_config_", "NPM_CONFIG_", "NODE_EXTRA_CA_CERTS", "NODE_OPTIONS", "NODE_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR",
		"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS",
		"PLAYWRIGHT_", "PWDEBUG", "PW_", "PWTEST_", "DEBUG", "DEBUG_COLORS", "CHROME_DEVEL_SANDBOX", "CHROME_CONFIG_HOME",
		"FONTCONFIG_", "LD_LIBRARY_PATH", "ACME_", "ONE_MORE", "PLAYGUARD_TREE",
	}
	env := string(one(t, p.Process().Pid, "cli.js").Environment())
	lacks(t, env, "secret")
	contains(t, "\x00"+env, "\x00ACME_A=passes\x00", "\x00ACME_B=passes\x00", "\x00ONE_MORE=passes\x00", "\x00LC_TIME=C\x00", "\x00npm_config_registry=", "\x00PATH=", "\x00HOME=")
	for entry := range strings.SplitSeq(strings.TrimSuffix(env, "\x00"), "\x00") {
		name, _, _ := strings.Cut(entry, "=")
		if !slices.ContainsFunc(allowed, func(a string) bool {
			return name == a || strings.HasSuffix(a, "_") && strings.HasPrefix(name, a)
		}) {
			t.Errorf("Playwright MCP gets %s", name)
		}
	}
}
