/** Takes the form of an upload from its first byte to its last, and stores its file while it arrives. */
import { GatewayError } from '../../core/errors.ts';
import type { CallersFiles, FileLimits } from '../../files/callers-files.ts';
import { fileTooLarge } from '../../files/file-errors.ts';
import type { FileRow } from '../../files/ports.ts';
import { readBoundary } from '../../wire/multipart/read-boundary.ts';
import { type JudgePorts, judgeAgain } from '../arrival/judge.ts';
import { type MemoryBudget, memoryOf } from '../capacity/memory-budget.ts';
import { checkGoesOn } from '../check-goes-on.ts';
import type { Identified } from '../phases.ts';
import { notForm } from '../uploads/upload-errors.ts';
import { ArrivingFile, type ArrivingPorts, CHUNK_BYTES, FORM_BYTES_MAX } from './arriving-file.ts';

export type ReceivePorts = JudgePorts &
  ArrivingPorts & {
    readonly files: Pick<CallersFiles, 'begin'>;
    readonly limits: FileLimits;
    readonly memory: MemoryBudget;
  };

/** One that fills, another that is sealed and written, and the fields. */
const MEMORY_BYTES = 4 * CHUNK_BYTES + FORM_BYTES_MAX;

/**
 * The complete file. Rejects with `GatewayError` 400, 401, 403, 408, 413, 415, 503, or with `cutReason` if the call is cut off; nothing of the
 * file stays then.
 */
export async function receiveFile(ports: ReceivePorts, call: Identified): Promise<FileRow> {
  const { request, response } = call;
  const { headers } = request;
  const boundary = readBoundary(headers['content-type']);
  const encoding = headers['content-encoding'];
  if (boundary === null || (encoding !== undefined && encoding !== 'identity')) throw notForm();
  if (headers['idempotency-key'] !== undefined)
    throw new GatewayError('unsupported_value', {
      message: 'An Idempotency-Key cannot be used with an upload: send the request without it.',
      param: 'idempotency-key',
    });
  const length = headers['content-length'];
  const declared = length === undefined ? null : Number(length);
  const { fileBytesMax } = ports.limits;
  if (declared !== null && declared > fileBytesMax + FORM_BYTES_MAX) throw fileTooLarge(fileBytesMax);
  memoryOf(call, ports.memory).take(MEMORY_BYTES);
  if (headers.expect !== undefined) response.writeContinue();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const arriving = new ArrivingFile(ports, call, { boundary, declared }, { resolve, reject });
  try {
    await promise;
    checkGoesOn(call);
    // It may have taken an hour.
    judgeAgain(ports, call);
    return await arriving.complete();
  } catch (error) {
    await arriving.discard();
    throw error;
  }
}
