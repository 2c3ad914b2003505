package environ

// Which variables pass, and that no secret does.

import (
	"slices"
	"strings"
	"testing"
)

// secrets are names of the kind that must not reach a server that has no
// business with them.
func secrets() []string {
	return []string{
		"FIGMA_API_KEY", "OPENAI_API_KEY", "ANTHROPIC_API_KEY", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "GITHUB_TOKEN", "NPM_TOKEN", "NODE_AUTH_TOKEN",
		"GOOGLE_APPLICATION_CREDENTIALS", "DATABASE_URL", "SSH_AUTH_SOCK", "PGPASSWORD", "PLAYGUARD_DEBUG", "MY_PATH", "PATHS", "HOMEX", "XPATH",
		"USERX", "LC", "XDG", "lc_all", "Path2", "npm_config_//registry.example/:_authToken", "LD_PRELOAD", "BASH_ENV",
	}
}

func entries(names []string) []string {
	var out []string
	for _, name := range names {
		out = append(out, name+"=value of "+name)
	}
	return out
}

func TestNoOtherNameArrives(t *testing.T) {
	allowed := []string{
		"PATH", "HOME", "LANG", "LC_ALL", "LC_TIME", "TZ", "TMPDIR", "XDG_CONFIG_HOME", "https_proxy", "NO_PROXY",
		"npm_config_cache", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "DISPLAY", "XAUTHORITY", "OWN_KEY", "OWN_PREFIX_A", "PASSED",
	}
	for _, system := range []string{"linux", "darwin", windows} {
		environment := slices.Concat(entries(secrets()), entries(allowed))
		got := Names(filter(system, environment, [][]string{base(system), Display(), {"OWN_KEY", "OWN_PREFIX_*"}, {"PASSED"}}))
		want := allowed
		if system == windows { // without case, lc_all is one of the family
			want = append([]string{"lc_all"}, allowed...)
		}
		if !slices.Equal(got, want) {
			t.Errorf("on %s: %q, want %q", system, got, want)
		}
	}
}

func TestFilterKeepsEntriesAsTheyAre(t *testing.T) {
	environment := []string{"A=1", "B=x=y=z", "C=", "D", "=E=1", "A=2", "F=() { :; }", "G=()", "H=(x)", "", "=", "I=a\nb"}
	got := Filter(environment, []string{"*"})
	want := []string{"A=1", "B=x=y=z", "C=", "A=2", "H=(x)", "I=a\nb"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := Filter(environment); got != nil {
		t.Errorf("nothing is allowed, and %q came", got)
	}
	if got := Filter(environment, nil, []string{}); got != nil {
		t.Errorf("nothing is allowed, and %q came", got)
	}
}

func TestGlobs(t *testing.T) {
	for _, c := range []struct {
		pattern string
		yes, no []string
	}{
		{"A_*", []string{"A_", "A_B", "A_B_C"}, []string{"A", "BA_B", "a_b"}},
		{"*_A", []string{"_A", "B_A"}, []string{"A", "B_AB"}},
		{"A*Z", []string{"AZ", "ABZ"}, []string{"A", "AZB"}},
		{"A", []string{"A"}, []string{"AB", "a", ""}},
		{"A?", []string{"AB"}, []string{"A", "ABC"}},
		{"A[", []string{"A["}, []string{"A", "A[B"}}, // no pattern, so it is a name
		{"PROGRAMFILES(X86)", []string{"PROGRAMFILES(X86)"}, []string{"PROGRAMFILES"}},
		{"", nil, []string{"A"}},
	} {
		for _, name := range c.yes {
			if filter("linux", []string{name + "=1"}, [][]string{{c.pattern}}) == nil {
				t.Errorf("%q does not let %q pass", c.pattern, name)
			}
		}
		for _, name := range c.no {
			if filter("linux", []string{name + "=1"}, [][]string{{c.pattern}}) != nil {
				t.Errorf("%q lets %q pass", c.pattern, name)
			}
		}
	}
}

func TestWindows(t *testing.T) {
	environment := []string{`=C:=C:\dir`, "Path=p", "SystemRoot=r", "ProgramFiles(x86)=f", "LocalAppData=l", "windir=w", "ComSpec=c", "Figma_Api_Key=secret", "Own_Key=k", "TERM=t"}
	got := Names(filter(windows, environment, [][]string{base(windows), {"own_*"}}))
	want := []string{"Path", "SystemRoot", "ProgramFiles(x86)", "LocalAppData", "windir", "ComSpec", "Own_Key"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, system := range []string{"linux", "darwin"} {
		if got := Names(filter(system, environment, [][]string{base(system)})); !slices.Equal(got, []string{"TERM"}) {
			t.Errorf("on %s: %q", system, got)
		}
	}
}

func TestWhatAProgramNeedsIsThere(t *testing.T) {
	// What the SDKs pass by default (TypeScript SDK, getDefaultEnvironment).
	needs := map[string]string{
		"linux":  "HOME LOGNAME PATH SHELL TERM USER",
		windows:  "APPDATA HOMEDRIVE HOMEPATH LOCALAPPDATA PATH PROCESSOR_ARCHITECTURE SYSTEMDRIVE SYSTEMROOT TEMP USERNAME USERPROFILE PROGRAMFILES",
		"darwin": "HOME LOGNAME PATH SHELL TERM USER TMPDIR",
	}
	for system, names := range needs {
		for name := range strings.FieldsSeq(names) {
			if !slices.Contains(base(system), name) {
				t.Errorf("%s is missing on %s", name, system)
			}
		}
	}
}

func TestNamesHoldNoValues(t *testing.T) {
	if got := Names([]string{"A=secret", "B=x=secret", "C="}); !slices.Equal(got, []string{"A", "B", "C"}) {
		t.Errorf("%q", got)
	}
	if got := Names(nil); len(got) != 0 {
		t.Errorf("%q", got)
	}
}
