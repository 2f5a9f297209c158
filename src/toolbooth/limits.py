"""Every limit of the product, each with its reason."""

from typing import Final

KIB: Final = 1024
MIB: Final = 1024 * KIB

# -- one message of a server ------------------------------------------------------------------------------
MAX_FRAME: Final = 16 * MIB  # no model's context holds more; the SDK's own reader is quadratic (30 MB: 13 s)
RAW_FRAME: Final = 256 * KIB  # larger answers are passed on as bytes: building objects of 10 MB takes 290 ms
MAX_DISCARD: Final = 256 * MIB  # bytes of an oversized line that are skipped before the server is given up
FRAME_DEADLINE: Final = 30.0  # seconds from a frame's first byte to its newline: stops a byte-a-second drip
STDERR_RING: Final = 64 * KIB  # enough for a traceback; a flood overwrites itself
MAX_NOISE_LINES: Final = 1000  # stdout lines in a row that are not messages (banners, logs)
COUNTED_JSON: Final = 400 * KIB  # bytes: a shorter message cannot hold MAX_JSON_OBJECTS
MAX_JSON_OBJECTS: Final = 200_000  # in one message, about 0.4 KB each; 2,000 public tools have 30,000
MAX_JSON_ARRAYS: Final = 500_000  # about 0.1 KB each: the points of 10 MB of GeoJSON
MAX_JSON_VALUES: Final = 2_000_000
MAX_CONTENT_ITEMS: Final = 10_000  # in one result, each counted by itself; real results have a few
MAX_JSON_DEPTH: Final = 200  # no real answer is deeper; parsers and walkers can recurse safely

# -- connecting and listing -------------------------------------------------------------------------------
CONNECT_TIMEOUT: Final = 60.0  # a first `npx -y` downloads a package before it answers
LIST_TIMEOUT: Final = 10.0  # a running server lists its tools in milliseconds
CALL_TIMEOUT: Final = 60.0
MAX_CALL_TIME: Final = 3600.0  # progress extends a call's deadline, but only up to this
MAX_UNREAD_ANSWERS: Final = MIB  # bytes a stdio client has not read yet; above this nothing is read from it
MAX_OPEN_REQUESTS: Final = 2000  # of one stdio client: more than may wait for one server
MAX_WAITING_REQUESTS: Final = 100  # that wait for an open one to end; above this reading stops
MAX_OPEN_BYTES: Final = 32 * MIB  # of open requests, above which reading stops: two of the largest
MOST_OPEN_REQUESTS: Final = 9000  # more are refused: one chunk of stdin brings fewer after reading stops
# More are refused: with an open question, reading goes on above MAX_OPEN_BYTES
MOST_OPEN_BYTES: Final = 64 * MIB
MAX_REQUEST_ID: Final = 127  # bytes of JSON: what the daemon's journal holds; real ids have 36 at most
MAX_UNREAD: Final = 64 * MIB  # bytes a client has not read yet, above which notifications are dropped
MAX_UNSENT: Final = 10_000  # messages queued for one HTTP server that accepts none
LEGACY_PROBE_DELAY: Final = 2.0  # if `server/discover` is unanswered this long, `initialize` is sent too
MAX_PAGES: Final = 100  # stops a list whose cursor never ends
MAX_TOOLS: Final = 20_000  # per server: the largest public catalog has about 2,000
HTTP_OPEN: Final = 30.0  # seconds to the end of a response's headers, if no call waits for them
HTTP_CLOSE: Final = 5.0  # seconds for an HTTP server to confirm the end of its session
STREAM_BURST: Final = 30  # event streams, redirects included, that a server can make us request at once
STREAM_PAUSE: Final = 1.0  # seconds for each one beyond: `retry: 0` and a closed stream would be a busy loop
STOP_GRACE: Final = 2.0  # after stdin closes, and after each SIGTERM, before the next, harder step
MAX_PARALLEL_CONNECTS: Final = 16  # more processes at once only slow each other down

