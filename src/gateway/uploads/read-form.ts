/** Reads a form with files until it can be judged: all of it if it is short. */
import { amountAt } from '../../billing/bound.ts';
import { GatewayError } from '../../core/errors.ts';
import type { FormRules } from '../../dialects/interface/form.ts';
import type { Peek } from '../../dialects/interface/peek.ts';
import type { JsonDocument } from '../../wire/json-document.ts';
import { scanJson } from '../../wire/json-scan.ts';
import { readBoundary } from '../../wire/multipart/read-boundary.ts';
import { boundIn } from '../admission/hold-request.ts';
import type { Admitted, Identified } from '../phases.ts';
import { ArrivingForm } from './arriving-form.ts';
import { type OpeningPorts, openForm } from './form-opening.ts';
import { FormUpload, type UploadPorts } from './form-upload.ts';
import { notForm, tooLarge, tooLate } from './upload-errors.ts';

export type FormPorts = OpeningPorts & UploadPorts & { readonly limits: { readonly uploadBytesMax: number } };

/**
 * What is known of the form, as JSON; the call has its `upload` then. Rejects with `GatewayError` 400, 408, 413, 415, 503 if there is no memory
 * for it, or with `cutReason` if the call is cut off.
 */
export async function readForm(ports: FormPorts, call: Identified, rules: FormRules): Promise<JsonDocument> {
  const { request, response, dialect, account } = call;
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
  const { uploadBytesMax: bytesMax } = ports.limits;
  if (declared !== null && declared > bytesMax) throw tooLarge(bytesMax);
  if (headers.expect !== undefined) response.writeContinue();
  const form = new ArrivingForm(rules, { boundary, declared, bytesMax }, account.capture.on);
  const upload = new FormUpload(ports, request, form);
  call.upload = upload;
  upload.goOn(await openForm(ports, call, form));
  return scanJson(upload.describe(), dialect.scan);
}

/**
 * Reads the request of the call again, now that all of its form has arrived. Returns whether only what came last asks for a stream. Throws `GatewayError` 400 for what would have been refused before, and
 * for what came too late to decide where the call goes and what is held for it.
 */
export function readWholeForm(mode: Parameters<typeof boundIn>[0], call: Admitted): boolean {
  const { upload, dialect, operation, inbound, peek } = call;
  if (upload === null) return false;
  const whole = { ...inbound, document: scanJson(upload.describe(), dialect.scan) };
  const read = operation.peek(dialect, whole);
  if (read.preferences !== undefined && peek.preferences === undefined)
    throw new GatewayError('invalid_value', { message: 'Send what says where the call goes before the files.' });
  if (mostOf(mode, call, read) > mostOf(mode, call, peek)) throw tooLate();
  call.inbound = whole;
  call.peek = read;
  return read.stream && !peek.stream;
}

/** The most that the call can cost where it is served now; 0 without a price. */
function mostOf(mode: Parameters<typeof boundIn>[0], call: Admitted, peek: Peek): bigint {
  const bound = boundIn(mode, call.operation.bound(peek), [call.candidate], call);
  return bound === null ? 0n : amountAt(bound, bound.outputCap);
}
