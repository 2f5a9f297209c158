"""Every ceiling of the product, each with its reason."""

from typing import Final

KIB: Final = 1024
MIB: Final = 1024 * KIB

# -- one message of a backend -----------------------------------------------------------------------------
MAX_FRAME: Final = 16 * MIB  # no context holds more; the SDK's own reader is quadratic (30 MB: 13 s)
RAW_FRAME: Final = 256 * KIB  # larger answers pass as bytes: objects of 10 MB take 290 ms to build
MAX_DISCARD: Final = 256 * MIB  # how much of an oversized line is skipped before the backend is given up
FRAME_DEADLINE: Final = 30.0  # seconds from a frame's first byte to its newline: stops a byte-a-second drip
STDERR_RING: Final = 64 * KIB  # enough for a traceback; a flood overwrites itself
MAX_NOISE_LINES: Final = 1000  # stdout lines in a row that are no messages (banners, logs)
COUNTED_JSON: Final = 400 * KIB  # bytes: a shorter message cannot hold MAX_JSON_OBJECTS
MAX_JSON_OBJECTS: Final = 200_000  # of one message, some 0.4 KB each; 2,000 public tools have 30,000
MAX_JSON_ARRAYS: Final = 500_000  # some 0.1 KB each: the points of 10 MB of GeoJSON
MAX_JSON_VALUES: Final = 2_000_000
MAX_CONTENT_ITEMS: Final = 10_000  # of one result, each of which is weighed by itself; real ones have a few
MAX_JSON_DEPTH: Final = 200  # no real answer is deeper; parsers and walkers may recurse safely

# -- connecting and listing -------------------------------------------------------------------------------
CONNECT_TIMEOUT: Final = 60.0  # a first `npx -y` downloads a package before it answers
LIST_TIMEOUT: Final = 10.0  # a server that is up lists its tools in milliseconds
CALL_TIMEOUT: Final = 60.0
MAX_CALL_TIME: Final = 3600.0  # progress prolongs a call's deadline, but not for ever
MAX_UNREAD_ANSWERS: Final = MIB  # bytes that a client on stdio has not read, above which it is not read from
MAX_OPEN_REQUESTS: Final = 2000  # of one client on stdio: more than may wait for one server
MAX_WAITING_REQUESTS: Final = 100  # that wait for one of these to end; above it reading stops
MAX_OPEN_BYTES: Final = 32 * MIB  # of open requests, above which reading stops: two of the largest
MOST_OPEN_REQUESTS: Final = 9000  # then refused: more than a chunk of stdin brings after reading has stopped
MOST_OPEN_BYTES: Final = (
    64 * MIB
)  # then refused: reading goes on above MAX_OPEN_BYTES while a question is open
MAX_REQUEST_ID: Final = 127  # bytes of JSON: what the daemon's notebook holds; real ids have 36 at most
MAX_UNREAD: Final = 64 * MIB  # bytes that a client has not read, above which notifications are dropped
MAX_UNSENT: Final = 10_000  # messages queued for one HTTP server that takes none
LEGACY_PROBE_DELAY: Final = 2.0  # `server/discover` unanswered this long: `initialize` is sent too
MAX_PAGES: Final = 100  # an endless cursor ends here
MAX_TOOLS: Final = 20_000  # per server: the largest public catalog has some 2,000
HTTP_OPEN: Final = 30.0  # seconds to the end of a response's headers, where no call waits for them
HTTP_CLOSE: Final = 5.0  # seconds for an HTTP server to take note that its session is over
STREAM_BURST: Final = 30  # event streams, redirects included, that a server may make us ask for at once
STREAM_PAUSE: Final = 1.0  # seconds for each beyond that: `retry: 0` and a closed stream would be a busy loop
STOP_GRACE: Final = 2.0  # after stdin closes, and after each SIGTERM, before the next harder step
MAX_PARALLEL_CONNECTS: Final = 16  # more processes at once than this only slow each other down

# -- what the gateway keeps running, unless `toolbooth.yaml` says otherwise ------------------------------------
IDLE_STOP: Final = 600.0  # an agent that pauses ten minutes has usually ended its task
DAEMON_IDLE: Final = 900.0  # longer than IDLE_STOP, so that the backends are gone first
CALLS_AT_ONCE: Final = 16  # per backend: most stdio servers work on one call at a time anyway