# -- the gateway's defaults, unless `toolbooth.yaml` sets others ------------------------------------------
IDLE_STOP: Final = 600.0  # an agent that pauses for ten minutes has usually finished its task
DAEMON_IDLE: Final = 900.0  # longer than IDLE_STOP, so that the servers are stopped first
CALLS_AT_ONCE: Final = 16  # per server: most stdio servers work on one call at a time anyway

# -- signing in -------------------------------------------------------------------------------------------
SIGN_IN_TIMEOUT: Final = 300.0  # a person has to find a password and a second factor
REFRESH_TIMEOUT: Final = 15.0  # for one answer of an authorization server, while calls wait for it
REFRESH_PAUSE: Final = 10.0  # a failing authorization server is not asked again for every waiting call
REFRESH_MARGIN: Final = 60.0  # seconds before a token expires: allows for clock differences and a slow call
MAX_TOKEN_ANSWER: Final = 256 * KIB  # the largest real tokens have about 10 KB
MAX_REDIRECT_BYTES: Final = 64 * KIB  # a browser's request line and headers, with cookies of 127.0.0.1
MAX_REDIRECT_CONNECTIONS: Final = 32  # that have sent nothing yet; a new one replaces the oldest
REDIRECT_DEADLINE: Final = 5.0  # a browser that connects ahead of time may never send anything
MAX_SIGN_IN_URL: Final = 8 * KIB  # what browsers and shells accept

# -- the shared daemon ------------------------------------------------------------------------------------
DAEMON_START: Final = 60.0  # imports from a slow disk; a daemon that takes longer never starts
DAEMON_ANSWER: Final = 30.0  # a healthy daemon answers a hello in milliseconds
MAX_UNMET: Final = 64  # connections without a hello yet; a new one replaces the oldest
MAX_HELLO: Final = 16 * MIB  # an environment has at most 2 MiB on Linux; as JSON, six times as much
DAEMON_RESTARTS: Final = 10  # in a row without one answer; then it is a crash loop that a person must look at
DAEMON_STARTS: Final = 5  # that fail in a row
DAEMON_BACKOFF: Final = 0.02  # seconds before the next start; doubled each time
DAEMON_BACKOFF_MOST: Final = 1.0
DAEMON_LOG: Final = 256 * KIB  # a few thousand lines; the older half is removed when it is full
DAEMON_FILES_AGE: Final = 86_400.0  # seconds: a person may read the log of a stopped daemon for a day
DAEMON_HOUSEKEEPING: Final = 5.0  # seconds between two checks of the log's size and of the socket's file
MAX_SESSIONS: Final = 200  # four descriptors each, and most systems give a process 1,024
LAST_WORDS: Final = 2.0  # seconds for a client to read the errors of its unfinished calls
SHUTDOWN_GRACE: Final = 10.0  # seconds for calls in flight to finish after a polite stop

