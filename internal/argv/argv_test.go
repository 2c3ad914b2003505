package argv

// The quoting rule, the option spellings, and a fuzz target for both.

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"empty", "", nil},
		{"only spaces", " \t\n ", nil},
		{"words", "  -y  chrome-devtools-mcp@latest ", []string{"-y", "chrome-devtools-mcp@latest"}},
		{"double quotes", `--storage-state "/tmp/my state.json" --headless`, []string{"--storage-state", "/tmp/my state.json", "--headless"}},
		{"single quotes", `--user-agent 'A "B" C'`, []string{"--user-agent", `A "B" C`}},
		{"quotes inside an argument", `--dir="C:\My Files"\x`, []string{`--dir=C:\My Files\x`}},
		{"backslash is no escape", `"C:\Program Files\" C:\a\b`, []string{`C:\Program Files\`, `C:\a\b`}},
		{"empty argument", `--proxy "" ''`, []string{"--proxy", "", ""}},
		{"both kinds of quote in one argument", `"it's "'"so"'`, []string{`it's "so"`}},
		{"other characters", "--name=Zoë --x=\u00a0y", []string{"--name=Zoë", "--x=\u00a0y"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Split(tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Split(%q) (-want +got):\n%s", tt.in, diff)
			}
		})
	}
}

func TestSplitUnclosedQuote(t *testing.T) {
	for _, in := range []string{`--a "b c`, `'`, `don't`, `"a" "`} {
		args, err := Split(in)
		if err == nil || args != nil {
			t.Errorf("Split(%q) = %q, %v, want an error and no arguments", in, args, err)
			continue
		}
		if !strings.Contains(err.Error(), "never closed") {
			t.Errorf("Split(%q) error %q does not say what is wrong", in, err)
		}
	}
}

func TestCommand(t *testing.T) {
	isFile := func(path string) bool { return path == `C:\Program Files\nodejs\node.exe` }
	tests := []struct {
		in   string
		want []string
	}{
		{` C:\Program Files\nodejs\node.exe `, []string{`C:\Program Files\nodejs\node.exe`}},
		{`"C:\Program Files\nodejs\node.exe" cli.js`, []string{`C:\Program Files\nodejs\node.exe`, "cli.js"}},
		{"npx -y x@latest", []string{"npx", "-y", "x@latest"}},
		{"", nil},
	}
	for _, tt := range tests {
		got, err := Command(tt.in, isFile)
		if err != nil {
			t.Errorf("Command(%q): %v", tt.in, err)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("Command(%q) (-want +got):\n%s", tt.in, diff)
		}
	}
}

func TestFlag(t *testing.T) {
	tests := []struct {
		name, args, flag string
		value            string
		given            bool
	}{
		{"absent", "--headless --browser firefox", "output-dir", "", false},
		{"separate value", "--output-dir /x --headless", "output-dir", "/x", true},
		{"inline value", "--output-dir=/x", "output-dir", "/x", true},
		{"empty inline value", "--output-dir=", "output-dir", "", true},
		{"value with equals sign", "--init=a=b", "init", "a=b", true},
		{"bare", "--headless", "headless", "", true},
		{"bare before an option", "--headless --isolated", "headless", "", true},
		{"negated", "--no-usage-statistics", "usage-statistics", "false", true},
		{"false", "--usage-statistics=false", "usage-statistics", "false", true},
		{"camel case", "--executablePath /c", "executable-path", "/c", true},
		{"camel case asked", "--executable-path /c", "executablePath", "/c", true},
		{"negated camel case", "--no-usageStatistics", "usage-statistics", "false", true},
		{"all camel case", "--noUsageStatistics", "usage-statistics", "false", true},
		{"last wins", "--browser a --browser=b", "browser", "b", true},
		{"a value is no option", "run browser x", "browser", "", false},
		{"after the terminator", "-- --headless", "headless", "", false},
		{"single dash", "-headless", "headless", "", false},
		{"prefix only", "--output-dirs /x", "output-dir", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			value, given := Flag(strings.Fields(tt.args), tt.flag)
			if value != tt.value || given != tt.given {
				t.Errorf("Flag(%q, %q) = %q, %v, want %q, %v", tt.args, tt.flag, value, given, tt.value, tt.given)
			}
		})
	}
}

func TestHas(t *testing.T) {
	args := []string{"--filesystemRoot", "/x"}
	if !Has(args, "workspace", "filesystem-root") {
		t.Error("Has misses the second of two names")
	}
	if Has(args, "workspace") || Has(args) {
		t.Error("Has reports an option that is not there")
	}
}

// quote writes one argument so that Split reads it back: double quotes around
// everything except double quotes, which go into single ones.
func quote(arg string) string {
	return `"` + strings.ReplaceAll(arg, `"`, `"'"'"`) + `"`
}

func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"", "a b", `"a b" 'c'`, `--x="y z"`, `"`, `C:\a\`, "'\"'", "\x00\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		args, err := Split(s)
		if err != nil {
			if strings.Count(s, `"`) == 0 && strings.Count(s, `'`) == 0 {
				t.Fatalf("Split(%q) fails without a quote in it: %v", s, err)
			}
			return
		}
		for _, name := range args {
			Flag(args, name)
		}
		quoted := make([]string, len(args))
		for i, arg := range args {
			quoted[i] = quote(arg)
		}
		again, err := Split(strings.Join(quoted, " "))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(args, again); diff != "" {
			t.Errorf("arguments of %q change when quoted and split again:\n%s", s, diff)
		}
		one, err := Split(quote(s))
		if err != nil || len(one) != 1 || one[0] != s {
			t.Errorf("Split of the quoted text %q = %q, %v", s, one, err)
		}
	})
}