# -- signing in -------------------------------------------------------------------------------------------
SIGN_IN_TIMEOUT: Final = 300.0  # a person looks for a password and a second factor
REFRESH_TIMEOUT: Final = 15.0  # one answer of an authorization server; calls wait for it
REFRESH_PAUSE: Final = 10.0  # an authorization server that fails is not asked again for every call that waits
REFRESH_MARGIN: Final = 60.0  # seconds before a token expires: covers clocks that differ and a slow call
MAX_TOKEN_ANSWER: Final = 256 * KIB  # the largest real tokens have some 10 KB
MAX_REDIRECT_BYTES: Final = 64 * KIB  # request line and headers of a browser, cookies of 127.0.0.1 included
MAX_REDIRECT_CONNECTIONS: Final = 32  # that have sent nothing yet; the oldest goes when another comes
REDIRECT_DEADLINE: Final = 5.0  # a browser that connects ahead of time may never send anything
MAX_SIGN_IN_URL: Final = 8 * KIB  # what browsers and shells take

# -- the shared daemon --------------------------------------------------------------------------------------
DAEMON_START: Final = 60.0  # imports from a cold and slow disk; one that hangs longer never comes up
DAEMON_ANSWER: Final = 30.0  # a daemon that is well answers a hello in milliseconds
MAX_UNMET: Final = 64  # connections that have sent no hello yet; the oldest goes when another comes
MAX_HELLO: Final = 16 * MIB  # an environment is at most 2 MiB on Linux; as JSON six times as long
DAEMON_RESTARTS: Final = 10  # in a row without one answer; then it is a crash loop, and a person has to look
DAEMON_STARTS: Final = 5  # that end while they start
DAEMON_BACKOFF: Final = 0.02  # seconds before another one is started; doubled each time
DAEMON_BACKOFF_MOST: Final = 1.0
DAEMON_LOG: Final = 256 * KIB  # some thousand lines; the older half goes when it is full
DAEMON_FILES_AGE: Final = 86_400.0  # files of a daemon that is gone; its log may still be looked at for a day
DAEMON_HOUSEKEEPING: Final = 5.0  # seconds between two looks at the log's size and at the socket's file
MAX_SESSIONS: Final = 200  # four descriptors each, and most systems give a process 1,024
LAST_WORDS: Final = 2.0  # for a client to take the errors of what did not finish by then
SHUTDOWN_GRACE: Final = 10.0  # calls in flight may finish this long after a polite stop

# -- backends of the gateway ------------------------------------------------------------------------------
BACKOFF_FIRST: Final = 0.2  # seconds before the first restart; doubled and jittered each time
BACKOFF_LAST: Final = 30.0
MAX_RESTARTS: Final = 5  # within the window; then the breaker opens
RESTART_WINDOW: Final = 300.0
BREAKER_TIMEOUTS: Final = 3  # silences in a row that open the breaker
BREAKER_REST: Final = 30.0  # seconds without a try
MAX_QUEUED_CALLS: Final = 1000  # that wait for one backend; more would only time out
SHARED_PLACES: Final = (
    8  # calls at once from which on a client may hold all but one: the last is for the others
)
RELIST_WAIT: Final = (
    5.0  # seconds that a call waits for the list that a notice announced, under an enforced lock
)
RELIST_EVERY: Final = 30.0  # seconds at most between two tries to get a list that a notice announced
REFETCH_EVERY: Final = 1.0  # seconds between two fetches of a list, however often it is said to change
CACHE_MAX_AGE: Final = 86_400.0  # older lists are fetched anew in the background
WORK_AHEAD_AFTER: Final = 0.5  # seconds after a client came: its handshake and first list have gone before
MENU_WAIT: Final = (
    120.0  # seconds that the row of a menu waits for servers that start: a first `npx` downloads
)
FIRST_LIST_WAIT: Final = 8.0  # seconds that a list waits for servers that were never seen before
RELOAD_EVERY: Final = 1.0  # seconds between two looks at the config files
SUSPENDED_CALL: Final = 600.0  # seconds that a call waits for the answer to its question
MAX_SUSPENDED: Final = 1000
MAX_QUESTIONS_AT_ONCE: Final = 4  # of one call: a person answers one after the other
MAX_QUESTIONS: Final = (
    30  # of one call: a wizard asks ten; more is a loop, or an attempt to tire a person out
)
MAX_QUESTION_TEXT: Final = 4_000  # characters of a question's message: a page
MAX_INPUT_ROUNDS: Final = 10  # questions in a row of one call; the SDKs stop there, too

