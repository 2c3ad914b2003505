package drill

// What pages store: all of it is saved and comes back, and saving disturbs nothing.

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/playguard/playguard/test/harness"
)

// richly fills the storage with all that a database may hold and that has a form,
// beside a key, which has none.
const richly = `async () => {
	localStorage.token = 'ada';
	const done = request => new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = () => reject(request.error); });
	const make = async (name, version, fill) => {
		const r = indexedDB.open(name, version);
		r.onupgradeneeded = () => fill(r.result);
		return done(r);
	};
	const secret = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, false, ['encrypt']);
	(await make('vault', 1, db => db.createObjectStore('keys'))).transaction('keys', 'readwrite').objectStore('keys').put(secret, 'one');
	await make('rich', 7, db => {
		const out = db.createObjectStore('values');
		const ring = { name: 'ring' };
		ring.self = ring;
		const put = [new Date(1e12), new Date(NaN), new Uint8Array([1, 255]), new Float64Array([1.5, NaN]), new BigInt64Array([5n]), new Uint8Array([9, 8]).buffer,
			new Uint16Array(new Uint16Array([1, 2, 3]).buffer, 2, 1), new Map([[{ k: 1 }, new Set([1, 'a'])]]), ring, /a\/b/gi, 10n, NaN, -0, -Infinity, null, undefined, 0, '', false,
			{ a: [1, { b: null, c: undefined, d: new Date(5) }], ref: 1, v: 'NaN', o: [] }, { ref: 2, d: 'x' }, new TypeError('bad')];
		put.forEach((value, i) => out.put(value, i));
		for (const key of [new Date(77), [1, 'a', new Date(3)], new Uint8Array([7]).buffer, -Infinity, [1, [2]], 'text'])
			out.put('key', key);
		const items = db.createObjectStore('items', { keyPath: 'id', autoIncrement: true });
		for (let i = 0; i < 250; i++)
			items.put({ n: i, tags: ['t' + i % 3], at: { x: i } });
		items.createIndex('n', 'n', { unique: true });
		items.createIndex('tags', 'tags', { multiEntry: true });
		items.createIndex('both', ['n', 'at.x']);
		db.createObjectStore('pairs', { keyPath: ['a', 'b.c'] }).put({ a: 1, b: { c: 'x' } });
		const counted = db.createObjectStore('counted', { autoIncrement: true });
		counted.put('one');
		counted.put('two');
		db.createObjectStore('empty');
	});
}`

// described says all of it, and what number comes next.
const described = `async () => {
	const done = request => new Promise((resolve, reject) => { request.onsuccess = () => resolve(request.result); request.onerror = () => reject(request.error); });
	const say = (v, seen = []) => {
		if (typeof v !== 'object' || v === null)
			return typeof v + (Object.is(v, -0) ? '-0' : String(v));
		if (seen.includes(v))
			return '#' + seen.indexOf(v);
		seen.push(v);
		const kind = Object.prototype.toString.call(v).slice(8, -1), list = all => '(' + Array.from(all, e => say(e, seen)) + ')';
		switch (kind) {
			case 'Date': return kind + +v;
			case 'RegExp': return kind + v;
			case 'Error': return v.name + v.message;
			case 'ArrayBuffer': return kind + list(new Uint8Array(v));
			case 'Object': return '{' + Object.keys(v).map(k => k + ':' + say(v[k], seen)) + '}';
		}
		return kind + list(v);
	};
	const out = [JSON.stringify(localStorage)];
	const db = await done(indexedDB.open('rich'));
	out.push(db.version);
	for (const name of db.objectStoreNames) {
		const store = db.transaction(name).objectStore(name);
		out.push(name + JSON.stringify(store.keyPath) + store.autoIncrement);
		for (const each of store.indexNames) {
			const { keyPath, unique, multiEntry } = store.index(each);
			out.push(each + JSON.stringify(keyPath) + unique + multiEntry);
		}
		const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
		out.push(keys.length + ' records');
		keys.forEach((key, i) => { if (keys.length < 50 || i % 50 === 7) out.push(say(key) + '=' + say(values[i])); });
		if (store.autoIncrement) {
			const changing = db.transaction(name, 'readwrite');
			out.push('next ' + await done(changing.objectStore(name).put({})));
			changing.abort();
		}
	}
	db.close();
	return out.join('\n');
}`

