/** Bodies of the management API: JSON, with a maximum size and a time limit. */
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Clock } from '../../../core/clock.ts';
import { GatewayError } from '../../../core/errors.ts';
import { duplicate } from '../../../wire/json-refusals.ts';
import { nameGivenTwice } from '../../../wire/json-twice.ts';

/** The largest are the models of a provider. */
export const BODY_BYTES_MAX = 256 * 1024;
const BODY_MS = 10_000;
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Accepts only `application/json`; a form, which any page can send to any site, gets 415. An empty body counts as absent. */
export function takeJsonOnly(scope: FastifyInstance, clock: Clock): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', async (_request: unknown, payload: IncomingMessage) => {
    const coding = payload.headers['content-encoding'];
    if (coding !== undefined && coding !== 'identity') throw new GatewayError('unsupported_media_type');
    const bytes = await readAll(payload, { bytesMax: BODY_BYTES_MAX, timeoutMs: BODY_MS, clock });
    return bytes.length === 0 ? undefined : parse(bytes);
  });
}

export interface ReadLimits {
  readonly bytesMax: number;
  readonly timeoutMs: number;
  readonly clock: Clock;
}

/** Reads a whole body. Throws `GatewayError` `request_too_large`, `request_timeout`, or `bad_request` if it breaks off. */
export function readAll(payload: IncomingMessage, { bytesMax, timeoutMs, clock }: ReadLimits): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const stop = () => {
      timer.cancel();
      payload.off('data', onData);
    };
    const fail = (error: GatewayError) => {
      stop();
      reject(error);
    };
    const onData = (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > bytesMax)
        fail(
          new GatewayError('request_too_large', {
            message: `The request body may have at most ${bytesMax / 1024} KiB.`,
          }),
        );
    };
    const timer = clock.after(timeoutMs, () => fail(tooSlow(timeoutMs)));
    payload
      .on('data', onData)
      .once('end', () => {
        stop();
        resolve(Buffer.concat(chunks));
      })
      .once('error', () => fail(new GatewayError('bad_request')))
      .once('close', () => fail(new GatewayError('bad_request')));
  });
}

function tooSlow(timeoutMs: number): GatewayError {
  return new GatewayError('request_timeout', {
    message: `The request body did not arrive within ${timeoutMs / 1000} seconds.`,
  });
}

function parse(bytes: Buffer): unknown {
  let text: string;
  try {
    text = UTF_8.decode(bytes);
  } catch (cause) {
    throw new GatewayError('invalid_utf8', { cause });
  }
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch (cause) {
    throw new GatewayError('invalid_json', { cause });
  }
  const twice = nameGivenTwice(text);
  if (twice !== null) throw duplicate(twice);
  return body;
}