# -- upstream servers of the gateway ----------------------------------------------------------------------
BACKOFF_FIRST: Final = 0.2  # seconds before the first restart; doubled and jittered each time
BACKOFF_LAST: Final = 30.0
MAX_RESTARTS: Final = 5  # within the window; then the breaker opens
RESTART_WINDOW: Final = 300.0
BREAKER_TIMEOUTS: Final = 3  # timeouts in a row that open the breaker
BREAKER_REST: Final = 30.0  # seconds without a call to the server
MAX_QUEUED_CALLS: Final = 1000  # that wait for one server; more would only time out
SHARED_PLACES: Final = 8  # calls at once from which on one client leaves one place for the others
RELIST_WAIT: Final = 5.0  # seconds that a call waits for an announced new list, under an enforced lock
RELIST_EVERY: Final = 30.0  # seconds at most between two tries to fetch an announced list
REFETCH_EVERY: Final = 1.0  # seconds between two fetches of a list, however often it is announced
CACHE_MAX_AGE: Final = 86_400.0  # seconds: older lists are fetched again in the background
WORK_AHEAD_AFTER: Final = 0.5  # seconds after a client connects: its handshake and first list come first
MENU_WAIT: Final = 120.0  # seconds that a menu row waits for starting servers: a first `npx` downloads
FIRST_LIST_WAIT: Final = 8.0  # seconds that a list waits for servers that were never seen before
RELOAD_EVERY: Final = 1.0  # seconds between two checks of the config files
SUSPENDED_CALL: Final = 600.0  # seconds that a call waits for the answer to its question
MAX_SUSPENDED: Final = 1000
MAX_QUESTIONS_AT_ONCE: Final = 4  # of one call: a person answers one after the other
MAX_QUESTIONS: Final = 30  # of one call: a wizard asks ten; more is a loop, or meant to tire a person
MAX_QUESTION_TEXT: Final = 4_000  # characters of a question's message: a page
MAX_INPUT_ROUNDS: Final = 10  # questions in a row of one call; the SDKs have the same limit
TASK_POLL: Final = 1.0  # seconds between two looks at a task whose server names no interval
TASK_POLL_LEAST: Final = 0.1  # ten looks a second show an end as fast as a person notices it
TASK_POLL_MOST: Final = 10.0  # a server that names an hour would hide the end of its task
CLIENT_TASK_TTL: Final = 600.0  # seconds that a client has to fetch a result, if it names no time
MAX_CLIENT_TASK_TTL: Final = 3600.0  # no call takes longer
MAX_CLIENT_TASKS: Final = 100  # of one principal; above it the oldest result is dropped
MAX_CLIENT_TASK_BYTES: Final = 64 * MIB  # of one principal: four answers of the frame cap
TASK_POLL_TRIES: Final = 3  # in a row: a task survives a connection that was refused once

# -- the gateway's own HTTP -------------------------------------------------------------------------------
MAX_HTTP_BODY: Final = 8 * MIB  # no arguments are larger, and clients never send results
MAX_HTTP_SESSIONS: Final = 1000
HTTP_SESSION_IDLE: Final = 3600.0  # seconds without a request after which a session ends
SSE_RETRY_MS: Final = 1000  # how long a client waits before it requests a broken stream again
MAX_REPLAYED_EVENTS: Final = 10_000  # messages kept for clients that reconnect, all sessions together
MAX_REPLAYED_BYTES: Final = 64 * MIB  # of these messages: four answers of the frame cap
MAX_AUTHENTICATED: Final = 900  # connections that have shown the key; a new one replaces an idle one
MAX_UNAUTHENTICATED: Final = 128  # connections that have not; a new one replaces the oldest
HTTP_HELLO: Final = 10.0  # seconds for a new connection to send the headers of a request with the key
DESCRIPTORS: Final = 4_096  # the process asks for as many as the system allows; most start with 1,024
SPARE_DESCRIPTORS: Final = 256  # for servers, files and logs, besides the connections
ACCEPTED_AT_ONCE: Final = 16  # connections in one turn of the event loop, far below MAX_UNAUTHENTICATED
ACCEPT_PAUSE: Final = 0.1  # seconds after a connection was not accepted because descriptors ran out
MIN_KEY: Final = 16  # characters: a shorter key can be guessed
LOGIN_FREE: Final = 5  # wrong keys of one address that are answered at once: people mistype
LOGIN_DELAY: Final = 0.1  # seconds for the next one, doubled with each
MAX_LOGIN_DELAY: Final = 2.0  # seconds: a person waits that long, and guessing stays hopeless
LOGIN_MEMORY: Final = 60.0  # seconds without a wrong key after which an address starts again
MAX_LOGIN_ADDRESSES: Final = 1_000  # that are remembered; the one unused for longest is forgotten
LOGIN_NOTE_EVERY: Final = 10.0  # seconds between two log lines about wrong keys
MAX_HTTP_HEADERS: Final = 64 * KIB  # of one request; browsers and proxies send a tenth of it
HTTP_IDLE: Final = 60.0  # seconds that an authenticated connection has for the headers of its next request
HTTP_BODY_DEADLINE: Final = 60.0  # seconds from the headers to the end of a body: stops a byte-a-second drip