// What pages had stored is the same in the next browser, of origins that no tab shows
// any more, too; a key, of which nothing can be saved, costs nothing else.
func TestStorageComesBackTheSame(t *testing.T) {
	t.Parallel()
	s, one, other := onTwoSites(t)
	s.call("browser_navigate", map[string]any{"url": one})
	s.call("browser_evaluate", map[string]any{"function": richly})
	want := description(s)
	s.awaitSaved(`"rich"`, "ada")
	lacks(t, s.saved(), "vault")
	s.call("browser_navigate", map[string]any{"url": other})
	s.call("browser_evaluate", map[string]any{"function": "() => { localStorage.second = 'here'; }"})
	s.awaitSaved(`"rich"`, "second")
	// A page that says that it is another one changes nothing of that.
	s.call("browser_evaluate", map[string]any{"function": "() => { self.origin = '" + strings.TrimSuffix(one, "/") + "'; localStorage.lie = 'told'; }"})
	s.awaitSaved("told")
	s.die(browsers(below(s.Process().Pid)))
	contains(t, s.call("browser_evaluate", map[string]any{"function": "() => 'second ' + localStorage.second"}), "second here")
	s.call("browser_navigate", map[string]any{"url": one})
	if got := description(s); got != want {
		t.Errorf("restored is\n%s\nnot\n%s", got, want)
	}
	// The server is another one, too.
	s.call("browser_navigate", map[string]any{"url": other})
	s.die(node(below(s.Process().Pid)))
	s.call("browser_navigate", map[string]any{"url": one})
	if got := description(s); got != want {
		t.Errorf("the second time restored is\n%s\nnot\n%s", got, want)
	}
	s.End()
}

// description is the evaluated description, without what PlayGuard says beside it.
func description(s *session) string {
	s.t.Helper()
	text := s.call("browser_evaluate", map[string]any{"function": described})
	m := regexp.MustCompile(`(?s)"\{.*?[^\\]"`).FindString(text)
	if !strings.Contains(m, "next") {
		s.t.Fatalf("there is no description in %s", text)
	}
	return m
}

// onTwoSites starts a session and serves empty pages of two origins.
func onTwoSites(t *testing.T) (s *session, one, other string) {
	t.Helper()
	app := serveApp(t)
	return start(t, app, "--isolated"), emptyPages(t), emptyPages(t)
}

// emptyPages serves them until the end of the test.
func emptyPages(t *testing.T) (url string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { write(w, "Page "+r.URL.RawQuery, "") }))
	t.Cleanup(server.Close)
	return server.URL + "/"
}

