/**
 * Goal: a relayed request differs from the caller's in the published edits and in nothing else.
 * Method: undo the edits and compare bytes, over bodies at random.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { inboundOf, leastRequest } from '../fixtures/read-fixture.ts';
import { peek } from '../peek/peek.ts';
import { usualQuirks } from '../quirks.ts';
import { patchRequest } from './patch-request.ts';

const UPSTREAM = 'claude-lighthouse-4-20260101';

describe('the relayed body', () => {
  const reserved = new Set(['model', 'max_tokens', 'messages', 'stream', 'tools']);
  const extra = fc.dictionary(
    fc
      .string()
      .filter((name) => !reserved.has(name))
      .map((name) => `x${name}`),
    fc.jsonValue(),
    { maxKeys: 4 },
  );
  const space = fc.stringMatching(/^[ \t\r\n]{0,3}$/);

  test("is the caller's, byte for byte, once the model and the cap are put back", () => {
    fc.assert(
      fc.property(
        extra,
        fc.nat(),
        fc.boolean(),
        fc.option(fc.nat(4096)),
        space,
        (fields, cap, capFirst, lowered, gap) => {
          const asked = capFirst
            ? { max_tokens: cap, ...fields, model: 'a/"ü"' }
            : { model: 'a/"ü"', ...fields, max_tokens: cap };
          const caller = `${gap}${JSON.stringify({ ...asked, messages: ['m'] }, null, gap)}${gap}`;
          const inbound = inboundOf(caller);
          const { body } = patchRequest(inbound, peek(inbound), {
            model: UPSTREAM,
            outputCap: lowered,
            quirks: usualQuirks,
          });

          const sent = inboundOf(body.toString());
          const model = sent.document.fields.get('model');
          const sentCap = sent.document.fields.get('max_tokens');
          assert.ok(model !== undefined && sentCap !== undefined);
          assert.equal(body.toString('utf8', model.valueStart, model.valueEnd), `"${UPSTREAM}"`);
          assert.equal(body.toString('utf8', sentCap.valueStart, sentCap.valueEnd), String(lowered ?? cap));

          const undo = [
            { field: model, text: JSON.stringify('a/"ü"') },
            { field: sentCap, text: String(cap) },
          ].sort((left, right) => right.field.valueStart - left.field.valueStart);
          assert.ok(Buffer.isBuffer(body), 'a body of this size comes in one piece');
          let undone = body;
          for (const { field, text } of undo) {
            undone = Buffer.concat([
              undone.subarray(0, field.valueStart),
              Buffer.from(text),
              undone.subarray(field.valueEnd),
            ]);
          }
          assert.equal(undone.toString(), caller);
        },
      ),
    );
  });

  test('has nothing of what says where the call may be served', () => {
    const { cloud: _, ...quirks } = usualQuirks;
    const stated = { provider: { order: ['anthropic'] }, models: ['vendor/y'], route: 'fallback' };
    for (const asked of [
      { ...leastRequest, ...stated },
      { ...stated, ...leastRequest },
    ]) {
      const inbound = inboundOf(JSON.stringify(asked));
      for (const edits of [quirks, { ...quirks, cloud: 'vertex' as const }]) {
        const { body } = patchRequest(inbound, peek(inbound), { model: UPSTREAM, outputCap: null, quirks: edits });
        const { fields } = inboundOf(body.toString()).document;
        assert.deepEqual(
          ['provider', 'models', 'route', 'messages'].map((name) => fields.has(name)),
          [false, false, false, true],
        );
      }
    }
  });

  test('when it is large, is not copied but taken apart around the edits', () => {
    const document = `"messages":[{"role":"user","content":"${'a long document '.repeat(10_000)}"}]`;
    const caller = `{"max_tokens":100,${document},"model":"a"}`;
    const inbound = inboundOf(caller);
    const { body } = patchRequest(inbound, peek(inbound), {
      model: UPSTREAM,
      outputCap: 50,
      quirks: usualQuirks,
    });
    assert.ok(!Buffer.isBuffer(body));
    const shared = body.map((part) => part.buffer === inbound.document.bytes.buffer);
    assert.deepEqual(shared, [true, false, true, false, true]);
    assert.equal(Buffer.concat(body).toString(), `{"max_tokens":50,${document},"model":"${UPSTREAM}"}`);
  });

  test('keeps a thinking signature of a tool loop unchanged', () => {
    const signature = '"signature":"c2ln\\/bmF0\\u0041dXJl+/=="';
    const caller = `{"model":"a","max_tokens":9,"messages":[{"role":"assistant","content":[{"type":"thinking","thinking":"",${signature}}]}]}`;
    const inbound = inboundOf(caller);
    const { body } = patchRequest(inbound, peek(inbound), {
      model: UPSTREAM,
      outputCap: null,
      quirks: usualQuirks,
    });
    assert.equal(body.toString(), caller.replace('"a"', `"${UPSTREAM}"`));
  });
});

describe('the relayed headers', () => {
  const headersOf = (headers: Record<string, string | string[]>, stream = false) => {
    const inbound = inboundOf({ ...leastRequest, stream }, headers);
    return patchRequest(inbound, peek(inbound), { model: UPSTREAM, outputCap: null, quirks: usualQuirks }).headers;
  };

  test('are the minimum when the caller sends none', () => {
    assert.deepEqual(headersOf({}), {
      'content-type': 'application/json',
      accept: 'application/json',
      'anthropic-version': '2023-06-01',
    });
    assert.equal(headersOf({}, true)['accept'], 'text/event-stream');
  });

  test("include version, betas and Claude Code's hints unchanged", () => {
    const own = {
      'anthropic-version': '2026-10-21',
      'anthropic-beta': 'a-2026-01-01,b-2026-01-01, c',
      'x-claude-code-session-id': '0000',
      'x-claude-code-agent-id': 'one',
    };
    assert.deepEqual(headersOf(own), { ...own, 'content-type': 'application/json', accept: 'application/json' });
  });

  test('include all documented hints of Claude Code', () => {
    const hints = {
      'x-claude-code-session-id': '0000',
      'x-claude-code-agent-id': 'one',
      'x-claude-code-parent-agent-id': 'none',
      'x-claude-code-request-class': 'subagent',
      'x-claude-code-agent-type': 'Explore',
      'x-claude-code-compaction': 'auto',
      'x-claude-code-context-compacted': 'manual',
      'x-claude-code-prev-tool-durations': 'Bash=742',
      'x-claude-code-prompt-id': '0001',
    };
    const passed = headersOf(hints);
    for (const [name, value] of Object.entries(hints)) assert.equal(passed[name], value);
  });

  test('join betas that came in several lines', () => {
    assert.equal(headersOf({ 'anthropic-beta': ['a-1', 'b-2'] })['anthropic-beta'], 'a-1,b-2');
  });

  test('include nothing about an account, and no credential', () => {
    const passed = headersOf({
      authorization: 'Bearer sk-tp-secret',
      'x-api-key': 'sk-tp-secret',
      'anthropic-workspace-id': 'wrkspc_1',
      'anthropic-user-profile-id': 'profile_1',
      'anthropic-organization-id': 'org_1',
      'anthropic-dangerous-direct-browser-access': 'true',
      cookie: 'a=b',
      'user-agent': 'claude-cli/2.1.329',
      'x-app': 'cli',
      'x-claude-code-authorization': 'Bearer secret',
      'x-claude-code-ide-authorization': 'secret',
      'x-claude-code-anything-else': 'secret',
      'x-stainless-os': 'Linux',
      'x-forwarded-for': '10.0.0.1',
      'transfer-encoding': 'chunked',
    });
    assert.deepEqual(Object.keys(passed).sort(), ['accept', 'anthropic-version', 'content-type']);
  });
});