# -- files ------------------------------------------------------------------------------------------------
MAX_CONFIG_BYTES: Final = 32 * MIB  # Claude Code keeps its history in the same file as its servers
MAX_TRUSTED_PROJECTS: Final = 1_000  # contents of project configs; a person is asked again about the oldest
MAX_YAML_BYTES: Final = 1 * MIB  # no real config is larger; a YAML bomb may be
MAX_YAML_DEPTH: Final = 32
MAX_SUITE_BYTES: Final = 1 * MIB  # about 5,000 tests; larger suites must be split
DRIFT_TIMEOUT: Final = 20.0  # seconds for a server to list its tools, so that a replay can see changes
MAX_SUITE_FOLDERS: Final = 20_000  # searched for suites: `toolbooth test` in a home folder must not hang
MAX_VARIABLE_FILE: Final = 64 * KIB  # a `.env` or token file that a config refers to
MAX_CATALOG_BYTES: Final = 512 * MIB  # a snapshot of a million tools
MAX_LOCK_BYTES: Final = 512 * MIB  # 20,000 tools of the usual size take 60 MB; eight such servers fit
MAX_SARIF_RESULTS: Final = 25_000  # GitHub's code scanning accepts no file with more results in a run
MOST_LOCK_NOTES: Final = 200  # log lines about tools that are not as locked: a server may change all the time
MAX_KEY_FILE: Final = 64 * KIB  # an Ed25519 key as PEM has 120 bytes

# -- counting ---------------------------------------------------------------------------------------------
COUNT_CACHE_ENTRIES: Final = 200_000  # about 20 MB; ten times the largest public corpus

# -- schemas ----------------------------------------------------------------------------------------------
MAX_SCHEMA_VALUES: Final = 50_000  # the largest input schema of 2,994 public tools has 1,151
MAX_SCHEMA_LEVELS: Final = 64  # recursion stays far below Python's limit; public tools reach 13
MAX_SLIM_PASSES: Final = 16  # public schemas are stable after two or three; more is meant to waste time
MAX_OUTPUT_FIELDS: Final = 2000  # no model could read an answer with more fields
MAX_DISTRACTORS: Final = 5_000  # similar tools beside a catalog: more than any client can show a model
MAX_LOOK_ALIKES: Final = 200  # tools with the same words in their names; more are generated, not confused
MAX_SIGNATURE_PARTS: Final = 50_000  # parts of nested objects: thousands may share one huge definition
MAX_REFS: Final = 16  # references to references; stops a cycle
MAX_COMPARED_PARTS: Final = 150_000  # of two compared schemas: about 3 s; 10,000 properties need 90,000
MAX_WRITTEN_PARTS: Final = 2_000  # of a schema written out without references; public ones reach 500
MAX_SUPPOSED: Final = 8  # nested cycles of two schemas that are followed to prove them equivalent
MAX_UNPAIRED: Final = 12  # alternatives or conditions that are compared with each other to find equal ones
MAX_ENGINE_CASES: Final = 64  # of choices that multiply: 0.1 s of the engine; with more it is not asked

# -- searching --------------------------------------------------------------------------------------------
MAX_QUERY: Final = 4_000  # characters; a longer one is a pasted document, which states its purpose first
QUICK_QUERY: Final = 256  # characters: longer queries are searched in a thread; a model writes about 50
MAX_QUERY_WORDS: Final = 96  # distinct words that are looked up; the longest real task has about 70
MAX_WORD: Final = 64  # longer words are hashes and encoded data, which match nothing when they are cut
MAX_FIELD_TEXT: Final = 8_000  # characters of one field; the longest real description has about 6,000
MAX_ABOUT: Final = 2_000  # of a server's instructions, which begin with what it is for
MAX_PARAMETERS: Final = 200  # nested ones included; generated schemas only repeat themselves beyond

