package agent

import "testing"

func TestSpellOut(t *testing.T) {
	for text, want := range map[string]string{
		"1000| Ada Adler|0| button Open [5]":         "1000 [2] Ada Adler [3] 0 [4] button Open [5]",
		" Mail| textbox Mail [2] Town [3]":           " Mail [1] textbox Mail [2] Town [3]",
		"checkbox Pick [3] Disk|5 GB [5]":            "checkbox Pick [3] Disk [4] 5 GB [5]",
		"Disk|[5]":                                   "Disk [4] [5]",
		"Run | npm install [5]":                      "Run | npm install [5]",
		"\"a|b\" [1] button Go [2] || link Home [3]": "\"a|b\" [1] button Go [2] || link Home [3]",
		"a| b\nc [3]":                                "a| b\nc [3]",
	} {
		if got := spellOut(text); got != want {
			t.Errorf("%q is spelled out as %q, not %q", text, got, want)
		}
	}
}
