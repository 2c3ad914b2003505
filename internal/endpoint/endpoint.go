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
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return Endpoint{}, errors.New("plain http is only for this machine (localhost, 127.0.0.1, [::1]); use https")
	}
	u.Fragment = ""
	return Endpoint{u}, nil
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

// Host is the host's name, in lower case.
func (e Endpoint) Host() string { return strings.ToLower(e.url.Hostname()) }

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
