/** An account's capture settings, as stored in its row. */
import type { CaptureSettings } from '../../accounts/ports.ts';

/** `{}` is the default: no bodies are stored. */
export function readCapture(text: string): CaptureSettings {
  const { on = false, retentionDays = 7, redact = true } = JSON.parse(text) as Partial<CaptureSettings>;
  return { on, retentionDays, redact };
}

export function writeCapture({ on, retentionDays, redact }: CaptureSettings): string {
  return JSON.stringify({ on, retentionDays, redact });
}