# -- argument checks --------------------------------------------------------------------------------------
# The engine holds the GIL while it compiles and checks, so its work is estimated before it starts.
MAX_CHECKED_VALUES: Final = 3_000  # of an input schema: 30 ms to read and compile; public ones reach 1,151
MAX_CHECKED_TEXT: Final = 256 * KIB  # characters in it; public ones reach 20,000
MAX_VISITS: Final = 2_000  # schemas that apply to one value, with references; public tools reach 180
MAX_JUDGING: Final = 8_000  # steps to find that number: 20 ms; public schemas need up to 506
MAX_ARGUMENTS: Final = 20_000  # values in one call that are checked: 2 ms; the server judges a larger call
MAX_CHECK_WORK: Final = 400_000  # visits in one call, 25 ns each: 10 ms; the server judges a larger call
MAX_CHECK_FRAMES: Final = 4_000  # levels × visits: the engine recurses; 512 KiB of stack end at about 15,000
PATTERN_SIZE: Final = 32 * KIB  # of a compiled pattern: the worst case is then 2.5 µs per character
MAX_PATTERN: Final = 1_000  # characters; public ones reach 200
MAX_PATTERNS: Final = 64  # different ones in one schema, 0.1 ms each to compile; public schemas reach 15
MAX_EXPLAINING: Final = 5_000  # calls of the engine to find out what is wrong with one call: 5 ms
MAX_EXPLAIN_WORK: Final = 1_000_000  # visits of all of these together: 25 ms
MAX_PROBLEMS: Final = 12  # reported for one call: an agent corrects no more than that at once
COMPILED_SCHEMAS: Final = 4_096  # kept compiled, about 20 KB each; a busy gateway calls a few hundred tools

# -- messages for people ----------------------------------------------------------------------------------
SHOWN_LINE: Final = 300  # characters of foreign text in one line of a message

# -- the gateway's names and menus ------------------------------------------------------------------------
MAX_FUNCTION_NAME: Final = 64  # characters: model providers refuse longer names of functions
MAX_PUBLIC_NAME: Final = 48  # clients put `mcp__toolbooth__` before it; every client gets the same names
SEARCH_HINT: Final = 200  # characters of words for a client's own search: 19 of 20 real tools need fewer
LISTED_DESCRIPTION: Final = (
    2_048  # characters: Claude Code cuts a longer one, see `catalog/client_profiles.py`
)
LISTED_AT_ONCE: Final = 20  # tools of servers, 1 ms each at the first list; more are prepared in a thread
KEPT_SERVER_NAME: Final = 8  # characters of a server's name that stay: enough to tell whose tool it is
MAX_HITS: Final = 50  # of one search: a model that wants more has asked the wrong question
MAX_FUZZY_NAME: Final = 256  # characters of a name that is compared with every tool's: no typo is longer
LISTED_NAMES: Final = 400  # names on a page of `list_tools`: about 2,000 tokens
INSTRUCTION_TOKENS: Final = 120  # of what a client's model reads first, for any number of servers
WORTH_A_GATEWAY: Final = 1_000  # tokens of tools: beyond them `search` costs a task less (economics)
LIGHT_NAMES: Final = 310  # tokens of deferred names: what the menu of `search` and its instructions have

# -- the gateway's cache ----------------------------------------------------------------------------------
MAX_CACHE_FILE: Final = 64 * MIB  # one server: MAX_TOOLS of the usual size with their vectors
MAX_CACHE_FOLDER: Final = 512 * MIB  # the oldest entries are removed first
WRITE_AT_CLOSE: Final = (
    2.0  # seconds for what was listed just before the end: making its index takes 10 ms a server
)
SAVE_USAGE_EVERY: Final = 5.0  # seconds of counting that a killed process may lose
MAX_USAGE_ENTRIES: Final = 20_000  # tools whose calls are remembered; the least called are forgotten

# -- stored results ---------------------------------------------------------------------------------------
RESULT_STORE: Final = 64 * MIB  # four answers of the frame cap; the oldest are removed first
RESULT_DISK: Final = 512 * MIB  # as written, mostly compressed: some thousand long answers
RESULT_UNWRITTEN: Final = 64 * MIB  # characters waiting for a slow disk; further results stay in memory only
RESULT_DISK_REST: Final = 30.0  # seconds before a disk that failed (full, read-only) is tried again
RESULT_CLOSE: Final = 5.0  # seconds that shutdown waits for the disk: 64 MB take one
RESULT_AGE: Final = 3600.0  # seconds: an agent that has not read on in an hour no longer will
RESULT_TOMBSTONES: Final = 10_000  # refs that are remembered as expired
RESULT_LINE: Final = 4_000  # characters: a longer line is read in parts, so that minified JSON can be paged
MAX_ANSWER_TEXT: Final = 100_000  # bytes that one `read_result` may ask for: about 25,000 tokens
READ_BYTES: Final = 16 * KIB  # of one answer of `read_result`, unless more is asked for
QUICK_READ: Final = 1 * MIB  # bytes of a text whose lines are counted in a millisecond
MAX_LINE_NUMBER: Final = 10**9
MAX_PATH: Final = 1_000  # characters of a JMESPath expression; real ones have about 50
LEAST_PATH_STEPS: Final = 50_000  # nodes visited and items built for one expression: 20 ms
MAX_PATH_STEPS: Final = 3_000_000  # one more for each character of the JSON, up to this: two seconds, 24 MB

