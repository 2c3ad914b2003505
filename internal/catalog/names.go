package catalog

// This file makes names and texts that clients accept, and patterns of URIs.

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

const (
	// maxName leaves room for "mcp__playguard__" within the 64 characters that
	// clients allow a tool's name.
	maxName = 64 - len("mcp__playguard__")
	// maxText is what clients keep of a description or of the instructions.
	maxText = 2048
)

// safeName makes a name one that every client accepts: [A-Za-z0-9_-], at most
// maxName long. What had to be cut is told apart by a hash.
func safeName(name string) string {
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_' || r == '-' {
			return r
		}
		return '_'
	}, name)
	if len(safe) <= maxName {
		return safe
	}
	sum := sha256.Sum256([]byte(name))
	return safe[:maxName-7] + "_" + hex.EncodeToString(sum[:3])
}

// shorten cuts a text to what clients keep, at the end of a sentence, a line or a
// word.
func shorten(text string) string {
	const mark = " […]"
	if len(text) <= maxText {
		return text
	}
	cut := strings.ToValidUTF8(text[:maxText-len(mark)], "")
	end := len(cut)
	if i := lastSentence(cut); i > maxText/2 {
		end = i
	} else if i := strings.LastIndexByte(cut, ' '); i > maxText/2 {
		end = i
	}
	return strings.TrimRight(cut[:end], " \n") + mark
}

// lastSentence returns where the last sentence or line of text that is whole
// ends. A full stop counts only before white space: "e1.5" goes on.
func lastSentence(text string) int {
	for i := len(text) - 1; i > 0; i-- {
		space := text[i] == ' ' || text[i] == '\n'
		if text[i] == '\n' || space && strings.IndexByte(".!?", text[i-1]) >= 0 {
			return i
		}
	}
	return 0
}

// joinTexts joins paragraphs, leaving out empty ones.
func joinTexts(texts []string) string {
	var kept []string
	for _, t := range texts {
		if t = strings.TrimSpace(t); t != "" {
			kept = append(kept, t)
		}
	}
	return strings.Join(kept, "\n\n")
}

// templatePattern turns a URI template (RFC 6570) into a pattern that its URIs
// match. One of many megabytes is more than a pattern can be.
func templatePattern(text string) (*regexp.Regexp, error) {
	text = strings.ToValidUTF8(text, "\uFFFD") // nothing else can be in a pattern
	var b strings.Builder
	b.WriteString("^")
	for {
		literal, rest, found := strings.Cut(text, "{")
		expression, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			b.WriteString(regexp.QuoteMeta(text))
			return regexp.Compile(b.String() + "$")
		}
		b.WriteString(regexp.QuoteMeta(literal))
		if expression != "" && strings.IndexByte("+#/?&;.", expression[0]) >= 0 {
			b.WriteString(".*")
		} else {
			b.WriteString("[^/?#]+")
		}
		text = after
	}
}
