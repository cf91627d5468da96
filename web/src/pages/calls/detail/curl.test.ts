// Goal: a copied command is safe in a shell and holds no key. Method: a body with quotes, in two dialects.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerDialects } from '../../../api/dialects.ts';
import { curlOf } from './curl.ts';

const call = { model: 'demo/echo', operation: 'chat', streamed: false };
const whole = { request: `{"a":"it's $(x)"}`, request_truncated: false };

test('a body passes a shell unchanged', () => {
  const text = curlOf('http://127.0.0.1:8080/', { ...call, dialect: 'openai-chat' }, whole) ?? '';
  assert.match(text, /^curl 'http:\/\/127\.0\.0\.1:8080\/api\/v1\/chat\/completions' \\\n/);
  assert.ok(text.endsWith(`--data-raw '{"a":"it'\\''s $(x)"}'`));
  assert.ok(text.includes('Bearer $TURNPIKE_KEY'));
});

test('messages go to their own route, and there is no command for a truncated body', () => {
  const text = curlOf('http://127.0.0.1:8080', { ...call, dialect: 'anthropic-messages', streamed: true }, whole) ?? '';
  assert.ok(text.includes('/v1/messages') && text.includes('x-api-key: $TURNPIKE_KEY'));
  assert.equal(curlOf('http://h', { ...call, dialect: null }, { ...whole, request_truncated: true }), null);
  assert.equal(curlOf('http://h', { ...call, dialect: null }, { request: null, request_truncated: false }), null);
});

test('every operation goes to its own route', () => {
  for (const { name, operations } of callerDialects)
    for (const [operation, path] of Object.entries(operations)) {
      const text =
        curlOf('http://h', { ...call, operation, dialect: name, streamed: true }, { ...whole, request: '{}' }) ?? '';
      assert.ok(text.startsWith(`curl 'http://h${path.replace('{model}', 'demo/echo')}'`), operation);
      assert.equal(text.endsWith('--output speech'), operation === 'speech');
    }
});

test('images to edit are files of a form, or JSON as they were', () => {
  const files = [{ filename: 'a.png' }, { filename: 'b.png' }];
  const of = (request: object) =>
    curlOf(
      'http://h',
      { ...call, operation: 'image_edits', dialect: 'openai-chat' },
      { ...whole, request: JSON.stringify(request) },
    ) ?? '';
  assert.ok(
    of({ 'image[]': files, n: '2' }).endsWith(
      `-F 'image[]=@"a.png"' \\\n  -F 'image[]=@"b.png"' \\\n  --form-string 'n=2'`,
    ),
  );
  assert.ok(of({ images: [{ image_url: 'data:' }] }).includes("--data-raw '{"));
});

test('a form has its fields, and the name of its file', () => {
  const request = JSON.stringify({
    model: 'demo/listen',
    'include[]': ['a', "b'c"],
    file: { filename: 'a;"b".mp3', bytes: 9 },
  });
  const text =
    curlOf('http://h', { ...call, operation: 'transcriptions', dialect: 'openai-chat' }, { ...whole, request }) ?? '';
  assert.ok(
    text.endsWith(
      [
        "--form-string 'model=demo/listen'",
        "--form-string 'include[]=a'",
        "--form-string 'include[]=b'\\''c'",
        `-F 'file=@"a;\\"b\\".mp3"'`,
      ].join(' \\\n  '),
    ),
    text,
  );
});