# -- reducing answers: the defaults, unless `toolbooth.yaml` sets others ----------------------------------
REDUCE_OVER: Final = 1 * KIB  # bytes of a whole result: a placeholder and its ref cost a tenth of that
INTENT_OVER: Final = 5 * KIB  # below this, reading is faster than filtering
COLLAPSE_OVER: Final = 3  # items of a uniform array that are shown in full
CHUNK_OVER: Final = 10 * KIB  # of JSON; the shown parts of a longer one fit into this
CHUNK_BYTES: Final = 4 * KIB
SHOWN_ANSWER: Final = 16 * KIB  # 4,000 tokens of prose, where risk begins to be high; 7,000 of digits
CLIENT_TOKEN_BYTES: Final = (
    2  # of an answer, for each token of a client's cap: prose has 4, digits 2.3; never counted
)
LAST_LINE_CHARS: Final = 500  # below a client's cap in characters, for the line on what was cut
MAX_RESULT_CHARS: Final = (
    500_000  # the most that Claude Code lets a tool ask for (`anthropic/maxResultSizeChars`)
)
COLLECT_AFTER: Final = (10_000, 20, 20)  # new objects; with Python's 700, a tenth of a burst is collecting
PROCESS_ASIDE: Final = (
    512 * KIB
)  # larger results are reduced in a process: parsing this much JSON takes up to 17 ms
WORKERS: Final = 2  # processes; more large answers at once wait for each other
WORKER_LIMIT: Final = 60.0  # seconds of work: 16 MiB take 1, and what hangs holds up all other large work
WORKER_IDLE: Final = 60.0  # seconds without work until one ends; it has 60 MB
HAND_OVER: Final = 0.001  # seconds until a busy thread lets the event loop go on
REDUCE_ASIDE: Final = 32 * KIB  # larger results are reduced in a thread: this much takes 2 ms
MIN_SAVING: Final = 0.1  # a reduction that saves a smaller share is not worth a ref

# -- the built-in resources and prompts ----------------------------------------------------------------
OVERVIEW_SERVERS: Final = 40  # one line each: about 1,200 tokens, and few people have half as many
RECENT_CALLS: Final = 20  # of `toolbooth://recent`: what an agent did in its last task
MAX_RECENT_CALLS: Final = 500  # one line each: for more there is `toolbooth stats`
STATS_ROWS: Final = 20  # tools, and sessions, of `toolbooth://stats`, about 120 tokens each
MAX_COMPLETIONS: Final = 100  # values in one answer: the protocol's own limit
MAX_ASKED_NAME: Final = 1_000  # characters of a name in a URI: it is compared with the name of every tool

