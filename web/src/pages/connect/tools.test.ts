// Goal: what somebody pastes is read by the tool as it is meant: the gateway's address, the key and the model, whatever they
// look like. Method: each snippet is parsed in the language of its file, or run by a shell whose commands only print what they are given.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { parse as parseYaml } from 'yaml';
import { modalities, operationPermissions } from '../../api/dialects.ts';
import { callsOf } from './operation-calls.ts';
import { type Connection, problemsOf, type Tool } from './tool.ts';
import { TOOL_KINDS, toolById, tools } from './tools.ts';

const PLAIN: Connection = { origin: 'https://models.example.com/llm', key: 'sk-tp-abc', model: 'acme/large' };
const LOCAL: Connection = { origin: 'http://127.0.0.1:8080', key: 'sk-tp-…', model: 'demo/echo' };
/** Nobody names a model so; a snippet that holds with it holds with all. */
const HOSTILE: Connection = { ...PLAIN, key: `k"'$(id)`, model: `a/b "c" 'd' $e: #f \\g` };
const FACTS = {
  ...{ context: 200_000, outputCap: 8192, hasTools: true, readsImages: true },
  ...{ writesText: true, outputs: ['text'] },
};
const CONNECTIONS = [PLAIN, LOCAL, HOSTILE, { ...PLAIN, facts: FACTS }, { ...HOSTILE, facts: FACTS }];

function code(tool: Tool, connection: Connection, title: RegExp): string {
  const block = tool.blocks(connection).find((each) => title.test(each.title));
  assert.ok(block, `${tool.name} has no ${title}`);
  return block.code;
}

/** Runs what is pasted with these commands in place of the real ones; gives the lines that they print. */
function run(snippet: string, commands: readonly string[], print: readonly string[] = []): readonly string[] {
  const fakes = commands.map((name) => `${name}() { for each in "$@"; do printf '%s\\0' "$each"; done; }`);
  const variables = print.map((name) => `printf '%s\\0' "$${name}"`);
  const { stdout, status, stderr } = spawnSync('/bin/sh', ['-c', [...fakes, snippet, ...variables].join('\n')], {
    encoding: 'utf8',
    env: { PATH: '/nowhere' },
  });
  assert.equal(status, 0, `${snippet}\n${stderr}`);
  return stdout.split('\0').slice(0, -1);
}

