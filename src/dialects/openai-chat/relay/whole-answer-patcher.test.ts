/**
 * Goal: an answer is edited in the same way whether its fields are found by a short search or by a full walk. Method: answers made of parts
 * that could mislead a search, patched by the patcher of whole answers, and by that of streams, which always walks.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { bytesOf } from '../../../core/body.ts';
import type { RelayContext } from '../../interface/relay.ts';
import { WholeAnswer } from '../../kit/relay/whole-answer.ts';
import { StreamPatcher } from './patcher.ts';
import { placeOfUsage } from './place-of-usage.ts';
import { WholeAnswerPatcher } from './whole-answer-patcher.ts';

test('an answer in the usual form is edited in both places', () => {
  const answer = '{"id":"a","model":"up","choices":[{"m":"{\\"model\\":1}"}],"usage":{"n":1,"d":{"c":0}},"tier":"x}]"}';
  assert.equal(
    patchRead(answer, 'mine', '0.5'),
    '{"id":"a","model":"mine","choices":[{"m":"{\\"model\\":1}"}],"usage":{"n":1,"d":{"c":0},"cost":0.5},"tier":"x}]"}',
  );
  assert.equal(patchRead('{"model":"up","choices":[]}\n', 'mine', '0.5'), '{"model":"mine","choices":[]}\n');
});

test('the provider is added after the model of an answer, unless the answer already has one', () => {
  const rows = [
    ['{"model":"up","choices":[]}', '{"model":"mine","provider":"harbour","choices":[]}'],
    ['{"choices":[],"model":"up"}', '{"choices":[],"model":"mine","provider":"harbour"}'],
    ['{"model":"up","provider":"Amazon Bedrock"}', '{"model":"mine","provider":"Amazon Bedrock"}'],
    ['{"model":"up","provider":null}', '{"model":"mine","provider":null}'],
    ['{"model":"up","x":{"provider":"y"}}', '{"model":"mine","provider":"harbour","x":{"provider":"y"}}'],
    ['{"choices":[]}', '{"choices":[]}'],
  ] as const;
  for (const [answer, expected] of rows) assert.equal(patchRead(answer, 'mine', null, 'harbour'), expected);
});

test('a name that ends like a known one is not taken for it', () => {
  const deeper = '{"model":"up","usage":{"n":1},"x":{"usage":{"n":2}}}';
  assert.equal(patchRead(deeper, 'mine', '0.5'), deeper.replace('"up"', '"mine"').replace('1}', '1,"cost":0.5}'));
  const escaped = '{"model":"up","usage":{"n":1},"\\"usage":{"n":2}}';
  assert.equal(patchRead(escaped, 'mine', '0.5'), escaped.replace('"up"', '"mine"').replace('1}', '1,"cost":0.5}'));
});

test('an answer in other scripts, under a name in another, keeps every byte', () => {
  const answer = '{"é":"灯","model":"上","choices":[{"message":{"content":"Grüße 👋 \u2028"}}],"usage":{"n":1}}';
  const name = 'vendor/"灯" \u{1f44b}';
  const expected = answer.replace('"上"', JSON.stringify(name)).replace('"n":1', '"n":1,"cost":0.5');
  assert.equal(patchRead(answer, name, '0.5'), expected);
});

test('bytes that are not UTF-8 pass unchanged', () => {
  const answer = Buffer.from('{"model":"up","choices":["\xff\xfe"],"usage":{"n":1}}', 'latin1');
  const expected = '{"model":"mine","choices":["\xff\xfe"],"usage":{"n":1,"cost":0.5}}';
  const patched = new WholeAnswerPatcher(false, contextOf('mine', '0.5')).body(new WholeAnswer(answer));
  assert.equal(bytesOf(patched).toString('latin1'), expected);
});

test('an answer with nothing to edit is the received buffer', () => {
  const answer = Buffer.from('{"model":"mine","choices":[],"usage":{"n":1}}');
  assert.equal(new WholeAnswerPatcher(false, contextOf('mine', null)).body(new WholeAnswer(answer)), answer);
});

test('the search and the walk edit every answer alike', () => {
  let searched = 0;
  const names = fc.constantFrom('mine', 'up', '灯');
  const property = fc.property(answers, names, costs, providers, (answer, name, cost, provider) => {
    const walked = new StreamPatcher(false, contextOf(name, cost, provider)).body(new WholeAnswer(Buffer.from(answer)));
    assert.equal(patchRead(answer, name, cost, provider), bytesOf(walked).toString());
    if (placeIsFound(answer)) searched += 1;
  });
  fc.assert(property, { numRuns: 5000, seed: 20261121 });
  assert.ok(searched > 300, `the usage of only ${searched} answers was found from the end`);
});

const names = fc.constantFrom(
  '"model"',
  '"usage"',
  '"choices"',
  '"x"',
  '"mod\\u0065l"',
  '"us\\u0061ge"',
  '"a model"',
  '"\\"model"',
);
const costKeys = fc.constantFrom(
  '"cost":1',
  '"n":1',
  '"c\\u006fst":2',
  '"d":{"cost":3}',
  '"s":"}{\\\\"',
  '"n":{"m":[1,{}]}',
);
const spaces = fc.constantFrom('', '', '', ' ', '\n');
const costs = fc.constantFrom('0.5', null);

const strings = fc.constantFrom(
  '"up"',
  '"mine"',
  '"u\\/p"',
  '"\\\\"',
  '"a,\\"model\\":\\"up\\""',
  '"}],"',
  '"灯"',
  '"model"',
);
const usages = fc
  .tuple(fc.array(costKeys, { maxLength: 3 }), spaces)
  .map(([keys, space]) => `{${keys.join(',')}${space}}`);
const values = fc.oneof(
  { weight: 4, arbitrary: strings },
  { weight: 4, arbitrary: usages },
  fc.constantFrom('null', '7', '[]', '[{"model":"up"}]', '{"usage":{"n":1}}', '[{"usage":{"n":1},"model":"in"}]', '{}'),
);
const anyField = fc.tuple(names, spaces, values).map(([name, space, value]) => `${name}${space}:${value}`);
const usual = fc.constantFrom(
  '"id":"a"',
  '"model":"up"',
  '"choices":[{"index":0}]',
  '"usage":{"n":1,"d":{"c":0}}',
  '"tier":null',
  '"provider":"up"',
);
const providers = fc.constantFrom(undefined, 'harbour', '灯"');
const usageKeys = fc.constantFrom('"usage"', '"usage"', '"us\\u0061ge"', '"x"', '"a usage"', '"\\"usage"');
const usageField = fc.tuple(usageKeys, spaces, values).map(([key, space, value]) => `${key}${space}:${value}`);
/** Half of them begin with a model that the search finds, so that the usage decides. */
const answers = fc
  .tuple(
    fc.oneof(
      fc.array(fc.oneof({ weight: 3, arbitrary: usual }, anyField), { maxLength: 6 }),
      fc.array(usageField, { maxLength: 3 }).map((fields) => ['"model":"up"', ...fields]),
    ),
    spaces,
    spaces,
  )
  .map(([fields, before, between]) => `${before}{${fields.join(`${between},`)}}${between}`);

function contextOf(callerModel: string, cost: string | null, provider?: string): RelayContext {
  return { callerModel, ...(provider !== undefined && { provider }), cost: () => cost };
}

/** The answer as it leaves after the meter has read it. */
function patchRead(answer: string, name: string, cost: string | null, provider?: string): string {
  const body = Buffer.from(answer);
  return bytesOf(new WholeAnswerPatcher(false, contextOf(name, cost, provider)).body(new WholeAnswer(body))).toString();
}

function placeIsFound(answer: string): boolean {
  const { usage } = JSON.parse(answer);
  return (
    typeof usage === 'object' && usage !== null && !Array.isArray(usage) && placeOfUsage(Buffer.from(answer)) !== null
  );
}