# -- the ledger -------------------------------------------------------------------------------------------
MAX_LEDGER_BYTES: Final = 64 * MIB  # about 1,500,000 calls, 42 bytes each: a year of a busy user
LEDGER_AGE: Final = 90 * 86_400.0  # seconds: the last quarter stays available
LEDGER_HELD: Final = 32 * MIB  # of answers that wait to be counted; beyond, sizes are estimated
LEDGER_PAUSE: Final = 0.25  # seconds in which rows are collected for one commit
LEDGER_BATCH: Final = 500  # rows that are written without waiting for more
STORE_BUSY: Final = 5.0  # seconds that a write waits for another process; a commit takes milliseconds
LEDGER_RETRY: Final = 30.0  # seconds before a file that could not be written is tried again
NEWS_AGE: Final = 3600.0  # seconds: a process that reads no news for an hour has other worries
NEWS_PAYLOAD: Final = 4 * KIB  # a name or an address, never an answer
MAX_LEDGER_NAME: Final = 128  # characters of a tool's name; an agent may call any name
COUNT_PIECE: Final = 16 * KIB  # characters that are counted at once: 1 ms, or 10 ms if all are spaces
COUNT_MOST: Final = 1 * MIB  # characters counted exactly, in 40 ms; longer texts are counted by samples
COUNT_SAMPLES: Final = 64  # of 4,096 characters each
MIN_SAVED: Final = 400  # bytes: the ref, its line and a second call cost about as much
MAX_TABLE_ROWS: Final = 200_000  # of a text that is read as a table: 5 µs each
MAX_ENTRIES: Final = 200_000  # lines of a text that are compared with an intent one by one: half a second

# -- code in the sandbox ----------------------------------------------------------------------------------
MAX_CODE: Final = 64 * KIB  # characters: a model writes about 2 KB; the type checker's time grows with it
CODE_SECONDS: Final = 120.0  # of real time, with waiting for tools; the sandbox's own clock stops then
CODE_CPU: Final = 10.0  # seconds of computing: ten million steps of a loop
CODE_MEMORY: Final = 256 * MIB  # of the sandbox's heap: one answer of the frame cap takes about 220 MiB
CODE_ADDRESS_SPACE: Final = 1024 * MIB  # of a worker, if the system can limit it: bounds the type checker too
CODE_RECURSION: Final = 400  # frames; the worker's stack holds more, and real code needs less than a tenth
LEAST_OUTPUT: Final = 500  # characters: a smaller limit has no room for saying how to read on
CODE_CALLS: Final = 1_000  # of tools in one run: more is a loop that went wrong
CODE_TURNS: Final = 20_000  # round trips between sandbox and host: calls, futures, imports, clocks
CODE_AT_ONCE: Final = 16  # calls of one run that are made in parallel, as many as one server takes
CODE_SLEEP: Final = 20.0  # seconds of sleeping in one run
CODE_PRINTED: Final = 1 * MIB  # bytes: what is shown of it is cut anyway
CODE_VALUE: Final = 16 * MIB  # characters of a value that leaves the sandbox: as much as any answer
CODE_VALUES: Final = 1_000_000  # parts of such a value: shared lists of lists hold billions in a few bytes
QUICK_VALUES: Final = 5_000  # parts that are walked on the event loop, 1 µs each; for more a thread is used
CODE_WORKERS: Final = 8  # processes of about 30 MB; a run keeps one while it waits for its tools
CODE_EACH: Final = 4  # runs of one client at once: half of the workers are left for the others
CODE_WAIT: Final = 150.0  # seconds that a run waits for a worker: longer than any run before it may take
MAX_CODE_WAITING: Final = 200  # runs that wait for a worker, of all clients; more would only time out
CODE_IDLE: Final = 300.0  # seconds without a run after which the workers end
CODE_REUSE: Final = 200  # runs of one worker process before it is replaced, which ends any leak
CODE_ERROR: Final = 2_000  # characters shown of an exception: its message may have a hundred million
MAX_MISTAKES: Final = 8  # reported for one code: the others are found when these are corrected
ONE_LINE: Final = 4_000  # characters of code that is examined as one plain call
STUB_DEPTH: Final = 4  # lists of choices of lists; below that a parameter has any type
STUB_CHOICES: Final = 60  # values of an enum known to the type checker; longer ones are checked at the call
REPORTED_CALLS: Final = 1_000  # of one request, to a client that asks: as many as one run may make
REPORTED_ARGUMENTS: Final = 16 * KIB  # bytes of the arguments of one such call: longer ones are documents
REPORTED_TEXT: Final = 1 * MIB  # of all arguments in one report: a sixteenth of the frame cap
SCRIPT_DEPTH: Final = 3  # scripts that call scripts
MAX_SCRIPTS: Final = 500  # in a folder: more than anyone can tell apart