# -- the gateway's own HTTP -------------------------------------------------------------------------------
MAX_HTTP_BODY: Final = 8 * MIB  # no arguments are larger; a result is never sent to us
MAX_HTTP_SESSIONS: Final = 1000
HTTP_SESSION_IDLE: Final = 3600.0  # seconds without a request after which a session of the old era ends
SSE_RETRY_MS: Final = 1000  # how long a client waits before it comes back for a broken stream
MAX_REPLAYED_EVENTS: Final = (
    10_000  # messages kept for clients whose connection breaks, all sessions together
)
MAX_REPLAYED_BYTES: Final = 64 * MIB  # of these messages: four answers of the frame cap
MAX_AUTHENTICATED: Final = 900  # connections that have shown the key; an idle one goes when another comes
MAX_UNAUTHENTICATED: Final = 128  # connections that have not; the oldest goes when another comes
HTTP_HELLO: Final = 10.0  # seconds for a stranger to send the headers of a request with the key
DESCRIPTORS: Final = 4_096  # the process asks for as many, where the system lets it; most begin with 1,024
SPARE_DESCRIPTORS: Final = 256  # for servers, files and logs, beside the connections
ACCEPTED_AT_ONCE: Final = 16  # connections taken in one turn of the event loop, far fewer than MAX_STRANGERS
ACCEPT_PAUSE: Final = 0.1  # seconds after a connection that could not be taken for want of descriptors
MIN_KEY: Final = 16  # characters: a shorter key can be guessed
LOGIN_FREE: Final = 5  # wrong keys of one address that are answered at once: a person mistypes
LOGIN_DELAY: Final = 0.1  # seconds for the next, doubled with each
MAX_LOGIN_DELAY: Final = 2.0  # a person waits that long; a guesser gets nowhere
LOGIN_MEMORY: Final = 60.0  # seconds without a wrong key after which an address begins anew
MAX_LOGIN_ADDRESSES: Final = 1_000  # that are remembered; the longest quiet is forgotten
LOGIN_NOTE_EVERY: Final = 10.0  # seconds between two lines about wrong keys
MAX_HTTP_HEADERS: Final = 64 * KIB  # of one request; what browsers and proxies send is a tenth of it
HTTP_IDLE: Final = 60.0  # seconds that a guest may take for the headers of its next request
HTTP_BODY_DEADLINE: Final = 60.0  # seconds from the headers to the end of a body: stops a byte-a-second drip

# -- files ------------------------------------------------------------------------------------------------
MAX_CONFIG_BYTES: Final = 32 * MIB  # Claude Code keeps its history in the same file as its servers
MAX_TRUSTED_PROJECTS: Final = 1_000  # contents of project configs; the oldest is asked about again
MAX_YAML_BYTES: Final = 1 * MIB  # a larger one is a bomb
MAX_YAML_DEPTH: Final = 32
MAX_SUITE_BYTES: Final = 1 * MIB  # some 5,000 tests; split what is larger
DRIFT_TIMEOUT: Final = (
    20.0  # seconds for a server to list its tools, so that a replay sees whether they changed
)
MAX_SUITE_FOLDERS: Final = (
    20_000  # that suites are looked for in: `toolbooth test` in a home folder must not hang
)
MAX_VARIABLE_FILE: Final = 64 * KIB  # an `.env` or a token file that a config points to
MAX_CATALOG_BYTES: Final = 512 * MIB  # a snapshot of a million tools
MAX_LOCK_BYTES: Final = 512 * MIB  # 20,000 tools of the usual size take 60 MB; ten such servers still fit
MAX_SARIF_RESULTS: Final = 25_000  # GitHub's code scanning takes no file with more results in a run
MOST_LOCK_NOTES: Final = (
    200  # lines of the log on tools that are not as locked: a server may change at every look
)
MAX_KEY_FILE: Final = 64 * KIB  # a PEM of an Ed25519 key has 120 bytes

# -- counting ---------------------------------------------------------------------------------------------
COUNT_CACHE_ENTRIES: Final = 200_000  # about 20 MB; holds the largest public corpus ten times