for (const [index, connection] of CONNECTIONS.entries()) {
  const { origin, key, model, facts } = connection;
  const base = `${origin}/api/v1`;

  test(`Continue, ${index}`, () => {
    const { schema, models } = parseYaml(code(toolById('continue'), connection, /config\.yaml$/));
    assert.equal(schema, 'v1');
    const { capabilities, defaultCompletionOptions, ...rest } = models[0];
    assert.deepEqual(rest, {
      name: model,
      provider: 'openai',
      model,
      apiBase: base,
      apiKey: key,
      useResponsesApi: false,
      roles: ['chat', 'edit', 'apply'],
    });
    assert.deepEqual(capabilities, facts && ['tool_use', 'image_input']);
    assert.deepEqual(defaultCompletionOptions, facts && { contextLength: facts.context });
  });

  test(`Zed, ${index}`, () => {
    const settings = JSON.parse(code(toolById('zed'), connection, /settings\.json$/));
    const { api_url, available_models } = settings.language_models.openai_compatible.turnpike;
    assert.equal(api_url, base);
    assert.equal(available_models[0].name, model);
    assert.equal(available_models[0].max_tokens, facts?.context ?? 128_000);
    assert.equal(available_models[0].capabilities.chat_completions, true);
    assert.deepEqual(settings.agent.default_model, { provider: 'turnpike', model });
    assert.ok(!JSON.stringify(settings).includes(key), 'a key is never in its settings');
    assert.deepEqual(run(code(toolById('zed'), connection, /^Shell$/), ['zed'], ['TURNPIKE_API_KEY']), [key]);
  });

  test(`aider, ${index}`, () => {
    assert.deepEqual(
      run(code(toolById('aider'), connection, /^Shell$/), ['aider'], ['OPENAI_API_BASE', 'OPENAI_API_KEY']),
      ['--model', `openai/${model}`, base, key],
    );
    assert.deepEqual(parseYaml(code(toolById('aider'), connection, /\.aider\.conf\.yml/)), {
      'openai-api-base': base,
      model: `openai/${model}`,
    });
  });

  test(`Cline, ${index}`, () => {
    const blocks = toolById('cline').blocks(connection);
    assert.deepEqual(
      blocks.slice(0, 3).map((block) => block.code),
      [base, key, model],
    );
    assert.deepEqual(run(blocks[3]?.code ?? '', ['cline']), [
      'auth',
      ...['--provider', 'openai-compatible', '--baseurl', base, '--apikey', key, '--modelid', model],
    ]);
  });

  test(`Open WebUI, ${index}`, () => {
    const words = run(code(toolById('open-webui'), connection, /^Shell$/), ['docker']);
    assert.ok(words.includes(`OPENAI_API_BASE_URL=${base}`));
    assert.ok(words.includes(`OPENAI_API_KEY=${key}`));
    assert.equal(words.includes('--network=host'), connection === LOCAL);
    assert.equal(words.at(-1), 'ghcr.io/open-webui/open-webui:main');
  });

  test(`LibreChat, ${index}`, () => {
    const { endpoints } = parseYaml(code(toolById('librechat'), connection, /^librechat\.yaml$/));
    const [own] = endpoints.custom;
    assert.equal(own.baseURL, base);
    assert.deepEqual(own.models, { default: [model], fetch: true });
    // biome-ignore lint/suspicious/noTemplateCurlyInString: LibreChat's own way to name a variable
    assert.equal(own.apiKey, '${TURNPIKE_KEY}');
    assert.deepEqual(run(code(toolById('librechat'), connection, /^\.env$/), [], ['TURNPIKE_KEY']), [key]);
    assert.deepEqual(parseYaml(code(toolById('librechat'), connection, /override/)).services.api.volumes[0], {
      type: 'bind',
      source: './librechat.yaml',
      target: '/app/librechat.yaml',
    });
  });

  test(`Claude Code, ${index}`, () => {
    const { env } = JSON.parse(code(toolById('claude-code'), connection, /settings\.json/));
    assert.deepEqual(
      run(code(toolById('claude-code'), connection, /^Shell$/), ['claude'], Object.keys(env)),
      Object.values(env),
    );
    assert.equal(env.ANTHROPIC_BASE_URL, origin);
    assert.equal(env.ANTHROPIC_AUTH_TOKEN, key);
    assert.equal(env.ANTHROPIC_API_KEY, '');
  });

  test(`curl, ${index}`, () => {
    const words = run(code(toolById('curl'), connection, /^Shell$/), ['curl']);
    assert.equal(words[0], `${base}/chat/completions`);
    assert.ok(words.includes(`Authorization: Bearer ${key}`));
    assert.equal(JSON.parse(words.at(-1) ?? '').model, model);
  });

  for (const [outputs, path, field] of [
    [['embeddings'], 'embeddings', 'input'],
    [['rerank'], 'rerank', 'documents'],
    [['moderation'], 'moderations', 'input'],
    [['image'], 'images/generations', 'prompt'],
    [['audio'], 'audio/speech', 'voice'],
    [['text'], 'completions', 'prompt'],
  ] as const)
    test(`curl for ${path}, ${index}`, () => {
      const made = { ...connection, facts: { ...FACTS, outputs, writesText: outputs[0] === 'text' } };
      const words = run(code(toolById('curl'), made, outputs[0] === 'text' ? /^Shell, completions/ : /^Shell, /), [
        'curl',
      ]);
      assert.equal(
        words.find((word) => word.startsWith(base)),
        `${base}/${path}`,
      );
      const body = JSON.parse(words.at(-1) ?? '');
      assert.equal(body.model, model);
      assert.ok(body[field] !== undefined);
      assert.equal(toolById('curl').blocks(made).length, outputs[0] === 'text' ? 4 : 1);
    });

  test(`curl for a recording, ${index}: a form with the file`, () => {
    const made = { ...connection, facts: { ...FACTS, outputs: ['transcription'], writesText: false } };
    const words = run(code(toolById('curl'), made, /^Shell, transcriptions/), ['curl']);
    assert.ok(words.includes(`${base}/audio/transcriptions`));
    assert.deepEqual(words.slice(-4), ['--form-string', `model=${model}`, '-F', 'file=@speech.wav']);
    assert.ok(!words.includes('Content-Type: application/json'));
  });

  test(`curl for a batch, ${index}: the file, then the batch of it`, () => {
    const upload = run(code(toolById('curl'), connection, /^Shell, batches, upload/), ['curl']);
    assert.ok(upload.includes(`${base}/files`));
    assert.deepEqual(upload.slice(-4), ['--form-string', 'purpose=batch', '-F', 'file=@requests.jsonl']);
    const start = run(code(toolById('curl'), connection, /^Shell, batches, start/), ['curl']);
    assert.ok(start.includes(`${base}/batches`));
    assert.equal(JSON.parse(start.at(-1) ?? '').completion_window, '24h');
  });

  test(`Codex, ${index}: each value is a text of TOML`, () => {
    const lines = code(toolById('codex'), connection, /config\.toml/).split('\n');
    const values = new Map(
      lines.flatMap((line) => {
        const at = line.indexOf(' = ');
        // A basic text of TOML and one of JSON are written the same. https://toml.io/en/v1.0.0#string
        return at === -1 ? [] : [[line.slice(0, at), JSON.parse(line.slice(at + 3))] as const];
      }),
    );
    assert.equal(values.get('model_context_window'), facts?.context);
    assert.deepEqual(run(code(toolById('codex'), connection, /^Shell$/), ['codex'], ['TURNPIKE_KEY']), [key]);
    assert.equal(values.get('base_url'), base);
    assert.equal(values.get('model'), model);
    assert.equal(values.get('wire_api'), 'responses');
  });

  test(`Gemini CLI, ${index}`, () => {
    const variables = ['GOOGLE_GEMINI_BASE_URL', 'GEMINI_API_KEY'];
    assert.deepEqual(run(code(toolById('gemini-cli'), connection, /^Shell$/), ['gemini'], variables), [
      ...['--model', model],
      ...[origin, key],
    ]);
  });

  test(`LiteLLM’s proxy, ${index}`, () => {
    const { model_list } = parseYaml(code(toolById('litellm'), connection, /config\.yaml/));
    assert.deepEqual(model_list[0], {
      model_name: model,
      litellm_params: { model: `openai/${model}`, api_base: base, api_key: key },
    });
  });
}

