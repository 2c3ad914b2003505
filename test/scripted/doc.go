// What a script can say.

// Package scripted is a fake MCP server over stdio whose every byte is decided
// by a script: the upstream of PlayGuard's tests and of its benchmark.
//
// It is written line by line, without an MCP library, so that it can send what
// no library would: unknown members, broken lines, two answers, none at all.
// It shares no code with the product, so that a mistake there cannot hide here.
// A small call costs it a few microseconds.
//
// # Running it
//
//	scripted                    every built-in tool, no faults
//	scripted -script FILE       the script of FILE
//	scripted -e '{"name":"b"}'  the script given inline
//
// Other arguments are passed over: they are meant for the server it stands in for.
//
// Tests compile it once with [Build]. It ends at the end of its input, after
// lifeSeconds at the latest, so that no test can leave it behind.
//
// # The script
//
// A script is one JSON object; every member may be left out, and an unknown one
// is an error.
//
//	name, version     serverInfo (default "scripted", "1")
//	capabilities      raw JSON; by default derived from what is listed
//	instructions      text
//	tools             raw JSON entries of tools/list, kept byte for byte
//	resources         the same for resources/list
//	resourceTemplates the same for resources/templates/list
//	prompts           the same for prompts/list
//	builtins          names of built-in tools to list after tools. Left out, all
//	                  are listed if tools is left out too, else none. A built-in
//	                  can be called whether it is listed or not
//	prefix            put before the name of every built-in tool
//	pageSize          entries per page of every list; 0 puts all on one page
//	bigBytes          default size of the answer of big (default 316000)
//	calls             tool name → reply
//	reads             resource URI → reply to resources/read
//	gets              prompt name → reply to prompts/get
//	methods           method of a request or notification → reply
//	start             steps to take before the first line is read
//	eof               steps to take when the input has ended, before exiting 0
//	afterCalls        {"count":N,"do":steps}: taken once the Nth tools/call is
//	                  answered, or is waiting
//	record            false keeps no received lines (for measurements)
//	ignoreSignals     true survives SIGINT, SIGTERM and SIGHUP
//	logFile           file to which every received line is appended
//	startFile         file to which each start appends a line with its process
//	                  id; the number of lines is the number of this start
//	lifeSeconds       the process ends itself after this time (default 300)
//
// # Replies and steps
//
// A reply is a list of steps, taken in order. An empty list never answers. A
// step is an object with exactly one of these members:
//
//	{"default":true}        what would be answered had the script said nothing
//	{"result":RAW}          {"jsonrpc":"2.0","id":…,"result":RAW}
//	{"error":RAW}           the same with error
//	{"text":"…"}            a result with one text content
//	{"big":BYTES}           a result whose JSON-quoted text, shaped like a page
//	                        snapshot, has exactly so many bytes (at least 256)
//	{"reply":"echo"}        the result of the built-in tool of that name
//	{"line":"…"}            the text and a newline, whatever it is
//	{"write":"…"}           the text without a newline: half a line
//	{"base64":"…"}          the bytes without a newline: invalid UTF-8
//	{"progress":{…}}        notifications/progress with the caller's token before
//	                        the members given; nothing if there is no token
//	{"notify":{"method":"…","params":RAW}}
//	{"request":{"id":RAW,"method":"…","params":RAW}}
//	                        asks the client and waits for its answer
//	                        ("wait":false goes on at once)
//	{"setTools":[RAW,…]}    replaces the tools list (built-ins included)
//	{"delayMs":N}           waits; other requests go on being answered
//	{"awaitCancel":true}    waits until this request is cancelled
//	{"hang":true}           stops reading for good, and lives on (in a reply
//	                        without a step that waits)
//	{"closeStdout":true}    closes standard output, and lives on
//	{"stderr":{"text":"…","bytes":N}}
//	                        lines of text on standard error, N bytes in all
//	                        (once without bytes)
//	{"grandchildMs":N}      starts a process that holds standard output for so long
//	{"exit":CODE}           flushes what was written, then exits
//
// "onCall":N beside it takes the step only at the Nth use of the reply,
// "onStart":N only in the Nth start (see startFile).
//
// In result, error, text, line, progress, notify and request these are replaced by
// what was received, byte for byte: ${id}, ${method}, ${params}, ${arguments},
// ${token} (the progress token), ${answer} (the client's last answer to a
// request of this reply, the whole line); null stands where there is none. In
// text they are quoted as the rest of it. In a raw value a place that is a whole
// string, "${id}", stands for the value itself.
// A newline between tokens of a raw value becomes a space, since a message is
// one line; nothing else of it is changed.
//
// # Built-in tools
//
//	small              the text "ok"
//	big {bytes}        see the step
//	echo               the raw bytes of params, as text
//	log                every line received so far, as text, one per line
//	cancelled          every notifications/cancelled received, the same way
//	answers            every answer received from the client, the same way
//	ask {id,method,params}     asks the client, returns its answer's line as text
//	notify {method,params}     sends the notification, then answers
//	progress {count}           sends so many progress notifications, then answers
//	wait {answer}      waits until it is cancelled; answers all the same if
//	                   answer is true
//	sleep {ms}         answers after that time
//	set_tools {tools}  replaces the list, sends tools/list_changed, answers
//	pid                its process id
//	env                its environment, one NAME=value per line
//	exit {code}        exits without an answer
package scripted