# -- schemas of tools -------------------------------------------------------------------------------------
MAX_SCHEMA_VALUES: Final = 50_000  # the largest input schema of 2,994 public tools has 1,151
MAX_SCHEMA_LEVELS: Final = 64  # recursion stays far from Python's limit; public tools reach 13
MAX_SLIM_PASSES: Final = 16  # public schemas rest after two or three; more is built to waste time
MAX_OUTPUT_FIELDS: Final = 2000  # an output schema with more names no answer that a model could read
MAX_DISTRACTORS: Final = 5_000  # look-alikes beside a catalog: more than any client can show a model
MAX_LOOK_ALIKES: Final = 200  # tools with the same words in their names; more are generated, and no pairs
MAX_SIGNATURE_PARTS: Final = 50_000  # parts of nested objects: thousands may share one huge definition
MAX_REFS: Final = 16  # references to references; a ring ends here
MAX_COMPARED_PARTS: Final = (
    150_000  # of two schemas that are compared: some 3 s; 10,000 properties need 90,000
)
MAX_WRITTEN_PARTS: Final = 2_000  # of a schema that is written out without references; public ones reach 500
MAX_SUPPOSED: Final = (
    8  # circles within circles of two schemas that are followed to see that they mean the same
)
MAX_UNPAIRED: Final = (
    12  # alternatives or conditions that are tried on each other to find those of one meaning
)
MAX_ENGINE_CASES: Final = 64  # of choices that multiply: 0.1 s of the engine; beyond, it is not asked

# -- searching --------------------------------------------------------------------------------------------
MAX_QUERY: Final = 4_000  # characters; a longer one is a pasted document, and its beginning says the wish
QUICK_QUERY: Final = 256  # characters: a longer query is searched for in a thread; a model writes some 50
MAX_QUERY_WORDS: Final = 96  # distinct words that are looked up; the longest real task has some 70
MAX_WORD: Final = 64  # longer runs are hashes and encoded data: cut, they cost nothing and repair nothing
MAX_FIELD_TEXT: Final = 8_000  # characters of one field; the longest real description has some 6,000
MAX_ABOUT: Final = 2_000  # of a server's instructions: what it is for stands at the beginning
MAX_PARAMETERS: Final = 200  # nested ones included; generated schemas repeat themselves beyond

# -- checking the arguments of a call ---------------------------------------------------------------------
# The engine holds the GIL while it compiles and while it checks, so its work is counted before it starts.
MAX_CHECKED_VALUES: Final = 3_000  # of an input schema: 30 ms to read and compile; public ones reach 1,151
MAX_CHECKED_TEXT: Final = 256 * KIB  # characters in it; public ones reach 20,000
MAX_VISITS: Final = 2_000  # schemas that one value meets, references followed; public tools reach 180
MAX_JUDGING: Final = 8_000  # steps to find that number out: 20 ms; public schemas need up to 506
MAX_ARGUMENTS: Final = (
    20_000  # values of one call that are looked at: 2 ms; a larger call is the backend's to judge
)
MAX_CHECK_WORK: Final = 400_000  # visits of one call, 25 ns each: 10 ms; beyond, the same
MAX_CHECK_FRAMES: Final = (
    4_000  # levels × visits: the engine recurses, and 512 KiB of stack end at some 15,000
)
PATTERN_SIZE: Final = 32 * KIB  # of a compiled pattern: the worst then costs 2.5 µs a character, never more
MAX_PATTERN: Final = 1_000  # characters; public ones reach 200
MAX_PATTERNS: Final = 64  # different ones in one schema, 0.1 ms each to compile; public schemas reach 15
MAX_EXPLAINING: Final = 5_000  # questions to the engine in search of what is wrong with a call: 5 ms
MAX_EXPLAIN_WORK: Final = 1_000_000  # visits of all these questions: 25 ms
MAX_PROBLEMS: Final = 12  # found in one call; the next call is not right before the first six are mended
COMPILED_SCHEMAS: Final = 4_096  # kept compiled, some 20 KB each; a busy gateway calls a few hundred tools

# -- shown to a person ------------------------------------------------------------------------------------
SHOWN_LINE: Final = 300  # characters of foreign text in one line of a message

# -- names and menus of the gateway -----------------------------------------------------------------------
MAX_PUBLIC_NAME: Final = 64  # model providers refuse longer names of functions
MAX_HITS: Final = 50  # of one search: a model that wants more has asked the wrong question
MAX_FUZZY_NAME: Final = (
    256  # characters of a name that is compared with every tool's: a longer one is no slip
)
LISTED_NAMES: Final = 400  # names a page of `list_tools`: some 2,000 tokens
INSTRUCTION_TOKENS: Final = 120  # of what a client's model reads first, at any number of servers

