/** Why a form with files is refused while it arrives. */
import { GatewayError } from '../../core/errors.ts';
import type { FormRules } from '../../dialects/interface/form.ts';

export function tooSlow(pace: string): GatewayError {
  return new GatewayError('request_timeout', { message: `The request body did not arrive ${pace}.` });
}

export function tooLarge(bytesMax: number): GatewayError {
  return new GatewayError('request_too_large', {
    message: `The form is larger than the limit of ${bytesMax} bytes (limits.uploadBytesMax). Send a smaller or compressed file, or ask the operator to raise the limit.`,
    facts: { limit: 'limits.uploadBytesMax' },
  });
}

interface UnknownForm {
  readonly parts: { readonly missing: readonly string[] };
  readonly rules: FormRules;
}

/** There is no more memory for files of a form that cannot be judged; `thrown` says why. */
export function unknownFields(thrown: unknown, { parts, rules }: UnknownForm, held: number): unknown {
  const { missing } = parts;
  if (!(thrown instanceof GatewayError) || missing.length === 0) return thrown;
  const names = missing.map((name) => `"${name}"`).join(' and ');
  const fields = missing.length === 1 ? `the field ${names}` : `the fields ${names}`;
  const [file] = rules.files.keys();
  const before = rules.files.size === 1 ? `the field "${file}"` : 'the files';
  return new GatewayError(thrown.code, {
    message: `The gateway cannot hold more of this form than ${held} bytes while it waits for ${names}: send ${fields} before ${before}.`,
    ...(thrown.retryAfterSeconds !== null && { retryAfterSeconds: thrown.retryAfterSeconds }),
  });
}

/** Fields came after the files that would have changed where the call went, or what was held for it. */
export function tooLate(): GatewayError {
  return new GatewayError('invalid_value', {
    message:
      'What came after the first files makes this call cost more, or is too long: send all other fields before the files.',
  });
}

export function notForm(): GatewayError {
  return new GatewayError('unsupported_media_type', {
    message: 'Send the body uncompressed, with content-type: multipart/form-data and its boundary.',
  });
}
