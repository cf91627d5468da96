/**
 * Goal: what several nodes share has no prompt, no answer, no name that a caller gave, no key and no credential in clear. Method: two whole gateways
 * with PostgreSQL and Valkey serve marked calls that succeed, fail and are refused; then every row of the database, every command that Valkey got, and
 * every line of the logs is searched.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/core/clock.ts';
import { openConnections } from '../../src/storage/postgres/engine/connections.ts';
import { chatBody, type OpenGateway } from '../support/open-gateway.ts';
import { serverNames } from '../support/postgres/servers.ts';
import { startRedis } from '../support/redis-server.ts';
import { NODE_SECRETS, startNodes } from '../support/start-nodes.ts';
import { answerWell, refuse } from '../support/upstream-scripts.ts';

const PATH = '/api/v1/chat/completions';
/** As many at least are settled and recorded. */
const CALLS = 10;
const SECRETS: Record<string, string> = {
  'a prompt': 'the canary in the prompt sings',
  'a prompt that was refused': 'the canary in the refused prompt sings',
  'a line of a file': 'the canary in the file sings',
  'a conversation': 'canary-of-a-conversation',
  'an idempotency key': 'canary-of-an-idempotency-key',
  'the words of a provider': 'the canary in the error hums',
  'a credential': 'sk-canary-of-a-provider-0123456789',
  'an own credential': 'sk-canary-of-a-member-0123456789',
  'the master key': NODE_SECRETS.sealingKey,
};

const [server] = serverNames;
if (server !== undefined)
  test(`PostgreSQL ${server}: nothing secret is shared in clear`, { timeout: 55_000 }, async (context) => {
    const redis = await startRedis();
    context.after(() => redis.close());
    const monitor = await redis.client.monitor();
    context.after(() => monitor.disconnect());
    const commands: string[] = [];
    monitor.on('monitor', (_time: string, words: readonly string[]) => commands.push(words.join(' ')));
    const nodes = await startNodes(2, server, { valkey: { url: redis.url }, log: { level: 'trace' } });
    context.after(() => nodes.close());
    const [one, other] = nodes.nodes as [OpenGateway, OpenGateway];
    const manage = async (path: string, payload: object) => {
      const answer = await one.app.control.inject({ method: 'POST', url: `/control/api${path}`, payload });
      assert.ok(answer.statusCode < 300, answer.body);
      return answer.json();
    };
    await manage('/providers', {
      ...{ name: 'stored', kind: 'custom', origin: nodes.upstream.origin, dialects: ['openai-chat'] },
      credential: SECRETS['a credential'],
      model_settings: [{ upstream: 'm', id: 'stored/m', price: { input: '1', output: '5' }, output_cap: 99 }],
    });
    await manage('/byok', { provider: 'openai', name: 'mine', key: SECRETS['an own credential'] });
    const { key } = await manage('/keys', { name: 'limited', limits: { requests_per_minute: 30 } });
    SECRETS['a key'] = key;
    const ask = async (node: OpenGateway, words: string, more: object = {}, headers: Record<string, string> = {}) => {
      const answer = await node.post(
        PATH,
        { ...chatBody(false, words), ...more },
        { authorization: `Bearer ${key}`, 'x-session-id': SECRETS['a conversation'] ?? '', ...headers },
      );
      await answer.text();
      return answer.status;
    };
    const prompt = SECRETS['a prompt'] ?? '';
    assert.equal(await ask(one, prompt, {}, { 'idempotency-key': SECRETS['an idempotency key'] ?? '' }), 200);
    assert.equal(await ask(other, prompt, {}, { 'idempotency-key': SECRETS['an idempotency key'] ?? '' }), 200);
    for (let each = 0; each < CALLS; each += 1) await ask(each % 2 === 0 ? one : other, prompt);
    await ask(other, SECRETS['a prompt that was refused'] ?? '', { model: 'none/such' });
    nodes.upstream.play(refuse(500, { error: { message: SECRETS['the words of a provider'] } }));
    for (const node of [one, other]) await ask(node, prompt, { model: 'stored/m' });
    nodes.upstream.play(answerWell);

    const form = new FormData();
    form.append('purpose', 'batch');
    form.append('file', new File([SECRETS['a line of a file'] ?? ''], 'lines.jsonl'));
    const headers = { authorization: `Bearer ${key}` };
    const upload = await fetch(`${one.url}/api/v1/files`, { method: 'POST', headers, body: form });
    const { id } = (await upload.json()) as { id: string };
    const content = await fetch(`${other.url}/api/v1/files/${id}/content`, { headers });
    assert.equal(await content.text(), SECRETS['a line of a file'], 'another node reads it');

    const { query, close } = await openConnections({ url: nodes.database.url, readUrl: null, connections: 1 });
    context.after(close);
    const written = async () => {
      const { rows } = await query<{ has: boolean }>(
        `select (select count(*) from settlements) >= ${CALLS} and (select count(*) from records) >= ${CALLS} as has`,
      );
      return rows[0]?.has === true;
    };
    while (!(await written())) await pause(100);
    const seen: [string, string][] = [['the commands of Valkey', commands.join('\n')]];
    for (const [index, { log }] of [one, other].entries()) seen.push([`the log of node ${index + 1}`, log.join('')]);
    const { rows: tables } = await query<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'captures')",
    );
    for (const { name } of tables) {
      const { rows } = await query<{ row: string }>(`select t::text as row from ${name} as t`);
      seen.push([`the table ${name}`, rows.map(({ row }) => row).join('\n')]);
    }
    assert.ok(tables.length > 20 && commands.length > 20, `${tables.length} tables, ${commands.length} commands`);
    assert.ok(
      seen.some(([place, text]) => place.includes('settlements') && text !== ''),
      'there are settlements',
    );
    const found = seen.flatMap(([place, text]) =>
      Object.entries(SECRETS)
        .filter(([, secret]) => formsOf(secret).some((form) => text.includes(form)))
        .map(([name]) => `${name} in ${place}`),
    );
    assert.deepEqual(found, []);
  });

function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [secret, bytes.toString('hex'), bytes.toString('base64').slice(0, -4)];
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => systemClock.after(ms, resolve));
}