# -- the cache of the gateway -----------------------------------------------------------------------------
MAX_CACHE_FILE: Final = 64 * MIB  # one server: MAX_TOOLS of the usual size with their vectors
MAX_CACHE_FOLDER: Final = 512 * MIB  # the oldest entries leave first
SAVE_USAGE_EVERY: Final = 5.0  # seconds of counting that a kill may cost
MAX_USAGE_ENTRIES: Final = 20_000  # tools whose calls are remembered; the rarest are forgotten

# -- results too long to be shown whole -------------------------------------------------------------------
RESULT_STORE: Final = 64 * MIB  # four answers of the frame cap; the oldest leave first
RESULT_DISK: Final = 512 * MIB  # as written, that is mostly compressed: some thousand long answers
RESULT_UNWRITTEN: Final = (
    64 * MIB
)  # characters that wait for a slow disk; what comes then stays in memory only
RESULT_DISK_REST: Final = 30.0  # seconds before a disk that refused (full, read-only) is tried again
RESULT_CLOSE: Final = 5.0  # seconds that ending waits for the disk: 64 MB take one
RESULT_AGE: Final = 3600.0  # seconds: an agent that has not read on in an hour has lost the thread
RESULT_TOMBSTONES: Final = 10_000  # refs of which it is still known that they have expired
RESULT_LINE: Final = 4_000  # characters: a longer line is read in parts, or minified JSON could not be paged
MAX_ANSWER_TEXT: Final = 100_000  # bytes that one `read_result` may ask for: some 25,000 tokens
READ_BYTES: Final = 16 * KIB  # of one answer of `read_result` unless it is asked for more
QUICK_READ: Final = 1 * MIB  # bytes of a text whose lines are counted in a millisecond
MAX_LINE_NUMBER: Final = 10**9
MAX_PATH: Final = 1_000  # characters of a JMESPath expression; real ones have some 50
LEAST_PATH_STEPS: Final = 50_000  # nodes visited and items built for one expression: 20 ms
MAX_PATH_STEPS: Final = 3_000_000  # as many more as the JSON has characters, up to this: two seconds, 24 MB

# -- reducing answers, unless `toolbooth.yaml` says otherwise -----------------------------------------------
REDUCE_OVER: Final = 1 * KIB  # bytes of a whole result: a placeholder and its ref cost a tenth of that
INTENT_OVER: Final = 5 * KIB  # the seed's: below it a reader is faster than a filter
COLLAPSE_OVER: Final = 3  # items of a uniform array that are shown in full
CHUNK_OVER: Final = 10 * KIB  # of JSON; what is shown of a longer one fits into that
CHUNK_BYTES: Final = 4 * KIB
SHOWN_ANSWER: Final = 16 * KIB  # 4,000 tokens of prose, where risk begins to be high; 7,000 of digits
HAND_OVER: Final = 0.001  # seconds until a busy thread lets the event loop go on
REDUCE_ASIDE: Final = 32 * KIB  # larger results are reduced in a thread: this much takes 2 ms
MIN_SAVING: Final = 0.1  # a reduction that saves less than this part is not worth a ref

# -- the gateway's own resources and prompts --------------------------------------------------------------
OVERVIEW_SERVERS: Final = 40  # with a line each: some 1,200 tokens, and few people have half as many
RECENT_CALLS: Final = 20  # of `toolbooth://recent`: what an agent did in its last task
MAX_RECENT_CALLS: Final = 500  # a line each: more is for `toolbooth stats`
STATS_ROWS: Final = (
    20  # tools, and sessions, of `toolbooth://stats`, some 120 tokens each; `toolbooth stats` has all
)
MAX_COMPLETIONS: Final = 100  # values in one answer: the protocol's own bound
MAX_ASKED_NAME: Final = 1_000  # characters of a name in a URI: it is compared with the name of every tool

