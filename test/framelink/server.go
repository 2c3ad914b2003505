package framelink

// The way from the server to the fake API: a CONNECT proxy, TLS, a CA.

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// Upstream is an API that figma-developer-mcp can be started against.
type Upstream struct {
	*API
	// Proxy is the address to give as --proxy.
	Proxy string
	// CA is a file with the certificate to trust.
	CA    string
	entry string
}

// Start starts an API and what leads to it. All of it ends with the test.
func Start(t testing.TB, files map[string][]byte) *Upstream {
	t.Helper()
	entry, err := Entry()
	if err != nil {
		t.Fatal(err)
	}
	api, err := NewAPI(files)
	if err != nil {
		t.Fatal(err)
	}
	ca, certificate, err := issue()
	if err != nil {
		t.Fatal(err)
	}
	u := &Upstream{API: api, entry: entry, CA: filepath.Join(t.TempDir(), "ca.pem")}
	if err := os.WriteFile(u.CA, ca, 0o600); err != nil {
		t.Fatal(err)
	}
	https := httptest.NewUnstartedServer(api)
	https.TLS = &tls.Config{Certificates: []tls.Certificate{certificate}}
	https.StartTLS()
	t.Cleanup(https.Close)
	proxy := &connectProxy{target: https.Listener.Addr().String()}
	front := httptest.NewServer(proxy)
	t.Cleanup(func() {
		front.Close()
		proxy.close()
	})
	u.Proxy = front.URL
	return u
}

// Env are the settings of a PlayGuard that starts the server.
func (u *Upstream) Env() []string {
	return []string{
		`FIGMA_MCP_CMD=node "` + u.entry + `"`, "FIGMA_MCP_ARGS=--stdio --proxy " + u.Proxy, "FIGMA_API_KEY=" + Token, "NODE_EXTRA_CA_CERTS=" + u.CA,
	}
}

// Command is the command line of the server itself, and its environment besides
// the process's own.
func (u *Upstream) Command(format string) (line, env []string) {
	return []string{"node", u.entry, "--stdio", "--proxy", u.Proxy}, []string{
		"FIGMA_API_KEY=" + Token, "NODE_EXTRA_CA_CERTS=" + u.CA, "OUTPUT_FORMAT=" + format, "FRAMELINK_TELEMETRY=off",
	}
}

// issue makes a CA and a certificate of it for Figma's host.
func issue() (caPEM []byte, certificate tls.Certificate, err error) {
	now := time.Now()
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, certificate, err
	}
	ca := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "PlayGuard's tests"}, NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	caDER, err := x509.CreateCertificate(rand.Reader, ca, ca, &caKey.PublicKey, caKey)
	if err != nil {
		return nil, certificate, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, certificate, err
	}
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "api.figma.com"}, DNSNames: []string{"api.figma.com"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.Add(24 * time.Hour), KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, leaf, ca, &key.PublicKey, caKey)
	if err != nil {
		return nil, certificate, err
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: caDER}), tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, nil
}

// connectProxy leads every tunnel to one address.
type connectProxy struct {
	target string

	mu    sync.Mutex
	open  []net.Conn
	pumps sync.WaitGroup
}

// ServeHTTP opens a tunnel.
func (p *connectProxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodConnect {
		http.Error(w, "only CONNECT", http.StatusMethodNotAllowed)
		return
	}
	server, err := net.Dial("tcp", p.target)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	client, buffered, err := w.(http.Hijacker).Hijack()
	if err != nil {
		server.Close()
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	p.mu.Lock()
	p.open = append(p.open, client, server)
	p.mu.Unlock()
	if _, err := io.WriteString(client, "HTTP/1.1 200 Connection established\r\n\r\n"); err != nil {
		client.Close()
		server.Close()
		return
	}
	pump := func(to, from net.Conn, r io.Reader) {
		_, _ = io.Copy(to, r) // either side may end the tunnel
		to.Close()
		from.Close()
	}
	p.pumps.Go(func() { pump(server, client, buffered) })
	p.pumps.Go(func() { pump(client, server, server) })
}

// close ends all tunnels.
func (p *connectProxy) close() {
	p.mu.Lock()
	for _, c := range p.open {
		c.Close()
	}
	p.mu.Unlock()
	p.pumps.Wait()
}
