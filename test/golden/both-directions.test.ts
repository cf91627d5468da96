/**
 * Goal: an error is refused, and a loss reported, alike whoever calls and whoever serves. Method: one request for each rule, in the format of
 * every caller, written for every provider of another format.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { CallerDialectName, ProviderDialectName } from '../../src/dialects/index.ts';
import type { WriteTarget } from '../../src/dialects/interface/write-target.ts';
import { callerNames, providerNames } from './fixtures.ts';
import { plainFormats } from './plain-requests.ts';
import { openTarget, targetsOf } from './targets.ts';
import { type Refused, translateRequest, type Written } from './translate.ts';

for (const from of callerNames) {
  const format = plainFormats[from];
  describe(from, () => {
    const others = providerNames.filter((to) => String(to) !== from);

    test('an empty turn to answer is refused, instead of continuing the previous answer', () => {
      for (const to of others) {
        for (const empty of ['', ' \n']) {
          assert.deepEqual(refusal(translate(from, to, format.turns(['hi', 'a', empty]))), [
            'invalid_value',
            format.emptyTurn,
          ]);
        }
        assert.equal(translate(from, to, format.turns(['hi', 'a', '', 'b', 'hi'])).type, 'written', to);
      }
    });

    test('two tools with one name are refused', () => {
      for (const to of others) {
        assert.deepEqual(refusal(translate(from, to, format.tools(['f', 'g', 'f']))), [
          'invalid_value',
          format.repeatedName,
        ]);
      }
    });

    test('a choice of tools without a tool is refused', () => {
      for (const to of others) {
        const refused = (fields: object) => refusal(translate(from, to, fields));
        assert.equal(refused(format.required())?.[0], 'invalid_value');
        assert.equal(refused({ ...format.tools(['f']), ...format.required('g') })?.[0], 'invalid_value');
        assert.equal(refused({ ...format.tools(['f']), ...format.required('f') }), null);
        assert.equal(refused({ ...format.tools(['f']), ...format.required() }), null);
      }
    });

    test('unknown fields inside messages, parts and tools are reported', () => {
      for (const to of others) {
        for (const [place, fields] of format.unknown) {
          const warned = warnings(from, to, fields);
          assert.ok(
            warned.some((text) => text.startsWith(`${place} `) && text.endsWith('was left out')),
            `${place}: ${warned}`,
          );
        }
      }
    });

    test('empty stop sequences are reported', { skip: format.stop === undefined && 'it has none' }, () => {
      for (const to of others) {
        assert.ok(
          warnings(from, to, format.stop?.(['', 'x']) ?? {}).includes('empty stop sequences were left out'),
          to,
        );
      }
    });

    test('a penalty of 0 is dropped without a warning', {
      skip: format.penalties === undefined && 'it has none',
    }, () => {
      for (const to of others) {
        for (const { name, target } of targetsOf(to)) {
          const warned = warnings(from, to, format.penalties?.(0) ?? {}, target);
          assert.ok(!warned.some((text) => text.includes('penalty')), `${name} of ${to}: ${warned}`);
        }
        const lost = warnings(from, to, format.penalties?.(0.1) ?? {}).length;
        assert.equal(lost, TAKES_PENALTIES.has(to) ? 0 : 2, to);
      }
    });

    test('a map in an answer’s schema is carried, requested in the prompt, or refused if it must be followed', () => {
      const schema = { type: 'object', additionalProperties: { type: 'integer' } };
      for (const to of others) {
        const must = translate(from, to, format.schema(schema, true));
        const may = translate(from, to, format.schema(schema, false));
        for (const written of [must, may]) {
          if (written.type === 'refused') {
            assert.equal(written.code, 'unsupported_value', to);
            continue;
          }
          const text = JSON.stringify(written.body);
          const isWhole = text.includes('"additionalProperties":{"type":"integer"}');
          const isPrompted = written.warnings.length > 0 && text.includes('additionalProperties');
          assert.ok(isWhole || isPrompted, `${to}: ${text}`);
        }
      }
    });

    test('the description of an answer schema is passed on', {
      skip: !format.takesDescription && 'it has none',
    }, () => {
      const properties = { a: { type: 'string' } };
      const schema = { type: 'object', properties, required: ['a'], additionalProperties: false };
      for (const to of others) {
        const written = translate(from, to, format.schema(schema, true, 'One tide.'));
        assert.ok(written.type === 'written' && written.warnings.length === 0, to);
        assert.ok(JSON.stringify(written.body).includes('"description":"One tide."'), to);
      }
    });
  });
}

test('white space after a prefilled answer is reported', () => {
  const prefilled = plainFormats['openai-chat'].turns(['hi', 'a ']);
  assert.equal(warnings('openai-chat', 'anthropic-messages', prefilled, openTarget).length, 1);
});

test('a second option for thinking is reported', () => {
  const both = { reasoning: { effort: 'high', max_tokens: 2_000 } };
  assert.deepEqual(warnings('openai-chat', 'anthropic-messages', both, openTarget), [
    'the effort was left out: the budget is used instead',
  ]);
  const thinking = { type: 'enabled', budget_tokens: 2_000 };
  assert.deepEqual(warnings('anthropic-messages', 'openai-chat', { thinking, output_config: { effort: 'high' } }), [
    'the thinking budget was left out: the effort is used instead',
  ]);
  const thinkingConfig = { thinkingBudget: 0, thinkingLevel: 'HIGH' };
  assert.equal(warnings('gemini', 'openai-chat', { generationConfig: { thinkingConfig } }).length, 1);
});

/** The formats in which penalties can be said. */
const TAKES_PENALTIES: ReadonlySet<ProviderDialectName> = new Set(['openai-chat', 'gemini']);

function translate(
  from: CallerDialectName,
  to: ProviderDialectName,
  fields: object,
  target: WriteTarget = targetsOf(to)[0]?.target ?? openTarget,
): Written | Refused {
  // Google's callers have the model in the path.
  const first = from === 'gemini' ? {} : { model: 'm', ...(from !== 'openai-responses' && { max_tokens: 4_000 }) };
  const request = { ...first, ...plainFormats[from].turns(['hi']), ...fields };
  return translateRequest({ name: 'x', about: 'x', from, request }, to, target);
}

function refusal(translated: Written | Refused): readonly [string, string | null] | null {
  return translated.type === 'refused' ? [translated.code, translated.param] : null;
}

function warnings(
  from: CallerDialectName,
  to: ProviderDialectName,
  fields: object,
  target?: WriteTarget,
): readonly string[] {
  const translated = translate(from, to, fields, target);
  assert.ok(translated.type === 'written', JSON.stringify(translated));
  return translated.warnings;
}
