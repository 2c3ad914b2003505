package bundle

// What is made of npm's output.

import (
	"strings"
	"testing"
)

func TestNPMError(t *testing.T) {
	tests := []struct {
		name, output string
		want         []string
		wantNot      []string
	}{
		{"refused", `npm http fetch GET 200 http://mirror.test/x
npm error code ECONNREFUSED
npm error syscall connect
npm error errno ECONNREFUSED
npm error FetchError: request to http://user:secret@mirror.test/axe-core failed, reason: connect ECONNREFUSED 127.0.0.1:9
npm error     at ClientRequest.emit (node:events:524:28) {
npm error   code: 'ECONNREFUSED',
npm error }
npm error
npm error If you are behind a proxy, please make sure that the 'proxy' config is set properly.
npm error A complete log of this run can be found in: /home/u/.npm/_logs/x.log`,
			[]string{"could not reach the package registry", "request to http://mirror.test/axe-core failed", "check the network"},
			[]string{"secret", "complete log", "node:events"}},
		{"name not found, older npm", "npm ERR! code ENOTFOUND\r\nnpm ERR! network request to http://r.test/x failed, reason: getaddrinfo ENOTFOUND r.test",
			[]string{"could not reach", "network request to"}, []string{"ERR!"}},
		{"disk full", "npm warn tar TAR_ENTRY_ERROR ENOSPC: no space left on device, write\nnpm error code ENOSPC\nnpm error nospc ENOSPC: no space left on device, write",
			[]string{"disk is full", "free 100 MB"}, nil},
		{"altered package", "npm error code EINTEGRITY\nnpm error sha512-a integrity checksum failed when using sha512: wanted sha512-a but got sha512-b. (10 bytes)",
			[]string{"not the pinned one", "npm cache clean"}, nil},
		{"not served", "npm error code E404\nnpm error 404 Not Found - GET http://r.test/axe-core - no such package available",
			[]string{"does not give out", "404 Not Found", "registry setting"}, nil},
		{"anything else", "npm error one\nnpm error two\nnpm error three\nnpm error four",
			[]string{"npm exited with status 7", "two / three / four"}, []string{"one"}},
		{"no error line", "Segmentation fault\n\n", []string{"npm: Segmentation fault"}, nil},
		{"silence", "", []string{"npm exited with status 7 while installing Playwright MCP"}, []string{"(npm:"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := npmError("exited with status 7", strings.Split(tt.output, "\n")).Error()
			for _, want := range append(tt.want, "then run: playguard setup") {
				if !strings.Contains(got, want) {
					t.Errorf("%q does not mention %q", got, want)
				}
			}
			for _, not := range tt.wantNot {
				if strings.Contains(got, not) {
					t.Errorf("%q mentions %q", got, not)
				}
			}
		})
	}
}

func TestFetched(t *testing.T) {
	for line, want := range map[string]string{
		"npm http fetch GET 200 https://r.test/axe-core/-/axe-core-4.14.1.tgz 217ms (cache miss)": "axe-core-4.14.1.tgz",
		"npm http fetch GET 200 https://r.test/@playwright%2fmcp 341ms (cache miss)":              "mcp",
		"npm http fetch GET 200 ://":          "",
		"npm error code ECONNREFUSED":         "",
		"added 4 packages in 3s":              "",
		"npm http fetch POST 200 https://x/y": "",
	} {
		if got := fetched(line); got != want {
			t.Errorf("fetched(%q) = %q, want %q", line, got, want)
		}
	}
}

func FuzzNPMError(f *testing.F) {
	f.Add("npm error code ENOSPC\nnpm ERR! x http://a:b@c/")
	f.Add("npm http fetch GET 200 http://r.test/%zz 1ms")
	f.Fuzz(func(t *testing.T, output string) {
		lines := strings.Split(output, "\n")
		for _, line := range lines {
			fetched(line)
		}
		got := npmError("exited with status 1", lines).Error()
		if !strings.HasSuffix(got, "then run: playguard setup") || strings.Contains(got, "\n") {
			t.Errorf("%q is no sentence with the command that repairs it", got)
		}
	})
}
