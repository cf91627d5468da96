/** Reads the body of a request, up to a maximum size, after checking its headers. */
import type { IncomingMessage } from 'node:http';
import { GatewayError } from '../../core/errors.ts';
import type { JsonDocument } from '../../wire/json-document.ts';
import type { Identified } from '../phases.ts';
import { type BodyPorts, BodyReader, tooLarge } from './body-reader.ts';

/**
 * Rejects with `GatewayError` 400, 408, 413, 415, 503 if there is no memory for it, or with `cutReason` if the call is cut off.
 */
export function readBody(ports: BodyPorts, call: Identified): Promise<JsonDocument> {
  return new Promise((resolve, reject) => {
    const { request, response } = call;
    refuseEncoding(request);
    const declared = declaredLength(request);
    const { bodyBytesMax } = ports.limits;
    if (declared !== null && declared > bodyBytesMax) throw tooLarge(bodyBytesMax);
    if (declared !== null) ports.memory.refuseImpossible(declared);
    if (request.headers.expect !== undefined) response.writeContinue();
    new BodyReader(ports, call, declared, resolve, reject);
  });
}

function refuseEncoding(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') throw new GatewayError('unsupported_media_type');
  const type = request.headers['content-type'];
  if (type !== undefined && !/^application\/([\w.+-]+\+)?json\b/i.test(type)) {
    throw new GatewayError('unsupported_media_type', { message: 'Send the body with content-type: application/json.' });
  }
}

function declaredLength(request: IncomingMessage): number | null {
  const header = request.headers['content-length'];
  return header === undefined ? null : Number(header);
}