# -- the ledger ---------------------------------------------------------------------------------------------
MAX_LEDGER_BYTES: Final = 64 * MIB  # some 1,500,000 calls, 42 bytes each: a year of a busy user
LEDGER_AGE: Final = 90 * 86_400.0  # seconds: a quarter can still be looked back on
LEDGER_HELD: Final = (
    32 * MIB
)  # of answers that wait to be measured: two of the frame cap; then sizes are estimated
LEDGER_PAUSE: Final = 0.25  # seconds in which rows gather for one commit
LEDGER_BATCH: Final = 500  # rows that are written without waiting for more
LEDGER_BUSY: Final = 5.0  # seconds that a write waits for another process; a commit takes milliseconds
LEDGER_RETRY: Final = 30.0  # seconds before a file that could not be written is tried again
MAX_LEDGER_NAME: Final = 128  # characters of a tool's name; a called name may be anything
COUNT_PIECE: Final = (
    16 * KIB
)  # characters that are counted in one go: 1 ms, and 10 where all of them are spaces
COUNT_MOST: Final = (
    1 * MIB
)  # characters that are counted exactly: 40 ms of work beside others'; longer ones by samples
COUNT_SAMPLES: Final = 64  # of 4 Ki characters each
MIN_SAVED: Final = 400  # bytes: the ref, its line and a second call cost about that
MAX_TABLE_ROWS: Final = 200_000  # of a text that is read as a table: 5 µs each
MAX_ENTRIES: Final = 200_000  # lines of a text that are weighed one by one against an intent: half a second

# -- code that a model wrote, in the sandbox ------------------------------------------------------------------
MAX_CODE: Final = 64 * KIB  # characters: a model writes some 2 KB; the type checker's time grows with it
CODE_SECONDS: Final = (
    120.0  # on the wall, waiting for tools included; the sandbox's own clock stops while it waits
)
CODE_CPU: Final = 10.0  # seconds of interpreting: ten million steps of a loop
CODE_MEMORY: Final = (
    256 * MIB
)  # of the sandbox's heap: one answer of the frame cap takes some 220 as Python data
CODE_ADDRESS_SPACE: Final = (
    1024 * MIB
)  # of a worker, where the system can say so: bounds the type checker, too
CODE_RECURSION: Final = 400  # frames; the worker's stack holds more, and no real code needs a tenth
LEAST_OUTPUT: Final = (
    500  # characters that code's answer may be bounded to: less has no room for how to read on
)
CODE_CALLS: Final = 1_000  # of tools in one run: more is a loop that went wrong
CODE_TURNS: Final = 20_000  # round trips between sandbox and host: calls, futures, imports, clocks
CODE_AT_ONCE: Final = 16  # calls of one run that are made side by side, as many as one backend takes
CODE_SLEEP: Final = 20.0  # seconds of sleeping in one run
CODE_PRINTED: Final = 1 * MIB  # bytes: what is shown of it is cut anyway
CODE_VALUE: Final = 16 * MIB  # characters of a value that leaves the sandbox: as much as any answer
CODE_VALUES: Final = 1_000_000  # parts of such a value: shared lists of lists hold billions in a few bytes
QUICK_VALUES: Final = 5_000  # parts that are walked where we stand, 1 µs each; more are a thread's work
CODE_WORKERS: Final = 8  # processes, some 30 MB each: a run keeps one while it waits for its tools
CODE_EACH: Final = 4  # runs of one client at once: half of the workers are left for the others
CODE_WAIT: Final = 150.0  # seconds that a run waits for its turn: as long as the longest before it takes
MAX_CODE_WAITING: Final = 200  # runs that wait for a worker, all clients together; more would only time out
CODE_IDLE: Final = 300.0  # seconds without a run after which the workers end
CODE_REUSE: Final = 200  # runs of one worker process before it is replaced: whatever leaks ends with it
CODE_ERROR: Final = 2_000  # characters that are shown of an exception: its message may have a hundred million
MAX_MISTAKES: Final = 8  # of one code: the rest is found when these are mended
ONE_LINE: Final = 4_000  # characters of a code that is looked at as one plain call
STUB_DEPTH: Final = 4  # lists of choices of lists: beyond, a parameter's type is anything
STUB_CHOICES: Final = 60  # values of an enum that the type checker knows; longer ones are checked at the call
REPORTED_CALLS: Final = 1_000  # of one request, to a client that asks: as many as a code may make
REPORTED_ARGUMENTS: Final = (
    16 * KIB
)  # bytes of one such call's: longer ones are a document, and tell no choice
REPORTED_TEXT: Final = 1 * MIB  # of all arguments in one report: a sixteenth of the frame that it comes in
SCRIPT_DEPTH: Final = 3  # scripts that call scripts
MAX_SCRIPTS: Final = 500  # in a folder: more than anybody can tell apart