test('each tool has its own id, a kind of the list and the vendor’s page, and says its address', () => {
  assert.equal(new Set(tools.map(({ id }) => id)).size, tools.length);
  for (const tool of tools) {
    assert.ok(TOOL_KINDS.some(([kind]) => kind === tool.kind));
    assert.equal(new URL(tool.documentation).protocol, 'https:');
    const text = tool
      .blocks(PLAIN)
      .map((block) => block.code)
      .join('\n');
    assert.ok(text.includes(PLAIN.origin), tool.name);
  }
});

test('what does not work is marked: a model without tools, an address that is out of reach', () => {
  const lacking = { ...PLAIN, facts: { ...FACTS, hasTools: false } };
  for (const id of ['claude-code', 'codex', 'gemini-cli', 'cline', 'continue', 'zed', 'cursor'])
    assert.match(problemsOf(toolById(id), lacking).join(), /not known to support/, id);
  for (const id of ['aider', 'curl', 'open-webui', 'librechat'])
    assert.deepEqual(problemsOf(toolById(id), lacking), [], id);
  assert.match(problemsOf(toolById('cursor'), LOCAL).join(), /cannot reach/);
  assert.match(problemsOf(toolById('librechat'), LOCAL).join(), /container/);
  for (const tool of tools) assert.deepEqual(problemsOf(tool, { ...PLAIN, facts: FACTS }), [], tool.name);
});

test('a model that writes no text is for curl alone', () => {
  const vectors = { ...PLAIN, facts: { ...FACTS, hasTools: false, writesText: false, outputs: ['embeddings'] } };
  for (const tool of tools) {
    const problems = problemsOf(tool, vectors).filter((problem) => problem.includes('writes no text'));
    assert.equal(problems.length, tool.id === 'curl' ? 0 : 1, tool.name);
  }
});

test('every operation of the API is in the snippets', () => {
  const asked = modalities.flatMap((output) =>
    callsOf({ model: 'a/b', facts: { ...FACTS, outputs: [output], writesText: output === 'text' } }).map(
      ({ what }) => what || 'chat',
    ),
  );
  assert.deepEqual([...new Set(asked)].sort(), [...operationPermissions].sort());
});
