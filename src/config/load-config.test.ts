// biome-ignore-all lint/suspicious/noTemplateCurlyInString: this is how the file writes variables.
/**
 * Goal: all mistakes are found at the start, each with its line, and no secret is repeated. Method: real files in a temporary
 * folder, an environment set by the test.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { inspect } from 'node:util';
import type { LoadedConfig, MayLack } from './config.ts';
import { configJsonSchema } from './json-schema.ts';
import { loadConfig } from './load-config.ts';
import { ConfigError } from './problem.ts';

const PEM = readFileSync(join(import.meta.dirname, '../../test/support/certificates/trusted.pem'), 'utf8');
const CANARY = 'sk-canary-0123456789';
const root = mkdtempSync(join(tmpdir(), 'turnpike-config-'));
after(() => rmSync(root, { recursive: true }));

interface Layers {
  readonly yaml?: string;
  readonly environment?: Record<string, string>;
  readonly flags?: Record<string, string>;
  readonly files?: Record<string, string>;
  readonly mayLack?: MayLack;
}

function load(layers: Layers): LoadedConfig {
  const cwd = mkdtempSync(join(root, 'run-'));
  if (layers.yaml !== undefined) writeFileSync(join(cwd, 'turnpike.yaml'), layers.yaml);
  for (const [name, text] of Object.entries(layers.files ?? {})) writeFileSync(join(cwd, name), text);
  const { flags = {}, environment = {}, mayLack } = layers;
  return loadConfig({ flags, environment, cwd, ...(mayLack === undefined ? {} : { mayLack }) });
}

function problemsOf(layers: Layers): string[] {
  try {
    load(layers);
  } catch (error) {
    assert.ok(error instanceof ConfigError, inspect(error));
    return error.problems.map((problem) => `${problem.where}: ${problem.message}`);
  }
  assert.fail('the configuration was accepted');
}

test('a NUL character is refused in every text of the file, and in names', () => {
  const yaml = [
    'host: "one\\0two"',
    'node: { name: "a\\u0000b" }',
    'providers:',
    '  - kind: openai',
    '    apiKey: right',
    '    models: [{ upstream: "gpt\\x00" }]',
    '"da\\0ta": 1',
  ].join('\n');
  assert.deepEqual(
    problemsOf({ yaml }).filter((problem) => problem.includes('NUL')),
    [
      'turnpike.yaml:1: host: must not have a NUL character (U+0000)',
      'turnpike.yaml:2: node.name: must not have a NUL character (U+0000)',
      'turnpike.yaml:6: providers[0].models[0].upstream: must not have a NUL character (U+0000)',
      'turnpike.yaml:7: da\u{fffd}ta: must not have a NUL character (U+0000)',
    ],
  );
});

test('an empty configuration is complete', () => {
  const { config, file, origins } = load({});
  assert.equal(file, null);
  assert.equal(config.host, '127.0.0.1');
  assert.equal(config.port, 8080);
  assert.match(config.dataFolder, /^\/.*\/data$/);
  assert.equal(config.limits.bodyBytesMax, 33_554_432);
  assert.equal(config.timeouts.firstByteStreamedMs, 120_000);
  assert.equal(config.billing.mode, 'prepaid');
  assert.equal(config.demo, true);
  assert.deepEqual(config.providers, []);
  assert.deepEqual(origins.get('port'), { value: '8080', source: 'default' });
});

test('a flag overrides the environment, which overrides the file, and the origin is shown', () => {
  const yaml = 'host: 10.0.0.1\nport: 1001\nlog:\n  level: debug\n';
  const { config, origins } = load({ yaml, environment: { PORT: '1002', HOST: '10.0.0.2' }, flags: { port: '1003' } });
  assert.equal(config.port, 1003);
  assert.equal(config.host, '10.0.0.2');
  assert.equal(config.log.level, 'debug');
  assert.equal(origins.get('port')?.source, 'flag --port');
  assert.equal(origins.get('host')?.source, 'environment HOST');
  assert.equal(origins.get('log.level')?.source, 'turnpike.yaml:4');
  assert.equal(origins.get('log.format')?.source, 'default');
});

test('every option has an environment name made from its path', () => {
  const environment = {
    TURNPIKE_LIMITS_BODY_BYTES_MAX: '1000',
    TURNPIKE_TIMEOUTS_PING_MS: '5',
    TURNPIKE_DURABILITY: 'power',
  };
  const { config } = load({ environment });
  assert.equal(config.limits.bodyBytesMax, 1000);
  assert.equal(config.timeouts.pingMs, 5);
  assert.equal(config.durability, 'power');
});

test('an empty variable counts as absent', () => {
  const { config } = load({ environment: { PORT: '', OPENAI_API_KEY: '' } });
  assert.equal(config.port, 8080);
  assert.deepEqual(config.providers, []);
});

test('all mistakes are reported together, each with its line', () => {
  const yaml = `port: high
hots: 127.0.0.1
limits:
  bodyBytesMax: -1
  bodyBytesMin: 3
timeouts: 5
providers:
  - origin: http://10.0.0.5
  - name: two
    kind: opena
    models:
      - upstream: m
        prices:
          input: 1e-7
          output: -2
`;
  assert.deepEqual(problemsOf({ yaml, environment: { LOG_LEVEL: 'loud' } }), [
    'turnpike.yaml:5: limits.bodyBytesMin: is not an option; did you mean limits.bodyBytesMax?',
    'turnpike.yaml:2: hots: is not an option; did you mean host?',
    'turnpike.yaml:1: port: must be a number, not text',
    'environment LOG_LEVEL: log.level: must be one of trace, debug, info, warn, error, silent',
    'turnpike.yaml:4: limits.bodyBytesMax: must be at least 1',
    'turnpike.yaml:6: timeouts: must be a group of fields, not a number; write it as "connectMs: …", one line per field',
    'turnpike.yaml:8: providers[0].name: is missing (text)',
    'turnpike.yaml:14: providers[1].models[0].prices.input: must be a plain decimal of US dollars, like 0.15',
    'turnpike.yaml:15: providers[1].models[0].prices.output: a price cannot be negative',
    'turnpike.yaml:10: providers[1].kind: is not a provider type; did you mean openai?',
  ]);
});

test('broken YAML and duplicate fields are reported with their lines', () => {
  assert.match(problemsOf({ yaml: 'port: 1\nhost: [a\n' })[0] ?? '', /^turnpike\.yaml:\d+: /);
  assert.match(problemsOf({ yaml: 'port: 1\nhost: a\nport: 2\n' })[0] ?? '', /^turnpike\.yaml:3: .*unique/);
  assert.match(problemsOf({ yaml: '- a\n- b\n' })[0] ?? '', /^turnpike\.yaml:1: must contain options/);
});

test('a field named __proto__ is just an unknown field', () => {
  const problems = problemsOf({ yaml: '__proto__:\n  port: 1\nconstructor: 2\n' });
  assert.deepEqual(problems.map((problem) => problem.split(':').slice(0, 3).join(':')).sort(), [
    'turnpike.yaml:1: __proto__',
    'turnpike.yaml:3: constructor',
  ]);
});

test('an alias to itself ends in a problem, not in a hang', () => {
  assert.ok(problemsOf({ yaml: 'providers: &all\n  - *all\n' }).length > 0);
});

test('aliases that repeat each other without end are refused, and others mean what they repeat', () => {
  const levels = Array.from({ length: 12 }, (_, level) => `  - &l${level + 1} [${Array(10).fill(`*l${level}`)}]\n`);
  const problems = problemsOf({ yaml: `aliases:\n  - &l0 x\n${levels.join('')}` });
  assert.ok(
    problems.some((problem) => problem.includes('with those that aliases repeat')),
    problems.join(),
  );
  const yaml = 'host: &here ./x\ndataFolder: *here\n';
  assert.match(load({ yaml }).config.dataFolder, /\/x$/);
});

test('variables are expanded in text, with defaults, escapes and the type of the option', () => {
  const yaml = 'host: "${HOST_NAME:-127.0.0.1}"\nport: ${THE_PORT:-9001}\ndataFolder: /srv/$${x}/${NAME}\n';
  const { config } = load({ yaml, environment: { NAME: 'a b', THE_PORT: '9002' } });
  assert.equal(config.host, '127.0.0.1');
  assert.equal(config.port, 9002);
  assert.equal(config.dataFolder, '/srv/${x}/a b');
  assert.deepEqual(problemsOf({ yaml: 'host: x\nport: ${NOWHERE}\n' }), [
    'turnpike.yaml:2: port: the environment variable NOWHERE is not set',
  ]);
  assert.match(problemsOf({ yaml: 'host: ${A-B}\n' })[0] ?? '', /^turnpike\.yaml:1: host: use /);
});

test('an option whose children are commented out is not set', () => {
  assert.equal(load({ yaml: 'log:\n  # level: debug\nport:\n' }).config.log.level, 'info');
});

test('on and off are booleans wherever a boolean is expected', () => {
  assert.equal(load({ yaml: 'demo: off\n' }).config.demo, false);
  assert.equal(load({ environment: { DEMO: 'off' } }).config.demo, false);
});

test('the demo provider is off in production by default', () => {
  const production = { NODE_ENV: 'production' };
  assert.equal(load({ environment: production }).config.demo, false);
  assert.equal(load({ environment: production }).origins.get('demo')?.source, 'environment NODE_ENV');
  assert.equal(load({ environment: { ...production, DEMO: 'on' } }).config.demo, true);
  assert.equal(load({ environment: production, yaml: 'demo: true\n' }).config.demo, true);
});

test('trusted proxies are a number or ranges, but never everything', () => {
  assert.equal(load({ environment: { TRUST_PROXY: '2' } }).config.trustProxy, 2);
  assert.equal(load({ environment: { TRUST_PROXY: 'off' } }).config.trustProxy, null);
  assert.deepEqual(load({ environment: { TRUST_PROXY: '10.0.0.0/8, ::1' } }).config.trustProxy, ['10.0.0.0/8', '::1']);
  assert.deepEqual(load({ yaml: 'trustProxy: [192.168.0.0/16]\n' }).config.trustProxy, ['192.168.0.0/16']);
  assert.equal(problemsOf({ environment: { TRUST_PROXY: 'true' } }).length, 1);
  assert.equal(problemsOf({ environment: { TRUST_PROXY: '10.0.0.0/33' } }).length, 1);
});

test('the public address is an origin and a path, without a slash at its end', () => {
  const taken = (url: string) => load({ environment: { PUBLIC_URL: url } }).config.publicUrl;
  assert.equal(taken('https://x.example/llm/'), 'https://x.example/llm');
  assert.equal(taken('https://x.example/a/b-1.c'), 'https://x.example/a/b-1.c');
  assert.equal(taken('https://x.example/'), 'https://x.example');
  assert.equal(taken('https://x.example/apis'), 'https://x.example/apis');
  for (const path of [
    '/api',
    '/v1/',
    '/V1/x',
    '/assets',
    '/health',
    '/docs/x',
    '/a?b=1',
    '/a#b',
    '/a%2fb',
    '/a//b',
    '/"x',
  ])
    assert.match(
      problemsOf({ environment: { PUBLIC_URL: `https://x.example${path}` } }).join(),
      /publicUrl: must be an/,
      path,
    );
  assert.match(
    problemsOf({ environment: { PUBLIC_URL: 'https://me:secret@x.example/llm' } }).join(),
    /must be an origin/,
  );
});

test('the nine variables enable their providers', () => {
  const names = ['OPENAI', 'ANTHROPIC', 'GEMINI', 'OPENROUTER', 'MISTRAL', 'GROQ', 'DEEPSEEK', 'XAI'];
  const environment = Object.fromEntries(names.map((name) => [`${name}_API_KEY`, `${CANARY}-${name}`]));
  const { config, origins } = load({ environment: { ...environment, OLLAMA_HOST: '10.1.2.3' } });
  assert.deepEqual(config.providers.map((provider) => provider.name).sort(), [
    'anthropic',
    'deepseek',
    'google',
    'groq',
    'mistral',
    'ollama',
    'openai',
    'openrouter',
    'xai',
  ]);
  const openai = config.providers.find((provider) => provider.name === 'openai');
  assert.equal(openai?.credential?.reveal(), `${CANARY}-OPENAI`);
  assert.equal(openai?.source, 'environment');
  assert.match(
    config.providers.find((provider) => provider.name === 'ollama')?.origin ?? '',
    /^http:\/\/10\.1\.2\.3:11434/,
  );
  assert.deepEqual(origins.get('providers.openai.credential'), {
    value: '[secret]',
    source: 'environment OPENAI_API_KEY',
  });
  assert.equal(origins.get('providers.openai.kind')?.source, 'environment OPENAI_API_KEY');
});

test('a provider in both the file and the environment has the file’s settings and the environment’s credential', () => {
  const yaml = 'providers:\n  - name: openai\n    dialects: [openai-chat]\n';
  const { config, origins } = load({ yaml, environment: { OPENAI_API_KEY: CANARY } });
  assert.equal(config.providers.length, 1);
  assert.equal(config.providers[0]?.source, 'file');
  assert.equal(config.providers[0]?.credential?.reveal(), CANARY);
  assert.equal(origins.get('providers.openai.credential')?.source, 'environment OPENAI_API_KEY');
});

test('a vendor’s credential from the environment is not sent to another address', () => {
  const yaml = 'providers:\n  - name: openai\n    origin: http://10.0.0.9:8000\n';
  assert.equal(load({ yaml, environment: { OPENAI_API_KEY: CANARY } }).config.providers[0]?.credential, null);
});

test('a secret may come from a file, without its final line break', () => {
  const environment = { OPENAI_API_KEY_FILE: 'key.txt', TURNPIKE_METRICS_TOKEN_FILE: 'key.txt' };
  const { config, origins } = load({ environment, files: { 'key.txt': `${CANARY}\n` } });
  assert.equal(config.providers[0]?.credential?.reveal(), CANARY);
  assert.equal(config.metrics.token?.reveal(), CANARY);
  assert.equal(origins.get('metrics.token')?.source, 'environment TURNPIKE_METRICS_TOKEN_FILE');
  const yaml = 'providers:\n  - name: mine\n    origin: http://10.0.0.5\n    credential: ${MINE}\n';
  const named = load({ yaml, environment: { MINE_FILE: 'key.txt' }, files: { 'key.txt': CANARY } });
  assert.equal(named.config.providers[0]?.credential?.reveal(), CANARY);
});

test('a secret file that is missing, empty or set together with the variable itself is a problem', () => {
  assert.match(problemsOf({ environment: { GROQ_API_KEY_FILE: 'no.txt' } })[0] ?? '', /GROQ_API_KEY_FILE: .*ENOENT/);
  assert.match(problemsOf({ environment: { GROQ_API_KEY_FILE: 'e.txt' }, files: { 'e.txt': '\n' } })[0] ?? '', /empty/);
  const both = { GROQ_API_KEY: CANARY, GROQ_API_KEY_FILE: 'k.txt' };
  assert.match(problemsOf({ environment: both, files: { 'k.txt': CANARY } })[0] ?? '', /set only one of them/);
});

test('a configured model may list its parameters, efforts and thinking, which are checked', () => {
  const models = (fields: string) => `providers:
  - name: mine
    origin: http://10.0.0.5:8000/v1
    models:
      - upstream: a
      - { upstream: b, ${fields} }
`;
  const yaml = models('parameters: [temperature, top_k], efforts: [high, none], thinking: budget');
  const [a, b] = load({ yaml }).config.providers[0]?.models ?? [];
  assert.deepEqual([a?.parameters, a?.efforts, a?.thinking], [null, null, null]);
  assert.deepEqual([b?.parameters, b?.efforts, b?.thinking], [['temperature', 'top_k'], ['none', 'high'], 'budget']);
  assert.equal(problemsOf({ yaml: models('efforts: [much]') }).length, 1);
  assert.equal(problemsOf({ yaml: models('thinking: deep') }).length, 1);
});

test('prices are exact, in pico-dollars per token', () => {
  const yaml = `providers:
  - name: mine
    origin: http://10.0.0.5:8000/v1
    models:
      - upstream: a
        id: acme/a
        prices: { input: 0.10, output: "0.300001", request: 0.000000000001, webSearch: 0.01, tiers: [{ abovePromptTokens: 200000, input: 1, output: 12345678.000001 }] }
      - upstream: b
        prices: free
      - upstream: c
`;
  const [a, b, c] = load({ yaml }).config.providers[0]?.models ?? [];
  assert.ok(a?.prices !== null && typeof a?.prices === 'object');
  assert.equal(a.prices.input, 100_000n);
  assert.equal(a.prices.output, 300_001n);
  assert.equal(a.prices.request, 1n);
  assert.equal(a.prices.tiers[0]?.request, 1n, 'a fee that a tier does not set is the base fee');
  assert.equal(a.prices.tiers[0]?.webSearch, 10_000_000_000n);
  assert.equal(a.prices.cacheRead, null);
  assert.equal(a.prices.tiers[0]?.abovePromptTokens, 200_000);
  assert.equal(a.prices.tiers[0]?.output, 12_345_678_000_001n);
  assert.equal(b?.prices, 'free');
  assert.equal(c?.prices, null);
  assert.match(problemsOf({ yaml: yaml.replace('0.10', '0.0000001') })[0] ?? '', /:7: .*input: has more than 6/);
});

test('a model may have prices by the piece, exact and in order of name, and then none of tokens', () => {
  const yamlOf = (prices: string) =>
    `providers:\n  - name: mine\n    origin: https://a.example\n    models: [{ upstream: a, prices: ${prices} }]\n`;
  const pricesOf = (prices: string) => load({ yaml: yamlOf(prices) }).config.providers[0]?.models[0]?.prices;
  const alone = pricesOf('{ units: { image/1024x1024/hd: 0.080, character: 0.000000000001, image: "0.04" } }');
  assert.ok(alone !== 'free' && alone !== null && alone !== undefined);
  assert.deepEqual([alone.input, alone.output], [0n, 0n]);
  assert.deepEqual(alone.units, [
    { unit: 'character', price: 1n },
    { unit: 'image', price: 40_000_000_000n },
    { unit: 'image/1024x1024/hd', price: 80_000_000_000n },
  ]);
  const problemOf = (prices: string) => problemsOf({ yaml: yamlOf(prices) })[0] ?? '';
  assert.match(problemOf('{ units: { token: 1 } }'), /units\.token: .*must be one of image, character/s);
  assert.match(problemOf('{ units: { image: much } }'), /units\.image: must be a plain decimal/);
  assert.match(problemOf('{ input: 1 }'), /prices\.output: /);
  const many = Array.from({ length: 65 }, (_, index) => `image/${index}: 1`).join(', ');
  assert.match(problemOf(`{ units: { ${many} } }`), /at most 64 units/);
});

test('a price that would never be charged is refused, with what to do instead', () => {
  const yamlOf = (model: string) =>
    `providers:\n  - name: mine\n    origin: https://a.example\n    models: [{ ${model} }]\n`;
  const problemOf = (model: string) => problemsOf({ yaml: yamlOf(model) })[0] ?? '';
  const prices = 'input: 1, output: 2';
  assert.match(
    problemOf(`upstream: a, prices: { ${prices}, image: 0.001 }`),
    /:4: .*prices\.image: images are not counted.*leave it out/,
  );
  assert.match(
    problemOf(`upstream: a, prices: { ${prices}, tiers: [{ abovePromptTokens: 9, ${prices}, image: 1 }] }`),
    /image/,
  );
  assert.match(
    problemOf(`upstream: sonar-pro, prices: { ${prices} }`),
    /sonar-pro searches on every call: set request/,
  );
  assert.match(
    problemOf(`upstream: sonar, prices: { ${prices}, request: 0, webSearch: 1 }`),
    /webSearch: would never be charged/,
  );
  for (const good of [
    `upstream: sonar, prices: { ${prices}, request: 0.005 }`,
    'upstream: sonar, prices: free',
    `upstream: sonarium, prices: { ${prices} }`,
  ])
    load({ yaml: yamlOf(good) });
});

test('duplicate names, unknown kinds and providers without an address are found', () => {
  const yaml = `providers:
  - { name: a, origin: "http://10.0.0.1" }
  - { name: a, origin: "http://10.0.0.2" }
  - { name: b, kind: openia }
  - { name: c }
  - { name: demo }
  - { name: d, origin: "http://user:word@10.0.0.1" }
`;
  const withoutLast = yaml.split('\n').slice(0, -2).join('\n');
  const problems = problemsOf({ yaml: withoutLast });
  assert.deepEqual(
    problems.map((problem) => problem.slice(0, problem.indexOf(': '))),
    ['turnpike.yaml:3', 'turnpike.yaml:4', 'turnpike.yaml:5', 'turnpike.yaml:6'],
  );
  assert.match(problems[1] ?? '', /did you mean openai/);
  assert.doesNotMatch(problemsOf({ yaml }).join('\n'), /word@/);
});

test('no secret appears in a problem, a listing, or the printed configuration', () => {
  const yaml = `metrics:\n  token: [${CANARY}]\npepper: ${CANARY}\nproviders:\n  - name: x\n    credential: { a: ${CANARY} }\n`;
  assert.doesNotMatch(problemsOf({ yaml, environment: { BOOTSTRAP_KEY: CANARY } }).join('\n'), /canary/);
  const loaded = load({ environment: { OPENAI_API_KEY: CANARY, TURNPIKE_PEPPER: 'ab'.repeat(32) } });
  const printed = inspect(loaded, { depth: 10 }) + JSON.stringify(loaded.config);
  assert.doesNotMatch(printed, /canary|abab/);
});

test('the configuration is immutable', () => {
  const { config } = load({ yaml: 'providers:\n  - name: x\n    origin: http://10.0.0.1\n' });
  for (const part of [config, config.limits, config.providers, config.providers[0]]) assert.ok(Object.isFrozen(part));
});

test('the file is taken from the flag, the variable and the working folder, in this order', () => {
  const files = { 'a.yaml': 'port: 1\n', 'b.yaml': 'port: 2\n' };
  const both = { files, yaml: 'port: 3\n' };
  assert.equal(
    load({ ...both, flags: { config: 'a.yaml' }, environment: { TURNPIKE_CONFIG: 'b.yaml' } }).file,
    'a.yaml',
  );
  assert.equal(load({ ...both, environment: { TURNPIKE_CONFIG: 'b.yaml' } }).config.port, 2);
  assert.equal(load(both).config.port, 3);
  assert.match(problemsOf({ flags: { config: 'no.yaml' } })[0] ?? '', /^flag --config: the file cannot be read/);
  assert.match(problemsOf({ environment: { TURNPIKE_CONFIG: 'no.yaml' } })[0] ?? '', /^environment TURNPIKE_CONFIG/);
});

test('a configuration file that cannot be read is a problem, never a silent default', () => {
  const cwd = mkdtempSync(join(root, 'run-'));
  mkdirSync(join(cwd, 'turnpike.yaml'));
  assert.throws(() => loadConfig({ flags: {}, environment: {}, cwd }), ConfigError);
});

test('the example file has every option at its default, and its commented providers and aliases are valid', () => {
  const example = readFileSync(new URL('../../turnpike.example.yaml', import.meta.url), 'utf8');
  const { config, origins } = load({ yaml: example });
  assert.deepEqual({ ...config, dataFolder: '' }, { ...load({}).config, dataFolder: '' });
  for (const [option, { source }] of origins) assert.match(source, /^turnpike\.yaml:/, option);
  const uncommented = example.replaceAll(
    /^(providers|aliases): \[\]\n((?:#.*\n)+)/gm,
    (_, name, entries: string) => `${name}:\n${entries.replaceAll(/^#/gm, '')}`,
  );
  const variables = [
    'OPENAI_API_KEY',
    'MY_MODELS_KEY',
    'AWS_BEARER_TOKEN_BEDROCK',
    'SERVICE_ACCOUNT_JSON',
    'CLOUDFLARE_API_TOKEN',
    'AZURE_OPENAI_API_KEY',
  ];
  const environment = Object.fromEntries(variables.map((name) => [name, CANARY]));
  const { config: full } = load({ yaml: uncommented, environment });
  assert.deepEqual(
    full.providers.map((provider) => provider.name),
    ['openai', 'bedrock', 'vertex', 'cloudflare', 'azure', 'mistral', 'my-models'],
  );
  assert.deepEqual(
    full.aliases.map(({ name, targets }) => [name, targets.length]),
    [['fast', 3]],
  );
});

test('config.schema.json is the schema of this program', () => {
  const written = readFileSync(new URL('../../config.schema.json', import.meta.url), 'utf8');
  assert.deepEqual(
    JSON.parse(written),
    configJsonSchema(),
    'run: npx --no turnpike config check --schema > config.schema.json',
  );
});

test('the JSON schema for editors has the options and allows prices as numbers', () => {
  const schema = JSON.stringify(configJsonSchema());
  assert.match(schema, /"bodyBytesMax"/);
  assert.match(schema, /\["string","number"\]/);
  assert.doesNotMatch(schema, /"environment":|"decimal":/);
});

test('proxies come from the usual variables, lower case first, and are masked', () => {
  const environment = {
    https_proxy: `http://user:${CANARY}@small:1`,
    HTTPS_PROXY: 'http://large:1',
    HTTP_PROXY: 'large:2',
    no_proxy: '',
    NO_PROXY: 'a.example, 10.0.0.0/8',
  };
  const { config, origins } = load({ environment });
  assert.equal(config.upstream.httpsProxy?.reveal(), environment.https_proxy);
  assert.equal(config.upstream.httpProxy?.reveal(), 'large:2');
  assert.equal(config.upstream.noProxy, environment.NO_PROXY, 'an empty variable counts as absent');
  assert.equal(origins.get('upstream.httpsProxy')?.source, 'environment https_proxy');
  assert.doesNotMatch(inspect([...origins]), new RegExp(CANARY));
  const bad = problemsOf({ environment: { HTTPS_PROXY: `socks5://u:${CANARY}@h`, NO_PROXY: '10.0.0.0/40' } });
  assert.equal(bad.length, 2);
  assert.match(bad.join(), /environment HTTPS_PROXY: upstream\.httpsProxy: must be the address of an HTTP proxy/);
  assert.match(bad.join(), /environment NO_PROXY: upstream\.noProxy: holds "10\.0\.0\.0\/40"/);
  assert.doesNotMatch(bad.join(), new RegExp(CANARY));
});

test('a certificate file is checked when the configuration is loaded', () => {
  const yaml = 'upstream: { caFile: own.pem }\n';
  assert.match(problemsOf({ yaml }).join(), /turnpike\.yaml:1: upstream\.caFile: the file cannot be read/);
  assert.match(problemsOf({ yaml, files: { 'own.pem': 'none' } }).join(), /holds no certificate in PEM/);
  const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
  assert.match(problemsOf({ yaml, files: { 'own.pem': broken } }).join(), /certificate 1 of .*own\.pem cannot be read/);
  const folder = mkdtempSync(join(tmpdir(), 'turnpike-pipe-'));
  execFileSync('mkfifo', [join(folder, 'own.pem')]);
  for (const path of [join(folder, 'own.pem'), folder, '/dev/null'])
    assert.match(
      problemsOf({ yaml: `upstream: { caFile: ${path} }\n` }).join(),
      /cannot be read: .* is no regular file/,
    );
  rmSync(folder, { recursive: true });
  assert.match(load({ yaml, files: { 'own.pem': PEM } }).config.upstream.caFile ?? '', /^\/.*own\.pem$/);
});

const FOREIGN = `providers:
  - name: lab
    kind: openai-compatible
    origin: http://10.0.0.5
    base_url: x
    api_key: \${NOPE_KEY}
    models: [a]
  - name: openai
    credential: \${NOT_SET}
`;

test('an unset variable hides no other fault, whatever may be left out, and is reported last', () => {
  for (const environment of [{}, { NOPE_KEY: '1', NOT_SET: '1' }] as Record<string, string>[]) {
    const expected = [
      'turnpike.yaml:5: providers[0].base_url: is not an option; did you mean providers[0].origin?',
      'turnpike.yaml:6: providers[0].api_key: is not an option; did you mean providers[0].credential?',
      'turnpike.yaml:7: providers[0].models[0]: must be a group of fields, not text; write it as "- upstream: the-providers-name", one line per field',
      'turnpike.yaml:3: providers[0].kind: is not a provider type; did you mean custom?',
      ...(environment['NOPE_KEY'] === undefined
        ? [
            'turnpike.yaml:6: providers[0].api_key: the environment variable NOPE_KEY is not set',
            'turnpike.yaml:9: providers[1].credential: the environment variable NOT_SET is not set',
          ]
        : []),
    ];
    for (const mayLack of [{}, { mayLack: 'serving' }, { mayLack: 'all' }] as const)
      assert.deepEqual(problemsOf({ yaml: FOREIGN, environment, ...mayLack }), expected, JSON.stringify(mayLack));
  }
});

test('a value with an unset variable causes no other fault, wherever it is', () => {
  const yaml = `port: \${A}
publicUrl: \${A}
trustProxy: ["\${A}"]
upstream: { caFile: own.pem, httpsProxy: "\${A}" }
log: { level: "\${A}" }
providers:
  - { name: "\${A}", kind: custom, origin: http://10.0.0.1 }
  - { name: b, kind: "\${A}", origin: http://10.0.0.1 }
  - { name: c, kind: custom, origin: "\${A}" }
  - { name: d, kind: custom, origin: "http://\${A}:80" }
  - { name: e, kind: custom, origin: "http://10.0.0.1:\${A}", credential: "Key \${A}" }
  - name: f
    kind: custom
    origin: http://10.0.0.1
    price: \${A}
    dialects: ["\${A}"]
    chatPaths: { openai-chat: "\${A}" }
    models:
      - { upstream: "\${A}", id: "\${A}", contextWindow: "\${A}", prices: { input: "\${A}", output: 1 } }
      - { upstream: b, prices: "\${A}", efforts: ["\${A}"], inputModalities: ["\${A}"] }
`;
  const strict = problemsOf({ yaml, files: { 'own.pem': PEM } });
  assert.ok(strict.length > 15);
  for (const problem of strict) assert.match(problem, /the environment variable A is not set$/);
  const { config, lacking } = load({ yaml, files: { 'own.pem': PEM }, mayLack: 'all' });
  assert.deepEqual(config.providers, []);
  assert.equal(lacking.length, strict.length);
});

test('there is a warning if a certificate file of Node cannot be read, since Node continues without it', () => {
  const environment = { NODE_EXTRA_CA_CERTS: 'node.pem' };
  const warningsOf = (files: Record<string, string>) =>
    load({ environment, files }).warnings.map(({ where, message }) => `${where}: ${message}`);
  assert.deepEqual(warningsOf({ 'node.pem': PEM }), []);
  assert.match(
    warningsOf({}).join(),
    /^environment NODE_EXTRA_CA_CERTS: the file cannot be read: .*cannot be reached$/,
  );
  assert.match(
    warningsOf({ 'node.pem': 'none' }).join(),
    /^environment NODE_EXTRA_CA_CERTS: .*holds no certificate in PEM/,
  );
  assert.deepEqual(load({ environment: { NODE_EXTRA_CA_CERTS: '' } }).warnings, []);
});

test('a cloud’s usual variables complete an entry of its name', () => {
  const yaml = 'providers:\n  - name: bedrock\n';
  const environment = {
    AWS_REGION: 'eu-west-1',
    AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
    AWS_SECRET_ACCESS_KEY: CANARY,
  };
  const { config, origins } = load({ yaml, environment });
  assert.equal(config.providers[0]?.credential?.reveal(), `AKIAIOSFODNN7EXAMPLE:${CANARY}`);
  assert.deepEqual(origins.get('providers.bedrock.region'), { value: 'eu-west-1', source: 'environment AWS_REGION' });
  assert.equal(origins.get('providers.bedrock.credential')?.value, '[secret]');
  const temporary = load({ yaml, environment: { ...environment, AWS_SESSION_TOKEN: 'session' } });
  assert.match(temporary.config.providers[0]?.credential?.reveal() ?? '', /:session$/);
});

test('variables that other programs use too create no provider', () => {
  const environment = {
    ...{ AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE', AWS_SECRET_ACCESS_KEY: CANARY },
    ...{
      GOOGLE_CLOUD_PROJECT: 'mine',
      GOOGLE_APPLICATION_CREDENTIALS: 'missing.json',
      OPENAI_API_VERSION: '2024-10-21',
    },
  };
  assert.deepEqual(load({ environment }).config.providers, []);
});

test('keys of the environment are not added to keys from elsewhere, nor sent to another address', () => {
  const environment = {
    AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
    AWS_SECRET_ACCESS_KEY: CANARY,
    AWS_BEARER_TOKEN_BEDROCK: CANARY,
  };
  for (const more of ['credentialFrom: instance', 'origin: http://10.0.0.9:8000']) {
    const yaml = `providers:\n  - name: bedrock\n    region: eu-west-1\n    ${more}\n`;
    assert.equal(load({ yaml, environment }).config.providers[0]?.credential, null);
  }
});

test('a key of a cloud enables a provider together with what else it needs; alone, it is a warning that says what is missing', () => {
  for (const [kind, key, other, value, field] of [
    ['azure', 'AZURE_OPENAI_API_KEY', 'AZURE_OPENAI_ENDPOINT', 'https://mine.openai.azure.com/', 'origin'],
    ['bedrock', 'AWS_BEARER_TOKEN_BEDROCK', 'AWS_REGION', 'eu-west-1', 'region'],
  ] as const) {
    const { providers } = load({ environment: { [key]: CANARY, [other]: value } }).config;
    assert.deepEqual([providers[0]?.name, providers[0]?.[field]], [kind, value]);
    const alone = load({ environment: { OPENAI_API_KEY: CANARY, [key]: CANARY } });
    assert.deepEqual(
      alone.config.providers.map(({ name }) => name),
      ['openai'],
    );
    assert.deepEqual(alone.warnings, [
      { where: `environment ${key}`, message: `enables no provider, because ${other} is not set` },
    ]);
    assert.throws(() => load({ yaml: `providers:\n  - name: ${kind}\n`, environment: { [key]: CANARY } }), /needs/);
  }
});

test('a service account comes from the file that Google’s variable names', () => {
  const yaml = 'providers:\n  - name: vertex\n    location: global\n    project: mine\n';
  const { config } = load({
    yaml,
    environment: { GOOGLE_APPLICATION_CREDENTIALS: 'token.txt' },
    files: { 'token.txt': `${CANARY}\n` },
  });
  assert.equal(config.providers[0]?.credential?.reveal(), CANARY);
});

test('a model has one markup, in whichever spelling', () => {
  const yaml = (second: string) => `billing:
  modelMarkups:
    - { model: anthropic/claude-opus-4-5, markup: 10 }
    - { model: ${second}, markup: 20 }
`;
  for (const twice of ['anthropic/claude-opus-4-5', 'anthropic/claude-opus-4.5'])
    assert.throws(
      () => load({ files: { 'turnpike.yaml': yaml(twice) } }),
      /billing\.modelMarkups\[1\]\.model: is listed twice/,
    );
  assert.equal(load({ files: { 'turnpike.yaml': yaml('acme/large') } }).config.billing.modelMarkups.length, 2);
});