# -- traces that other tools recorded ---------------------------------------------------------------------------
MAX_TRACE_BYTES: Final = 64 * MIB  # of one file: some 10,000 runs; as Python data six times as much
MAX_ANSWER_FILES: Final = 2_000  # of a folder of recorded answers: each is read, parsed and weighed

# -- models of suites, and the providers behind them ----------------------------------------------------------
MAX_MODEL_NAME: Final = 200  # characters; the longest of a provider has some 80
MODEL_OUTPUT: Final = (
    4_096  # tokens of one answer: a model that thinks first needs some thousand before it calls
)
MODEL_TIMEOUT: Final = 120.0  # seconds for one answer: a model that thinks may well take one minute
MODEL_CONNECT: Final = 10.0  # seconds until a provider takes the connection
MAX_MODEL_ANSWER: Final = 16 * MIB  # of one answer of a provider: a thousand times MODEL_OUTPUT
MODEL_RETRIES: Final = 3  # after the first try: rides out a busy minute, not an outage
FIRST_BACKOFF: Final = 1.0  # seconds, at most, before the second try; doubled each time
MAX_BACKOFF: Final = 30.0  # seconds, at most, where the provider does not say how long
MAX_RETRY_AFTER: Final = (
    120.0  # seconds that a provider may ask for; a longer wait is an outage, and said at once
)
MODEL_CONNECTIONS: Final = 100  # to one provider: more cells at once than any rate limit allows

# -- recordings of suites, and what is taken out of them --------------------------------------------------------
LONG_PAGE_TOKEN: Final = (
    48  # characters: a shorter `next_page_token` is a place in a list, a longer one may hold more
)
REDACT_DEPTH: Final = (
    150  # levels of arguments; our reader of JSON ends at 200, of which a recording takes some
)
REDACT_PASSES: Final = 8  # over one text; one that still uncovers secrets then was built to, and goes whole
MAX_CASSETTE_BYTES: Final = 64 * MIB  # of one run: four answers of the frame cap
CASSETTE_SLUG: Final = 40  # characters of a test or a model in a file's name: with all parts under 140
SHOWN_CHANGE: Final = 40  # characters of a prompt that are shown on each side of what changed
SHOWN_CALLS: Final = 50  # of one run in a report; a run of more is read in its recording
SHOWN_RESULT: Final = (
    1_000  # characters of a tool's answer or arguments in a report: enough to see what it was
)
SHOWN_SAID: Final = 4_000  # characters of a prompt, or of what a model said in one turn
SHOWN_TOOLS: Final = 5  # names of tools in one line of drift

# -- endpoints that a benchmark measures ------------------------------------------------------------------------
MAX_ADAPTER_BYTES: Final = 256 * KIB  # of a file of twenty lines
ANSWER_LINES: Final = 20_000  # of one search answer that are looked through for names: a model reads no more
ANSWER_LINE: Final = 1_000  # characters of such a line: a name stands at its beginning
UNLABELLED_QUESTIONS: Final = 50  # asked where no golden set is named: enough for a p95

# -- sets of the benchmark ---------------------------------------------------------------------------------------
MAX_SET_FILES: Final = 2_000  # JSON files below a folder that is searched for sets: each is read and parsed

# -- growth of a catalog, as the benchmark measures it ------------------------------------------------------------
MAX_GROWTH_TOOLS: Final = 500_000  # some 4 GB of memory and ten minutes
MAX_GROWTH_SIZES: Final = 12  # of one run: each starts two processes

# -- comparing texts -----------------------------------------------------------------------------------------------
MAX_WORD_PAIRS: Final = (
    4_000_000  # words × words: 2,000 changed words on each side take 20 ms; more is shown unaligned
)

# -- looking through definitions for what attacks models ------------------------------------------------------------
MAX_SCANNED_TEXT: Final = 1 * MIB  # characters: no context holds more; a longer text is a finding by itself
SCAN_EVIDENCE: Final = 200  # characters that are quoted of what was found
SCAN_POINTER_STEP: Final = 200  # characters of one step of a JSON pointer: a key may have a million

# -- wrapped configs -----------------------------------------------------------------------------------------
KEPT_ORIGINALS: Final = 10  # versions of each file: yesterday's is among them, and secrets do not pile up
