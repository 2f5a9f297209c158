"""Suites as people write them, in both shapes, and a way to load a text."""

from pathlib import Path

from toolbooth.suite.spec.load import load_suite
from toolbooth.suite.spec.suite import Suite

# Shape A: an operator under the target's name, an agent that is defined elsewhere.
SHAPE_A = """\
tests:
  - name: the librarian searches and then fetches
    type: agent
    agent: librarian
    runs: 1
    equal_function_sets:
      classes:
        - name: search
          members:
            - shelf.find
            - archive.search
        - name: fetch
          members:
            - http.get
      expect:
        - tool_selection.f1: { ">=": 80 }
"""
# Shape B: target and matcher, on an agent that is a test by itself.
SHAPE_B = """\
agents:
- name: finds its way in a wide catalog
  model: claude-sonnet-4-5
  servers: [shelf]
  runs: 3
  prompt: >
    Find last year's figures and read them to me.
  token_efficiency:
    classes:
    - name: search
      members:
      - search
    - name: fetch
      members:
      - fetch
    expect:
    # It must not get lost.
    - target: token_efficiency.f1
      matcher:
        schema: { minimum: 60 }
    - target: token_efficiency.tokens_per_correct
      matcher:
        schema: { maximum: 1500 }
"""
BOTH = SHAPE_B + SHAPE_A
WHOLE = """\
version: 1
name: the support team
servers:
  notes: {command: notes-server, args: [--port, "1"], env: {LEVEL: low}}
config: [.mcp.json, ~/.cursor/mcp.json]
cassettes: recorded
redact: ["ACME-[0-9]+"]
budget: 2.5
seed: 7
concurrency: 2
defaults:
  model: [lexical, openai:gpt-5-mini]
  surface: [direct, search]
  max_turns: 4
  timeout: 30
  price: {input: 1, output: 2.5}
agents:
  - name: clerk
    system_prompt: Be brief.
    instructions: false
    servers: [notes]
    temperature: 0
    max_tokens: 500
    retries: 2
    base_url: http://127.0.0.1:8080/v1
    api_key_env: DESK_KEY
tests:
  - name: writes a note
    agent: clerk
    prompt: Note that the meeting is on Monday.
    equal_function_sets:
      classes: [{name: write, members: [notes.create_note]}]
    token_efficiency:
      classes: [{name: write, members: [notes.create_note]}]
      expect: []
    distractors: {count: 20, seed: 3}
    budget: 0.5
    expect:
      - {"tool_calls[0].args.title": {icontains: monday}, cost: {"<": 1}}
      - {target: final_response, matcher: {regex: "(?i)done", contains: o}}
      - {target: tool_names, matcher: {contains-all: [notes.create_note]}}
  - name: says hello
    model: scripted
    surface: code
    prompt: Hello.
    runs: 2
    no_calls: [notes.delete_note]
    script:
      - {say: Good morning., calls: [notes.list_notes, {call: get_note, args: {id: 1, deep: {er: [x]}}}]}
      - {use: search_tools, args: {query: hello}}
      - notes.list_notes
      - {say: Good bye.}
  - name: stays idle
    prompt: Thank you.
    equal_function_sets: {classes: [], expect_no_calls: true}
    no_calls: true
"""
SMALLEST = "tests: [{name: a, no_calls: true}]\n"


def loaded(folder: Path, text: str) -> Suite:
    """The text as a file of that folder."""
    path = folder / "support.toolbooth.yaml"
    path.write_text(text, encoding="utf-8")
    return load_suite(path)
