/** What the form of an upload says besides its file: https://platform.openai.com/docs/api-reference/files/create */
import { GatewayError } from '../../core/errors.ts';
import type { FormField } from '../../wire/multipart/form-writer.ts';

const PURPOSE = 'purpose';
const ANCHOR = 'expires_after[anchor]';
const SECONDS = 'expires_after[seconds]';

const HOUR_S = 3_600;
const DAYS_30_S = 2_592_000;

/** To be called when a field has arrived, so that a wrong purpose does not wait for the file. Throws `GatewayError` 400. */
export function checkField(field: FormField): void {
  if (field.name === PURPOSE) checkPurpose(textOf(field));
}

/** When the file expires, wall time, ms; null if the form does not say. Throws `GatewayError` 400, also without a purpose. */
export function readExpiry(fields: readonly FormField[], createdAt: number): number | null {
  const of = (name: string) => fields.find((field) => field.name === name);
  if (of(PURPOSE) === undefined)
    throw new GatewayError('missing_field', { message: 'Send the field "purpose": batch.', param: PURPOSE });
  const [anchor, seconds] = [of(ANCHOR), of(SECONDS)];
  if (anchor === undefined && seconds === undefined) return null;
  if (anchor === undefined || textOf(anchor) !== 'created_at')
    throw invalid(ANCHOR, 'created_at', anchor === undefined ? 'missing_field' : 'invalid_value');
  const text = seconds === undefined ? '' : textOf(seconds);
  const count = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (count < HOUR_S || count > DAYS_30_S)
    throw invalid(
      SECONDS,
      `a whole number from ${HOUR_S} to ${DAYS_30_S}`,
      seconds === undefined ? 'missing_field' : 'invalid_value',
    );
  return createdAt + count * 1_000;
}

function checkPurpose(purpose: string): void {
  if (purpose === 'batch') return;
  const why =
    purpose === 'batch_output'
      ? 'Files of this purpose are made by batches'
      : 'This gateway keeps files for batches only';
  throw new GatewayError('unsupported_value', { message: `${why}: send the purpose "batch".`, param: PURPOSE });
}

function textOf({ value }: FormField): string {
  return value.toString('utf8');
}

function invalid(param: string, what: string, code: 'missing_field' | 'invalid_value'): GatewayError {
  return new GatewayError(code, { message: `"${param}" must be ${what}.`, param });
}
