package figmadesktop

import (
	"net"
	"strings"
	"testing"

	"github.com/playguard/playguard/internal/endpoint"
)

// The row connects when the app is there, says how to turn it on when it is not,
// and never says the credentials.
func TestSpec(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at, err := endpoint.Parse("http://me:hunter2@" + listener.Addr().String() + "/mcp?key=hunter2")
	if err != nil {
		t.Fatal(err)
	}
	spec := Spec(at)
	cmd, err := spec.Launch(t.Context())
	if err != nil || !cmd.At.Equal(at) {
		t.Errorf("it gives %v, %v", cmd, err)
	}
	listener.Close()
	_, err = spec.Launch(t.Context())
	if err == nil || !strings.Contains(err.Error(), "nothing answers at http://127.0.0.1") {
		t.Fatalf("a closed app gives %v", err)
	}
	if said := err.Error() + strings.Join(spec.Key, " ") + spec.Hint; strings.Contains(said, "hunter2") || !strings.Contains(said, "Enable desktop MCP server") {
		t.Errorf("the row says %s", said)
	}
	if spec.Handler != nil || spec.RewriteTool != nil || spec.Eager {
		t.Error("its answers must pass whole")
	}
}
