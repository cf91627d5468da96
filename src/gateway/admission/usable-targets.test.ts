/**
 * Goal: a call goes only to targets where it has a price and its format is supported; otherwise the error says why. Method:
 * tables of targets.
 */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Prices, Target } from '../../catalog/model.ts';
import { FREE } from '../../catalog/prices.ts';
import { picoUsd } from '../../core/money.ts';
import type { ServerTool } from '../../core/server-tools.ts';
import { unitPrices } from '../../core/units/units.ts';
import type { DialectName } from '../../dialects/index.ts';
import { chat } from '../../operations/chat.ts';
import { paidTargets, pricedTargets, runningTargets, servingTargets } from './usable-targets.ts';

function target(provider: string, dialects: readonly DialectName[], isPriced = true): Target {
  return { provider, dialects, prices: isPriced ? ({ units: [] as Prices['units'] } as Prices) : null } as Target;
}

const openai = target('a', ['openai-chat']);
const anthropic = target('b', ['anthropic-messages']);
const both = target('c', ['openai-chat', 'anthropic-messages']);
const unpriced = target('d', ['openai-chat'], false);

test('targets without a price are skipped', () => {
  assert.deepEqual(pricedTargets([unpriced, openai, both], 'm'), [openai, both]);
});

test('the error for a model without any price says so, and what the operator can do', () => {
  assert.throws(() => pricedTargets([unpriced], 'vendor/model'), {
    code: 'model_not_priced',
    message:
      /vendor\/model has no price.*turnpike\.yaml.*`turnpike providers update d --models … --price <in>\/<out>`\.$/,
    param: 'model',
  });
});

test('a call goes only to targets with a price for what it is charged for: the units that it asks for, or tokens', () => {
  const priced = (provider: string, prices: Partial<Prices>) => ({
    ...openai,
    provider,
    prices: { ...FREE, ...prices },
  });
  const tokens = priced('tokens', { output: picoUsd(1n) });
  const images = priced('images', { units: unitPrices([['image', picoUsd(1n)]]) });
  const large = priced('large', { units: unitPrices([['image/1024x1024', picoUsd(1n)]]) });
  const free = { ...openai, provider: 'free', prices: FREE };
  const all = [tokens, images, large, free];
  const names = (targets: readonly Target[], name: string | null, orTokens = false) =>
    paidTargets(targets, 'openai-chat', {
      ...{ model: 'acme/m', serverToolUses: 0, searchField: null },
      ...(name !== null && { units: { name, most: 1, orTokens, field: 'n' } }),
    }).map(({ provider }) => provider);
  assert.deepEqual(names(all, null), ['tokens', 'free']);
  assert.deepEqual(names(all, 'image/512x512/high'), ['images', 'free']);
  assert.deepEqual(names(all, 'image/512x512/high', true), ['tokens', 'images', 'free']);
  assert.deepEqual(names(all, 'image/auto/auto'), ['images', 'large', 'free']);
  const refused = (message: RegExp) => ({ code: 'model_not_priced', param: 'model', message });
  assert.throws(
    () => names([tokens, large], 'character'),
    refused(/no price for character, .*`units: \{ character: … \}`/),
  );
  assert.throws(() => names([large], 'image/512x512/auto'), refused(/no price for image.512x512, /));
  assert.throws(() => names([images], null), refused(/no price for tokens/));
});

test('an operation goes to the targets that have it, and is refused if none has', () => {
  const has = ({ dialects }: Target) => dialects.includes('openai-chat');
  assert.deepEqual(servingTargets([anthropic, both], has, chat), [both]);
  assert.throws(() => servingTargets([anthropic], has, chat), {
    code: 'unsupported_value',
    message: 'No provider of this model accepts chat requests in this format.',
    param: 'model',
  });
});

describe('a paid provider tool', () => {
  const lines = { webSearch: null, request: null, units: [] as Prices['units'] } as Prices;
  const searchable = { ...openai, provider: 'search', prices: { ...lines, webSearch: picoUsd(10n) } };
  const plain = { ...openai, provider: 'plain', prices: lines };
  const free = { ...openai, provider: 'free', prices: FREE };
  const always: Target = { ...openai, provider: 'always', prices: lines, searchesAlways: true };
  const names = (uses: number | 'unbounded', searchField: string | null, targets: readonly Target[]) =>
    paidTargets(targets, 'openai-chat', { model: 'm', serverToolUses: uses, searchField }).map(
      ({ provider }) => provider,
    );

  test('goes only to targets where its fee is known, or everything is free', () => {
    assert.deepEqual(names(0, null, [plain, searchable]), ['plain', 'search']);
    assert.deepEqual(names(3, null, [plain, searchable, free]), ['search', 'free']);
    assert.deepEqual(names(0, 'web_search_options', [plain, searchable, always, free]), ['always', 'free']);
    assert.deepEqual(names('unbounded', null, [plain, free]), ['free']);
  });

  test('needs no fee where a translation leaves the tool out', () => {
    const peek = { model: 'm', serverToolUses: 'unbounded', translatedToolUses: 0, searchField: null } as const;
    const none: Target = { ...plain, serverTools: [] };
    assert.deepEqual(paidTargets([plain, anthropic], 'anthropic-messages', peek), [plain]);
    assert.deepEqual(runningTargets([none], 'anthropic-messages', { ...peek, serverTools: ['web_search'] }), [none]);
    assert.throws(() => runningTargets([none], 'openai-chat', { ...peek, serverTools: ['web_search'] }));
  });

  test('is refused if no target has a price for it, with the field and what to do', () => {
    const refused = (code: string, param: string, message: RegExp) => ({ code, param, message });
    assert.throws(() => names(3, null, [plain]), refused('unsupported_value', 'tools', /webSearch.*turnpike\.yaml/));
    assert.throws(
      () => names('unbounded', null, [plain]),
      refused('unsupported_value', 'tools', /no limit.* Leave the tool out\.$/),
    );
    assert.throws(
      () => names(0, 'enable_search', [searchable]),
      refused('unsupported_value', 'enable_search', /Leave it out/),
    );
  });
});

