/**
 * Goal: a search that nothing limits is left out of a relayed request with everything that names it, and nothing else is changed; a caller
 * that insists on it keeps it. Method: bodies as text, compared byte for byte with the same bodies written without the search.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inboundOf } from '../../contract.ts';
import { sealThought } from '../answer/thought-seal.ts';
import { openaiResponses } from '../openai-responses.ts';
import { usualQuirks } from '../quirks.ts';
import { withoutSearch } from './without-search.ts';

const search = '{"type":"web_search","external_web_access":false}';
const dated = '{ "filters":{"allowed_domains":["a.example"]}, "type" : "web_search_2025_08_26" }';
const f = '{"type":"function","name":"f","parameters":{"type":"object","properties":{"web_search":{"type":"string"}}}}';
const g = '{"type":"custom","name":"web_search"}';

/** `fields` after the model, as JSON text. */
const bodyOf = (...fields: readonly string[]) =>
  `{"model":"vendor/x",${['"input":[{"role":"user","content":"hi"}]', ...fields, '"odd":1.50'].join(',')}}`;
const toolsOf = (...tools: readonly string[]) => `"tools":[${tools.join(',')}]`;

/** The body that is sent if the search is left out; null if it is not. */
function sentFor(body: string, outputCap: number | null = null): string | null {
  const inbound = inboundOf(openaiResponses, body);
  const peek = withoutSearch(inbound, openaiResponses.peek(inbound));
  if (peek === null) return null;
  assert.deepEqual([peek.serverToolUses, peek.serverTools], [0, undefined]);
  const patched = openaiResponses.patchRequest(inbound, peek, { model: peek.model, outputCap, quirks: usualQuirks });
  assert.deepEqual(
    patched.warnings?.filter((warning) => warning.includes('web_search')).length,
    1,
    String(patched.warnings),
  );
  const sent = patched.body.toString();
  const again = openaiResponses.peek(inboundOf(openaiResponses, sent));
  assert.deepEqual([again.serverToolUses, again.promptUnbounded], [0, peek.promptUnbounded], 'as the gateway read it');
  return sent;
}

describe('the search is left out', () => {
  test('wherever it stands among the tools', () => {
    for (const first of [f, search, g, dated])
      for (const second of [f, search, g, dated])
        for (const third of [f, search, g, dated]) {
          const all = [first, second, third];
          const kept = all.filter((tool) => tool === f || tool === g);
          if (kept.length === 0 || kept.length === all.length) continue;
          assert.equal(sentFor(bodyOf(toolsOf(...all))), bodyOf(toolsOf(...kept)));
        }
  });

  test('whatever white space is around it', () => {
    const sent = sentFor(`{ "model":"vendor/x",\n "input":"hi" , "tools" : [ ${search} ,\n ${f} , ${dated}\n ] }`);
    assert.equal(sent, `{ "model":"vendor/x",\n "input":"hi" , "tools" : [ ${f}\n ] }`);
  });

  test('from the tools that items of the input add', () => {
    const body = (...tools: readonly string[]) =>
      `{"model":"vendor/x","input":[{"type":"additional_tools","role":"developer",${toolsOf(...tools)}},{"role":"user","content":"hi"}]}`;
    assert.equal(sentFor(body(search, f)), body(f));
    assert.equal(sentFor(body(f, g, search)), body(f, g));
    const both = (...tools: readonly string[]) => body(f).replace('"input"', `${toolsOf(...tools)},"input"`);
    assert.equal(sentFor(both(search)), body(f), 'no empty list stays');
    assert.equal(sentFor(both(g, search)), both(g));
  });

  test('with all that is said about tools, if there is no other', () => {
    const bare = bodyOf();
    assert.equal(sentFor(bodyOf(toolsOf(search))), bare);
    for (const choice of ['"auto"', '"none"', 'null', '{"type":"auto"}'])
      assert.equal(
        sentFor(bodyOf('"parallel_tool_calls":false', `"tool_choice":${choice}`, toolsOf(search, dated))),
        bare,
      );
    const last = `{"input":"hi","model":"vendor/x","tool_choice":"auto",${toolsOf(search)},"parallel_tool_calls":true}`;
    assert.equal(sentFor(last), '{"input":"hi","model":"vendor/x"}');
    assert.equal(sentFor(last, 300), '{"max_output_tokens":300,"input":"hi","model":"vendor/x"}');
  });

  test('while a choice of other tools stays', () => {
    for (const choice of [
      '"required"',
      '"auto"',
      '"none"',
      '{"type":"function","name":"f"}',
      '{"type":"custom","name":"g"}',
    ])
      assert.equal(
        sentFor(bodyOf(`"tool_choice":${choice}`, toolsOf(f, search))),
        bodyOf(`"tool_choice":${choice}`, toolsOf(f)),
      );
  });

  test('from the tools that are allowed', () => {
    const choice = (...tools: readonly string[]) =>
      `"tool_choice":{"type":"allowed_tools","mode":"required",${toolsOf(...tools)}}`;
    const named = '{"type":"function","name":"f"}';
    const sent = bodyOf(choice(named), toolsOf(f));
    assert.equal(sentFor(bodyOf(choice('{"type":"web_search"}', named), toolsOf(f, search))), sent);
    assert.equal(sentFor(bodyOf(choice(named, '{"type":"web_search"}'), toolsOf(search, f))), sent);
    assert.equal(sentFor(bodyOf(choice(named), toolsOf(search, f))), sent);
  });

  test('and what the answer should include of it', () => {
    const include = (...names: readonly string[]) => `"include":${JSON.stringify(names)}`;
    const sources = 'web_search_call.action.sources';
    const body = (...names: readonly string[]) => bodyOf(include(...names), toolsOf(f));
    const asked = (...names: readonly string[]) => sentFor(bodyOf(include(...names), toolsOf(f, search)));
    assert.equal(asked(sources, 'reasoning.encrypted_content'), body('reasoning.encrypted_content'));
    assert.equal(
      asked('reasoning.encrypted_content', sources, 'web_search_call.results'),
      body('reasoning.encrypted_content'),
    );
    assert.equal(asked(sources), body());
    assert.equal(asked('file_search_call.results'), body('file_search_call.results'));
  });

  test('next to the other edits', () => {
    const thought = {
      type: 'reasoning',
      summary: [],
      encrypted_content: sealThought({ origin: 'x', signature: 'c2ln', encrypted: null }),
    };
    const body = `{"model":"vendor/x","tools":[${search}],"input":[${JSON.stringify(thought)},{"role":"user","content":"hi"}],"max_output_tokens":null}`;
    assert.equal(
      sentFor(body, 300),
      '{"model":"vendor/x","input":[{"role":"user","content":"hi"}],"max_output_tokens":300}',
    );
  });
});