// What the browser was given to begin with is there in the next one, too, also of an
// origin that was never shown; what was changed of it since stays changed.
func TestInitialStorage(t *testing.T) {
	t.Parallel()
	app := serveApp(t)
	one, other := emptyPages(t), emptyPages(t)
	entry := func(url string) string {
		return `{"origin":"` + strings.TrimSuffix(url, "/") + `","localStorage":[{"name":"given","value":"at first"}]}`
	}
	file := filepath.Join(t.TempDir(), "initial.json")
	if err := os.WriteFile(file, []byte(`{"cookies":[],"origins":[`+entry(one)+`,`+entry(other)+`]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s := start(t, app, "--isolated --storage-state "+file)
	read := "() => 'it is ' + localStorage.given"
	s.call("browser_navigate", map[string]any{"url": one})
	contains(t, s.call("browser_evaluate", map[string]any{"function": read}), "it is at first")
	s.awaitSaved("given")
	s.call("browser_evaluate", map[string]any{"function": "() => { localStorage.clear(); document.cookie = 'out=1'; }"})
	s.awaitSaved(`"out"`)
	s.die(browsers(below(s.Process().Pid)))
	contains(t, s.call("browser_evaluate", map[string]any{"function": read}), "it is undefined")
	s.call("browser_navigate", map[string]any{"url": other})
	contains(t, s.call("browser_evaluate", map[string]any{"function": read}), "it is at first")
	s.End()
}

// Pages that are opened while the storage is saved are tabs like all others.
func TestSavingHidesNoPage(t *testing.T) {
	t.Parallel()
	s, one, other := onTwoSites(t)
	s.call("browser_navigate", map[string]any{"url": one})
	s.call("browser_evaluate", map[string]any{"function": "() => { localStorage.first = '1'; }"})
	s.awaitSaved("first")
	s.call("browser_navigate", map[string]any{"url": other})
	saves := strings.Count(s.Stderr(), savedNote)
	s.call("browser_evaluate", map[string]any{"function": `() => { let n = 0; const timer = setInterval(() => {
		localStorage.n = ++n; fetch('/?ping'); open('/?popup' + n, '_blank', 'noopener'); if (n === 6) clearInterval(timer); }, 430); }`})
	s.awaitSaved(`"6"`)
	list, popups := "", []string{"?popup1)", "?popup2)", "?popup3)", "?popup4)", "?popup5)", "?popup6)"}
	for deadline := time.Now().Add(harness.Patience); !hasAll(list, popups...) && time.Now().Before(deadline); {
		list = s.call("browser_tabs", map[string]any{"action": "list"})
	}
	contains(t, list, popups...)
	if n := strings.Count(s.Stderr(), savedNote) - saves; n < 2 {
		t.Errorf("the storage was saved only %d times meanwhile", n)
	}
	s.End()
}

func hasAll(text string, parts ...string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(text, part) })
}

// A page that stands still behind a dialog does not keep the rest from being saved,
// and what was saved of it stays.
func TestSavingBesideADialog(t *testing.T) {
	t.Parallel()
	s, one, other := onTwoSites(t)
	s.call("browser_navigate", map[string]any{"url": one})
	s.call("browser_evaluate", map[string]any{"function": "() => { localStorage.first = 'kept'; }"})
	s.awaitSaved("kept")
	s.call("browser_evaluate", map[string]any{"function": "() => { setTimeout(() => alert('wait'), 0); }"})
	s.call("browser_tabs", map[string]any{"action": "new", "url": other})
	s.call("browser_evaluate", map[string]any{"function": "() => { localStorage.second = 'also'; document.cookie = 'late=1'; }"})
	s.awaitSaved("kept", "also", "late")
	s.End()
}

// A login that a page makes by itself, without asking its server for anything, is
// saved when a look has shown it.
func TestSeenChangeIsSaved(t *testing.T) {
	t.Parallel()
	s, one, _ := onTwoSites(t)
	s.call("browser_navigate", map[string]any{"url": one})
	s.call("browser_evaluate", map[string]any{"function": `() => { setTimeout(() => { localStorage.token = 'ada'; document.body.append('Welcome'); }, 2500); }`})
	s.awaitSaved(`"cookies"`)
	for deadline := time.Now().Add(harness.Patience); ; {
		if strings.Contains(s.call("browser_snapshot", map[string]any{"full": true}), "Welcome") {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("the page does not log in")
		}
	}
	s.awaitSaved("ada")
	s.End()
}

// What the current tab has stored gets to another tab of the same site some time later;
// it is saved all the same, as it was last.
func TestSavedAsTheCurrentTabHasIt(t *testing.T) {
	t.Parallel()
	app := Serve()
	t.Cleanup(app.Close)
	s := start(t, app, "--isolated")
	s.logIn()
	s.newTab("/work?k=second")
	between := pick(below(s.Process().Pid), func(p process) bool { return strings.Contains(p.command, "storage.mojom.StorageService") })
	if len(between) == 0 {
		t.Fatal("there is no process that passes on what is stored")
	}
	signal(between, syscall.SIGSTOP)
	defer signal(between, syscall.SIGCONT)
	s.call("browser_evaluate", map[string]any{"function": "() => { localStorage.basket = 'apples and more'; }"})
	s.awaitSaved(`"apples and more"`)
	s.End()
}