# -- recorded traces and answers --------------------------------------------------------------------------
MAX_TRACE_BYTES: Final = 64 * MIB  # of one file: about 10,000 runs; as objects, six times as much
MAX_ANSWER_FILES: Final = 2_000  # in a folder of recorded answers: each is read, parsed and counted

# -- models of suites and their providers -----------------------------------------------------------------
MAX_MODEL_NAME: Final = 200  # characters; the longest name of a provider has about 80
MODEL_OUTPUT: Final = 4_096  # tokens of one answer: a model may need a few thousand for thinking
MODEL_TIMEOUT: Final = 120.0  # seconds for one answer: a model may think for a minute
MODEL_CONNECT: Final = 10.0  # seconds until a provider accepts the connection
MAX_MODEL_ANSWER: Final = 16 * MIB  # of one answer of a provider: a thousand times MODEL_OUTPUT
MODEL_RETRIES: Final = 3  # after the first try: enough for a busy minute, not for an outage
FIRST_BACKOFF: Final = 1.0  # seconds, at most, before the second try; doubled each time
MAX_BACKOFF: Final = 30.0  # seconds, at most, if the provider does not say how long
MAX_RETRY_AFTER: Final = 120.0  # seconds that a provider may ask for; longer is an outage, reported at once
MODEL_CONNECTIONS: Final = 100  # to one provider: more parallel runs than any rate limit allows

# -- recordings of suites, and redaction in them ----------------------------------------------------------
LONG_PAGE_TOKEN: Final = (
    48  # characters: a shorter `next_page_token` is a position, a longer one may be a secret
)
REDACT_DEPTH: Final = 150  # levels of arguments; our JSON reader ends at 200, and a recording needs some
REDACT_PASSES: Final = 8  # over one text; if secrets appear even then, the whole text is removed
MAX_CASSETTE_BYTES: Final = 64 * MIB  # of one run: four answers of the frame cap
CASSETTE_SLUG: Final = 40  # characters of a test or a model in a file name: below 140 with all parts
SHOWN_CHANGE: Final = 40  # characters of a prompt that are shown on each side of a change
SHOWN_CALLS: Final = 50  # of one run in a report; the recording has all of them
SHOWN_RESULT: Final = 1_000  # characters of a tool's answer or arguments in a report: enough to recognise it
SHOWN_SAID: Final = 4_000  # characters of a prompt, or of a model's text in one turn
SHOWN_TOOLS: Final = 5  # names of tools in one line about drift

# -- live endpoints in a benchmark ------------------------------------------------------------------------
MAX_ADAPTER_BYTES: Final = 256 * KIB  # of a file of twenty lines
ANSWER_LINES: Final = 20_000  # of one search answer that are searched for names: a model reads no more
ANSWER_LINE: Final = 1_000  # characters of such a line: a name comes first
UNLABELLED_QUESTIONS: Final = 50  # asked if no golden set is named: enough for a p95

# -- retrieval sets of a benchmark ------------------------------------------------------------------------
MAX_SET_FILES: Final = 2_000  # JSON files in a folder that is searched for sets: each is read and parsed

# -- growth of a catalog in a benchmark -------------------------------------------------------------------
MAX_GROWTH_TOOLS: Final = 500_000  # about 4 GB of memory and ten minutes
MAX_GROWTH_SIZES: Final = 12  # of one run: each starts two processes

# -- comparing texts --------------------------------------------------------------------------------------
MAX_WORD_PAIRS: Final = 4_000_000  # 2,000 changed words on each side take 20 ms; more are shown unaligned

# -- scanning definitions for attacks on models -----------------------------------------------------------
MAX_SCANNED_TEXT: Final = 1 * MIB  # characters: no context holds more; a longer text is itself a finding
SCAN_EVIDENCE: Final = 200  # characters that are quoted of a finding
SCAN_POINTER_STEP: Final = 200  # characters of one step of a JSON pointer: a key may have a million

# -- wrapped configs --------------------------------------------------------------------------------------
KEPT_ORIGINALS: Final = 10  # versions of each file: enough for yesterday's, and secrets do not pile up
