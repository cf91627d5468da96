/** An account's capture settings, as stored in its row. */
import type { CaptureSettings } from '../../accounts/ports.ts';
import { checkFlags, checkNumbers, storedObject } from './stored-json.ts';

/** `{}` is the default: no bodies are stored. */
export function readCapture(text: string): CaptureSettings {
  const stored = storedObject(text);
  checkFlags(stored, ['on', 'redact']);
  checkNumbers(stored, ['retentionDays']);
  const { on = false, retentionDays = 7, redact = true } = stored as Partial<CaptureSettings>;
  return { on, retentionDays, redact };
}

export function writeCapture({ on, retentionDays, redact }: CaptureSettings): string {
  return JSON.stringify({ on, retentionDays, redact });
}
