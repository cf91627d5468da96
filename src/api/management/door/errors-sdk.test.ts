/** Goal: OpenRouter's own client understands an error. Method: that client against a door with stand-in handlers on loopback. */
import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { OpenRouter } from '@openrouter/sdk';
import { GatewayError } from '../../../core/errors.ts';
import { INFERENCE_KEY, MANAGEMENT_KEY, openDoors } from './mount-fixture.ts';

test('status and message of an error reach the caller through the SDK', async () => {
  const { server } = openDoors({
    handlers: {
      readKey: () => {
        throw new GatewayError('not_found', { message: 'The key does not exist.' });
      },
    },
  });
  await server.listen({ host: '127.0.0.1', port: 0 });
  const { port } = server.server.address() as AddressInfo;
  const clientOf = (apiKey: string) =>
    new OpenRouter({ apiKey, serverURL: `http://127.0.0.1:${port}/api/v1`, retryConfig: { strategy: 'none' } }).apiKeys;
  try {
    const refusals = [
      [() => clientOf('sk-wrong').list(), 401, /No valid API key/],
      [() => clientOf(INFERENCE_KEY).list(), 403, /inference key/],
      [() => clientOf(MANAGEMENT_KEY).get({ hash: 'x' }), 404, /The key does not exist/],
      [() => clientOf(MANAGEMENT_KEY).create({ requestBody: { name: 'x'.repeat(300) } }), 400, /longer than/],
    ] as const;
    for (const [ask, statusCode, message] of refusals) {
      await assert.rejects(ask(), (error: Error & { statusCode?: number; body?: string }) => {
        assert.equal(error.statusCode, statusCode, error.message);
        assert.match(`${error.message} ${error.body}`, message);
        return true;
      });
    }
  } finally {
    await server.close();
  }
});
