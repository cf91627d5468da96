/** Goal: the error for a wrong path shows the right base address. Method: the texts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callerDialects } from '../../dialects/index.ts';
import { wrongPath } from './wrong-path.ts';

/** By the first name of what was asked for. */
const nearest: Readonly<Record<string, readonly string[]>> = {
  images: ['/api/v1/images/generations'],
  audio: ['/api/v1/audio/speech'],
};
const chatPaths = Object.values(callerDialects).map(({ paths: [{ pattern }] }) => pattern);

test('all base addresses and the routes are named', () => {
  const { status, code, message } = wrongPath('POST', '/v1/chat', 'http://127.0.0.1:8080');
  assert.deepEqual([status, code], [404, 'not_found']);
  assert.match(message, /nothing at POST \/v1\/chat\./);
  assert.match(
    message,
    /OpenAI clients and Responses clients \(Codex too\) use http:\/\/127\.0\.0\.1:8080\/api\/v1 as the base URL, /,
  );
  assert.match(
    message,
    /Anthropic clients \(Claude Code too\) and Google clients \(Gemini CLI too\) http:\/\/127\.0\.0\.1:8080\./,
  );
  for (const route of ['/api/v1/chat/completions', '/v1/messages', '/api/v1/models', '/api/v1/key'])
    assert.ok(message.includes(route), route);
});

test('only the start of a long path is shown', () => {
  const { message } = wrongPath('GET', `/${'a'.repeat(10_000)}`, 'http://x');
  assert.ok(message.length < 600);
  assert.match(message, /a…/);
});

test('the error for a vendor’s route that is not served says so, without advice about base addresses', () => {
  for (const asked of ['images/generations', 'audio/speech', 'conversations', 'uploads', 'cachedContents/x', 'files']) {
    const bases = asked === 'files' ? [] : ['/api/v1', '/v1'];
    for (const base of [...bases, '/v1beta', '/upload/v1beta']) {
      const { status, message } = wrongPath('POST', `${base}/${asked}`, 'http://x');
      assert.equal(status, 404);
      const near = nearest[asked.split('/')[0] ?? ''] ?? chatPaths;
      assert.equal(message, `${base}/${asked} is not served by this gateway; use ${near.join(' or ')}.`);
    }
  }
});

test('a path that only resembles one of these gets the advice', () => {
  for (const path of ['/api/v1/audiobooks', '/v1/chat/completions/extra', '/embeddings'])
    assert.match(wrongPath('POST', path, 'http://x').message, /base URL/);
});

test('the error names the routes that are nearest to what was asked for', () => {
  const said = (path: string) => wrongPath('POST', path, 'http://x').message;
  assert.match(said('/v3/rerank'), / The nearest routes are \/api\/v1\/rerank\.$/);
  assert.match(said('/api/v1/images/variations'), /; use [^ ]*\/images\/generations or [^ ]*\/images\/edits\.$/);
  assert.match(said('/v2/embeddings'), / nearest routes are \/api\/v1\/embeddings\.$/);
  assert.match(
    said('/v1/audio/voices'),
    /; use .*\/audio\/speech or .*\/audio\/transcriptions or .*\/audio\/translations\.$/,
  );
  assert.match(said(`/${'rerank/'.repeat(10_000)}`), / nearest routes are \/api\/v1\/rerank\.$/);
});