describe('tools of the provider, by their names', () => {
  const fees = { webSearch: null, fileSearch: null, codeInterpreter: null, request: null };
  const lines = { ...fees, units: [] as Prices['units'] } as Prices;
  const fee = picoUsd(10n);
  const files = { ...openai, provider: 'files', prices: { ...lines, fileSearch: fee } };
  const all = {
    ...openai,
    provider: 'all',
    prices: { ...lines, webSearch: fee, fileSearch: fee, codeInterpreter: fee },
  };
  const free = { ...openai, provider: 'free', prices: FREE };
  const names = (serverTools: readonly ServerTool[], uses: number | 'unbounded' = 3) =>
    paidTargets([files, all, free], 'openai-chat', {
      model: 'm',
      serverToolUses: uses,
      serverTools,
      searchField: null,
    }).map(({ provider }) => provider);

  test('each needs its own fee, except one that costs only tokens', () => {
    assert.deepEqual(names(['file_search']), ['files', 'all', 'free']);
    assert.deepEqual(names(['file_search', 'code_interpreter']), ['all', 'free']);
    assert.deepEqual(names(['mcp']), ['files', 'all', 'free']);
  });

  for (const tool of ['image_generation', 'web_search_preview', 'other'] as const)
    test(`${tool} has no fee that is known, so only free targets run it`, () => {
      assert.deepEqual(names([tool, 'file_search']), ['free']);
      const peek = { model: 'm', serverToolUses: 3, serverTools: [tool], searchField: null };
      const message = tool === 'web_search_preview' ? /: web_search_preview\. Use web_search/ : /Leave the tool out/;
      assert.throws(() => paidTargets([all], 'openai-chat', peek), {
        code: 'unsupported_value',
        param: 'tools',
        message,
      });
    });

  test('a limit for all of them counts only where it is known to be kept', () => {
    const careless: Target = { ...all, provider: 'careless', ignoresToolLimit: true };
    const of = (targets: readonly Target[], peek: object) =>
      paidTargets(targets, 'openai-chat', {
        ...{ model: 'm', serverToolUses: 3, serverTools: ['mcp'], searchField: null },
        ...peek,
      }).map(({ provider }) => provider);
    const together = { limitsToolsTogether: true };
    assert.deepEqual(of([careless, all, free], together), ['all', 'free']);
    assert.deepEqual(of([careless, all], {}), ['careless', 'all'], 'each tool has its own limit');
    assert.deepEqual(of([{ ...careless, prices: FREE }], together), ['careless']);
    assert.throws(() => of([careless], together), {
      code: 'unsupported_value',
      param: 'tools',
      message: /promises that "max_tool_calls"/,
    });
  });

  test('a missing fee is named, with the option that sets it', () => {
    const peek = { model: 'm', serverToolUses: 2, serverTools: ['code_interpreter'], searchField: null } as const;
    assert.throws(() => paidTargets([files], 'openai-chat', peek), {
      message: /: code_interpreter\..* set codeInterpreter in the prices/,
    });
  });

  test('they go to targets that are known to run them, or of which that is not known', () => {
    const search: Target = { ...all, provider: 'search', serverTools: ['web_search'] };
    const both: Target = { ...all, provider: 'both', serverTools: ['web_search', 'mcp'] };
    const of = (serverTools: readonly ServerTool[], uses = 3) =>
      runningTargets([search, both, all], 'openai-chat', { serverToolUses: uses, serverTools }).map(
        ({ provider }) => provider,
      );
    assert.deepEqual(of(['web_search']), ['search', 'both', 'all']);
    assert.deepEqual(of(['mcp']), ['both', 'all']);
    assert.deepEqual(of(['file_search']), ['all']);
    assert.deepEqual(of(['other']), ['search', 'both', 'all'], 'the provider judges what is not known here');
    assert.deepEqual(of(['file_search'], 0), ['search', 'both', 'all']);
    assert.throws(
      () => runningTargets([search, both], 'openai-chat', { serverToolUses: 1, serverTools: ['file_search'] }),
      {
        code: 'unsupported_value',
        param: 'tools',
        message: 'No provider of this model runs the tool "file_search". Leave the tool out, or use another model.',
      },
    );
  });
});
