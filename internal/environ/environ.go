// Package environ decides which environment variables an upstream gets: only
// those that its row allows, so that a key meant for one server never reaches
// another.
package environ

import (
	"path"
	"runtime"
	"strings"
)

// windows is runtime.GOOS where names have no case.
const windows = "windows"

// Base is what every upstream gets: what the MCP SDKs hand to a server by
// default on each system, what npm and Node need, and what decides about
// language, time, proxies, certificates and temporary files.
func Base() []string { return base(runtime.GOOS) }

func base(system string) []string {
	names := []string{
		"PATH", "HOME", "LANG", "LC_*", "TZ", "TMPDIR", "TMP", "TEMP", "XDG_*",
		"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "no_proxy", "all_proxy",
		"npm_config_*", "NPM_CONFIG_*", "NODE_EXTRA_CA_CERTS", "NODE_OPTIONS", "NODE_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR",
	}
	if system == windows {
		return append(names,
			"APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "ALLUSERSPROFILE", "HOMEDRIVE", "HOMEPATH", "USERNAME", "USERPROFILE", "USERDOMAIN",
			"SYSTEMDRIVE", "SYSTEMROOT", "WINDIR", "COMSPEC", "PATHEXT", "COMPUTERNAME", "OS",
			"PROCESSOR_ARCHITECTURE", "NUMBER_OF_PROCESSORS", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432", "COMMONPROGRAMFILES", "COMMONPROGRAMFILES(X86)")
	}
	return append(names, "LOGNAME", "SHELL", "TERM", "USER")
}

// Display is what a program with windows needs besides.
func Display() []string {
	return []string{"DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "DBUS_SESSION_BUS_ADDRESS"}
}

// Filter returns the entries of environ ("NAME=value") whose name matches one
// of the allowed names, which may hold globs (*). Names are compared without
// case on Windows. A value that is a shell function is left out, as in the SDKs.
func Filter(environ []string, allowed ...[]string) []string {
	return filter(runtime.GOOS, environ, allowed)
}

func filter(system string, environ []string, allowed [][]string) []string {
	var out []string
	for _, entry := range environ {
		// Windows has entries like =C:=C:\dir, which have no name.
		name, value, ok := strings.Cut(entry, "=")
		if !ok || name == "" || strings.HasPrefix(value, "()") {
			continue
		}
		if matches(system, name, allowed) {
			out = append(out, entry)
		}
	}
	return out
}

// Names returns the names of entries, for a key that must hold no values.
func Names(environ []string) []string {
	out := make([]string, len(environ))
	for i, entry := range environ {
		out[i], _, _ = strings.Cut(entry, "=")
	}
	return out
}

func matches(system, name string, allowed [][]string) bool {
	for _, patterns := range allowed {
		for _, p := range patterns {
			if system == windows {
				p, name = strings.ToUpper(p), strings.ToUpper(name)
			}
			// What is no pattern is compared as it is. A name with a slash, like
			// npm's per-registry tokens, is matched by no glob.
			if ok, err := path.Match(p, name); ok || err != nil && p == name {
				return true
			}
		}
	}
	return false
}
