/**
 * Goal: for the option names of LiteLLM, one-api and clients, the error suggests Turnpike's name, and every suggested name
 * exists. Method: their documented files, read as ours.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { problemsOf } from './fixture.ts';
import { foreignName } from './foreign-names.ts';
import { fieldsAt } from './options.ts';

const provider = { name: 'lab', kind: 'custom', origin: 'http://10.0.0.5' };

/** A file with one name of another program → the expected message. */
const CASES: readonly (readonly [file: unknown, message: string])[] = [
  ...['baseUrl', 'base_url', 'api_base', 'baseURL', 'url', 'endpoint'].map((name): readonly [unknown, string] => [
    { providers: [{ name: 'lab', [name]: 'x' }] },
    `${name}: is not an option; did you mean providers[0].origin?`,
  ]),
  ...['apiKey', 'api_key', 'key', 'token'].map((name): readonly [unknown, string] => [
    { providers: [{ ...provider, [name]: 'x' }] },
    'did you mean providers[0].credential?',
  ]),
  [{ providers: [{ name: 'lab', type: 'openai' }] }, 'did you mean providers[0].kind?'],
  [{ providers: [{ ...provider, id: 'lab' }] }, 'did you mean providers[0].name?'],
  [{ providers: [{ ...provider, model_list: [] }] }, 'did you mean providers[0].models?'],
  [
    { model_list: [{ model_name: 'a', litellm_params: { model: 'openai/a' } }] },
    'model_list: is not an option; did you mean providers[].models?',
  ],
  [{ models: [] }, 'did you mean providers[].models?'],
  [{ channels: [] }, 'did you mean providers?'],
  [{ master_key: 'x' }, 'did you mean bootstrapKey?'],
  [{ database_url: 'x' }, 'did you mean dataFolder?'],
  [{ logLevel: 'info' }, 'did you mean log.level?'],
  [{ base_url: 'http://x' }, 'did you mean publicUrl?'],
  [{ https_proxy: 'x' }, 'did you mean upstream.httpsProxy?'],
  [{ request_timeout: 5 }, 'did you mean timeouts.totalMs?'],
  [{ providers: [{ ...provider, models: [{ model: 'a' }] }] }, 'did you mean providers[0].models[0].upstream?'],
  [
    { providers: [{ ...provider, models: [{ upstream: 'a', model_name: 'b/a' }] }] },
    'did you mean providers[0].models[0].id?',
  ],
  [
    { providers: [{ ...provider, models: [{ upstream: 'a', context_length: 5 }] }] },
    'did you mean providers[0].models[0].contextWindow?',
  ],
  [
    { providers: [{ ...provider, models: [{ upstream: 'a', max_tokens: 5 }] }] },
    'did you mean providers[0].models[0].outputCap?',
  ],
  [
    { providers: [{ ...provider, models: [{ upstream: 'a', pricing: {} }] }] },
    'did you mean providers[0].models[0].prices?',
  ],
  [
    {
      providers: [
        { ...provider, models: [{ upstream: 'a', prices: { input: 1, output: 1, input_cost_per_token: 1 } }] },
      ],
    },
    'did you mean providers[0].models[0].prices.input, in US dollars per million tokens?',
  ],
  ...(
    [
      ['openai-compatible', 'custom'],
      ['hosted_vllm', 'vllm'],
      ['together_ai', 'together'],
      ['dashscope', 'alibaba'],
      ['gemini', 'google'],
      ['claude', 'anthropic'],
    ] as const
  ).map(([kind, meant]): readonly [unknown, string] => [
    { providers: [{ ...provider, kind }] },
    `did you mean ${meant}?`,
  ]),
];

test('the intended name is suggested', () => {
  for (const [file, message] of CASES) {
    const problems = problemsOf(file);
    assert.ok(
      problems.some((problem) => problem.includes(message)),
      `${message}\n${problems.join('\n')}`,
    );
  }
});

test('suggested names exist, and own names and typos are handled as before', () => {
  assert.equal(foreignName('baseUrl', ['nothing']), null);
  assert.ok(problemsOf({ prot: 1 }).includes('prot: is not an option; did you mean port?'));
  for (const name of ['origin', 'credential', 'kind', 'models']) assert.ok(fieldsAt(['providers', 0]).includes(name));
});
