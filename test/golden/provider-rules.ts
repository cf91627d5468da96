/** Rules whose breach a vendor answers with a 400, by format: what is written must keep them whatever a caller sent. */
import assert from 'node:assert/strict';
import type { ProviderDialectName } from '../../src/dialects/index.ts';

/** Fails if a provider of this format would refuse the body. */
export function assertTaken(dialect: ProviderDialectName, body: string): void {
  RULES[dialect]?.(body);
}

const RULES: { readonly [Name in ProviderDialectName]?: (body: string) => void } = {
  /** https://docs.anthropic.com/en/api/messages */
  'anthropic-messages': (body) => {
    const { messages, max_tokens: cap, thinking } = JSON.parse(body);
    assert.equal(messages[0]?.role, 'user');
    for (const { content } of messages) assert.ok(content.length > 0);
    assert.ok(cap >= 1);
    const budget = thinking?.budget_tokens;
    assert.ok(budget === undefined || (budget >= 1024 && budget < cap));
    assert.ok((body.match(/"cache_control":/g) ?? []).length <= 4);
  },
  /** https://platform.openai.com/docs/api-reference/chat/create */
  'openai-chat': (body) => {
    const { messages } = JSON.parse(body);
    assert.ok(messages.length > 0);
    const called = new Set<string>();
    for (const { role, content, tool_calls: calls = [], tool_call_id: id } of messages) {
      for (const call of calls) called.add(call.id);
      if (role === 'tool') assert.ok(called.has(id), `a result of ${id}, which nobody called`);
      else if (role !== 'assistant') assert.ok(content.length > 0, `an empty message of ${role}`);
    }
  },
};
