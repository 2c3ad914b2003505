//go:build linux

package drill

// What counts as a right answer.

import "testing"

// Beside a call that moves the page a look may show where it leads to, and nothing
// else.
func TestRight(t *testing.T) {
	look, submit := beside[0], call{name: "submit", posts: "submit"}
	for _, c := range []struct {
		text         string
		alone, moved bool
	}{
		{"heading Work n1", true, true},
		{"heading Done n1", false, true},
		{"heading Home", false, true},
		{"heading Done n2", false, false},
		{"URL: about:blank", false, false},
		{"URL: http://127.0.0.1:1/login\nheading Work n1", false, false},
		{"button Log in", false, false},
		{"", false, false},
	} {
		if got := (plan{calls: []call{look}}).right(look, "n1", c.text); got != c.alone {
			t.Errorf("alone %q is right: %v", c.text, got)
		}
		if got := (plan{calls: []call{look, submit}}).right(look, "n1", c.text); got != c.moved {
			t.Errorf("beside a call that moves %q is right: %v", c.text, got)
		}
	}
}

// Each kind of fault, of page and of a second fault is among the drills of CI,
// whatever the seed.
func TestDrawn(t *testing.T) {
	for seed := range uint64(20) {
		var second, late, port bool
		for number := range 60 {
			p := draw(seed, number)
			second, late, port = second || p.second != "", late || p.page != "", port || p.fault == closePort
			if (p.fault == closePort) && !remote(number) {
				t.Errorf("%s: there is no port to close", p)
			}
			if p.fault == killOne && p.tabs == 0 {
				t.Errorf("%s: there is no other tab", p)
			}
		}
		if !second || !late || !port {
			t.Errorf("seed %d draws a second fault %v, a late page %v, a closed port %v", seed, second, late, port)
		}
	}
}
