/** The output cap of a written request, in tokens, including thinking. */
import type { ChatRequest } from '../../../chat/request.ts';
import { ASSUMED_OUTPUT_CAP } from '../../../core/assumed-limits.ts';

/** `wanted`, or the most that the model allows: providers refuse a cap above it. Null for a limit that is not set or not known. */
export function writtenCap(wanted: number | null, most: number | null, warnings: Set<string>): number | null {
  return wanted === null ? null : fittedCap(wanted, most, warnings);
}

/** For formats that require a cap: without one in the request, the most that the model allows. */
export function requiredCap(
  { outputCap }: Pick<ChatRequest, 'outputCap'>,
  most: number | null,
  warnings: Set<string>,
): number {
  return fittedCap(outputCap ?? most ?? ASSUMED_OUTPUT_CAP, most, warnings);
}

function fittedCap(wanted: number, most: number | null, warnings: Set<string>): number {
  if (most === null || wanted <= most) return wanted;
  warnings.add(`the output cap was lowered from ${wanted} to ${most} tokens, the most this model allows`);
  return most;
}
