/** Reads a form with a file until it can be judged: all of it if it is short. */
import { GatewayError } from '../../core/errors.ts';
import type { JsonDocument } from '../../wire/json-document.ts';
import { scanJson } from '../../wire/json-scan.ts';
import { readBoundary } from '../../wire/multipart/read-boundary.ts';
import type { Identified, Paid } from '../phases.ts';
import { FormUpload, type UploadPorts } from './form-upload.ts';
import { notForm, tooLarge } from './upload-errors.ts';

/**
 * What is known of the form, as JSON; the call has its `upload` then. Rejects with `GatewayError` 400, 408, 413, 415, 503 if there is no memory
 * for it, or with `cutReason` if the call is cut off.
 */
export async function readForm(ports: UploadPorts, call: Identified): Promise<JsonDocument> {
  const { request, response, dialect } = call;
  const { headers } = request;
  const boundary = readBoundary(headers['content-type']);
  const encoding = headers['content-encoding'];
  if (boundary === null || (encoding !== undefined && encoding !== 'identity')) throw notForm();
  if (headers['idempotency-key'] !== undefined)
    throw new GatewayError('unsupported_value', {
      message: 'An Idempotency-Key cannot be used with a file, which is not kept: send the request without it.',
      param: 'idempotency-key',
    });
  const length = headers['content-length'];
  const declared = length === undefined ? null : Number(length);
  const { uploadBytesMax } = ports.limits;
  if (declared !== null && declared > uploadBytesMax) throw tooLarge(uploadBytesMax);
  if (headers.expect !== undefined) response.writeContinue();
  await new Promise<void>((resolve, reject) => {
    call.upload = new FormUpload(ports, call, { boundary, declared }, { resolve, reject });
  });
  return describedForm(call.upload as unknown as FormUpload, dialect.scan);
}

/** Throws `GatewayError` 400 for a form without a file. */
export function describedForm(upload: FormUpload, scan: Parameters<typeof scanJson>[1]): JsonDocument {
  return scanJson(upload.describe(), scan);
}

/**
 * Reads the request of the call again, now that all of its form has arrived. Returns whether only what came last asks for a stream. Throws `GatewayError` 400 for what would have been refused before, and
 * for what came too late to decide where the call goes.
 */
export function readWholeForm(call: Paid): boolean {
  const { upload, dialect, operation, inbound, peek } = call;
  if (upload === null) return false;
  const whole = { ...inbound, document: describedForm(upload, dialect.scan) };
  const read = operation.peek(dialect, whole);
  if (read.preferences !== undefined && peek.preferences === undefined)
    throw new GatewayError('invalid_value', { message: 'Send what says where the call goes before the field "file".' });
  call.inbound = whole;
  call.peek = read;
  return read.stream && !peek.stream;
}
