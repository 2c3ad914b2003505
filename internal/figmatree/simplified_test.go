package figmatree

// Modules 5, 8b and 8c on Framelink's shape.

import (
	"testing"
)

func TestRound(t *testing.T) {
	for in, want := range map[string]string{
		"1.3999999364217122em":  "1.4em",
		"1.3333333333333333em":  "1.33em",
		"-1.3999999364217122px": "-1.4px",
		"-0.045em":              "-0.045em", // two decimals would be 11 % off
		"0.0031415926":          "0.00314",
		"0.99999":               "1",
		"16":                    "16",
		"14.84":                 "14.84",
		"0px 4.000001px 4px rgba(0, 0, 0, 0.1199999)": "0px 4px 4px rgba(0, 0, 0, 0.12)",
		"linear-gradient(90deg, #FFF 33.33333%)":      "linear-gradient(90deg, #FFF 33.33%)",
		"v1.23456":                                    "v1.23456",
		"1.23456.7":                                   "1.23456.7",
		"1.2345678e-7":                                "1.2345678e-7",
		"Inter.Bold12345":                             "Inter.Bold12345",
		".12345":                                      ".12345",
		"":                                            "",
	} {
		if got := Round(in); got != want {
			t.Errorf("Round(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestSimplifiedModules(t *testing.T) {
	tests := []struct {
		name, in, want string
		counts         Counts
	}{
		{
			name: "5: the preview and the date go",
			in:   `{"metadata":{"name":"F","lastModified":"x","thumbnailUrl":"https://x"},"nodes":[{"id":"1:1","name":"lastModified"}],"globalVars":{"styles":{}}}`,
			want: `{"metadata":{"name":"F"},"nodes":[{"id":"1:1","name":"lastModified"}],"globalVars":{"styles":{}}}`, counts: Counts{MetaKeysDeleted: 2},
		},
		{
			name: "5: older versions have them beside the nodes",
			in:   `{"name":"F","lastModified":"x","thumbnailUrl":"https://x","nodes":[{"id":"1:1"}],"globalVars":{"styles":{}}}`,
			want: `{"name":"F","nodes":[{"id":"1:1"}],"globalVars":{"styles":{}}}`, counts: Counts{MetaKeysDeleted: 2},
		},
		{
			name: "8b: layouts that say nothing go, wherever they are",
			in: `{"nodes":[{"id":"1:1","layout":"layout_a","children":[{"id":"1:2","layout":{"mode":"none","sizing":{}}},{"id":"1:3","layout":"layout_b"},
				{"id":"1:4","layout":{"mode":"none","sizing":{},"dimensions":{"width":1}}},{"id":"1:5","template":"EL-1"}]}],
				"globalVars":{"styles":{"layout_a":{"mode":"none","sizing":{}},"layout_b":{"mode":"row","sizing":{}}}},"elements":{"EL-1":{"type":"TEXT","layout":"layout_a"}}}`,
			want: `{"nodes":[{"id":"1:1","children":[{"id":"1:2"},{"id":"1:3","layout":"layout_b"},` +
				`{"id":"1:4","layout":{"mode":"none","sizing":{},"dimensions":{"width":1}}},{"id":"1:5","template":"EL-1"}]}],` +
				`"globalVars":{"styles":{"layout_b":{"mode":"row","sizing":{}}}},"elements":{"EL-1":{"type":"TEXT"}}}`,
			counts: Counts{NoOpStyles: 4},
		},
		{
			name: "8c: styles are rounded, texts, names and ids are not",
			in: `{"nodes":[{"id":"1.33333:1","name":"1.33333em","type":"TEXT","text":"1.33333em","textStyle":"1.33333","opacity":0.333333,
				"componentProperties":{"a":"1.33333"},"fills":[{"type":"IMAGE","imageDownloadArguments":{"cropTransform":[[1.234567,0]]}}]}],
				"globalVars":{"styles":{"1.33333":{"lineHeight":"1.3333333em","fontSize":12.000001,"fontFamily":"F 1.23456"}}}}`,
			want: `{"nodes":[{"id":"1.33333:1","name":"1.33333em","type":"TEXT","text":"1.33333em","textStyle":"1.33333","opacity":0.333,` +
				`"componentProperties":{"a":"1.33333"},"fills":[{"type":"IMAGE","imageDownloadArguments":{"cropTransform":[[1.234567,0]]}}]}],` +
				`"globalVars":{"styles":{"1.33333":{"lineHeight":"1.33em","fontSize":12,"fontFamily":"F 1.23456"}}}}`,
			counts: Counts{Rounded: 3},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, counts := optimised(t, tt.in, Options{})
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
			if counts.WhitespaceBytes = 0; counts != tt.counts {
				t.Errorf("counted %+v", counts)
			}
		})
	}
}