describe('the search stays', () => {
  for (const [why, ...fields] of [
    ['the number of its uses is limited', '"max_tool_calls":3', toolsOf(f, search)],
    [
      'another tool has no limit, either',
      toolsOf(f, search, '{"type":"mcp","server_label":"s","server_url":"https://s.example"}'),
    ],
    ['it is the earlier version, which clients send on purpose', toolsOf(f, '{"type":"web_search_preview"}')],
    ['it is chosen', '"tool_choice":{"type":"web_search"}', toolsOf(f, search)],
    ['it is chosen by an older name', '"tool_choice":{"type":"web_search_preview"}', toolsOf(f, search)],
    ['a tool is required, and there is no other', '"tool_choice":"required"', toolsOf(search)],
    ['a tool is required in another way', '"tool_choice":{"type":"required"}', toolsOf(search)],
    [
      'nothing else is allowed',
      `"tool_choice":{"type":"allowed_tools","mode":"auto",${toolsOf('{"type":"web_search"}')}}`,
      toolsOf(f, search),
    ],
    [
      'the allowed tools are unclear',
      `"tool_choice":{"type":"allowed_tools","tools":[],${toolsOf(f)}}`,
      toolsOf(f, search),
    ],
    ['a tool that is not there is chosen', '"tool_choice":{"type":"function","name":"f"}', toolsOf(search)],
    ['a tool is unclear', toolsOf('{"type":"web_search","type":"function"}')],
    ['there is none', toolsOf(f)],
  ] as const)
    test(`if ${why}`, () => {
      assert.equal(sentFor(bodyOf(...fields)), null);
    });

  test('if an item adds nothing else, is unclear, or is of another kind', () => {
    for (const item of [
      `{"type":"additional_tools",${toolsOf(search)}}`,
      `{"type":"additional_tools",${toolsOf(f, search)},${toolsOf(f)}}`,
      `{"type":"tool_search_output",${toolsOf(f, search)}}`,
      `{${toolsOf(f, search)}}`,
    ])
      assert.equal(sentFor(`{"model":"vendor/x","input":[${item},{"role":"user","content":"hi"}]}`), null, item);
  });
});

test('the search is left out together with what says where the call may be served', () => {
  const stated = ['"provider":{"sort":"price"}', '"models":["vendor/y"]'];
  assert.equal(sentFor(bodyOf(...stated, toolsOf(search))), bodyOf());
  assert.equal(sentFor(bodyOf(toolsOf(search, f), ...stated)), bodyOf(toolsOf(f)));
  assert.equal(
    sentFor(`{"model":"vendor/x","input":"hi",${toolsOf(search)},${stated[0]}}`),
    '{"model":"vendor/x","input":"hi"}',
  );
});
