// Package endpoint decides which HTTP addresses PlayGuard connects to, and how
// they are named in messages: without the credentials that they may hold.
package endpoint

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// Endpoint is the address of a server that speaks MCP over HTTP.
type Endpoint struct {
	url *url.URL
}

// Parse reads an address. Plain http is only for this machine, because what
// is sent may be secret; everything else needs https. The error never repeats
// the address.
func Parse(raw string) (Endpoint, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	switch {
	case err != nil:
		return Endpoint{}, errors.New("it is no URL")
	case u.Scheme != "http" && u.Scheme != "https":
		return Endpoint{}, errors.New("it does not begin with http:// or https://")
	case u.Hostname() == "":
		return Endpoint{}, errors.New("it names no host")
	case !ascii(u.Hostname()):
		// What such a name is mapped to is not what a reader sees.
		return Endpoint{}, errors.New("its host is not written in ASCII; use the form that begins with xn--")
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return Endpoint{}, errors.New("plain http is only for this machine (localhost, 127.0.0.1, [::1]); use https")
	}
	u.Fragment = ""
	return Endpoint{u}, nil
}

// HostOf is the host of an address as it is looked up: in lower case, with plain
// letters and dots (UTS 46 maps the wide ones to them), without the dot at the
// end. The scheme may be missing. It is empty where there is no host.
func HostOf(raw string) string {
	raw = strings.TrimSpace(raw)
	if scheme, rest, ok := strings.Cut(raw, "//"); ok && !strings.ContainsAny(scheme, "/?#") {
		raw = rest
	}
	u, err := url.Parse("//" + raw)
	if err != nil {
		return ""
	}
	host := strings.Map(func(r rune) rune {
		switch {
		case r == '\u3002' || r == '\uFF61': // ideographic full stops
			return '.'
		case r >= '\uFF01' && r <= '\uFF5E': // wide forms of ASCII
			return r - 0xFEE0
		case r == '\u00AD' || r >= '\u200B' && r <= '\u200D' || r == '\u2060' || r == '\uFEFF': // not seen
			return -1
		}
		return r
	}, u.Hostname())
	return strings.TrimRight(strings.ToLower(host), ".")
}

func ascii(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > 0x7E })
}

func loopback(host string) bool {
	if strings.EqualFold(strings.TrimSuffix(host, "."), "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// URL is the whole address, for connecting.
func (e Endpoint) URL() string {
	if e.url == nil {
		return ""
	}
	return e.url.String()
}

// Equal reports whether two addresses are the same.
func (e Endpoint) Equal(other Endpoint) bool { return e.URL() == other.URL() }

// IsZero reports whether there is no address.
func (e Endpoint) IsZero() bool { return e.url == nil }

// Loopback reports whether the server is on this machine.
func (e Endpoint) Loopback() bool { return loopback(e.url.Hostname()) }

// Dial is host and port to connect to.
func (e Endpoint) Dial() string {
	port := e.url.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[e.url.Scheme]
	}
	return net.JoinHostPort(e.url.Hostname(), port)
}

// String is how messages name the server: scheme, host and port. User, path and
// query may all hold a key.
func (e Endpoint) String() string {
	if e.url == nil {
		return "(no address)"
	}
	return fmt.Sprintf("%s://%s", e.url.Scheme, e.url.Host)
}

const (
	// minSecret is the shortest value that is hidden wherever it stands: replacing
	// shorter ones would only garble a text.
	minSecret = 4
	// minSegment is how long a part of the path with a digit in it is that may be
	// a key, minWord how long one without: "mcp" and "messages" are words.
	minSegment, minWord = 8, 16
)

// Redact returns a text from elsewhere without the credentials that the address
// holds: user, password, the values of the query and what may be a key in the
// path. The text is no JSON: a value may be a key of it as well.
func (e Endpoint) Redact(text string) string {
	if e.url == nil {
		return text
	}
	var secrets []string
	add := func(s string) {
		for _, form := range []string{s, url.QueryEscape(s), url.PathEscape(s)} {
			if len(form) >= minSecret {
				secrets = append(secrets, form)
			}
		}
	}
	short := ""
	if user := e.url.User; user != nil {
		add(user.String())
		add(user.Username())
		password, _ := user.Password()
		add(password)
		if len(password) < minSecret {
			short = password
		}
	}
	add(e.url.RawQuery)
	for _, values := range e.url.Query() {
		for _, v := range values {
			add(v)
		}
	}
	for segment := range strings.SplitSeq(e.url.EscapedPath(), "/") {
		if len(segment) >= minWord || len(segment) >= minSegment && strings.ContainsAny(segment, "0123456789") {
			secrets = append(secrets, segment)
			if plain, err := url.PathUnescape(segment); err == nil {
				add(plain)
			}
		}
	}
	// The longest first: one secret may be a part of another.
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) })
	for _, s := range secrets {
		text = strings.ReplaceAll(text, s, "…")
	}
	if short != "" { // only where it is a word of its own
		text = regexp.MustCompile(`(^|\W)`+regexp.QuoteMeta(short)+`(\W|$)`).ReplaceAllString(text, "$1…$2")
	}
	return text
}
