/** An account's say about kept bodies, as its row has it. */
import type { CaptureSettings } from '../../accounts/ports.ts';

/** `{}` is what accounts began with: nothing is kept. */
export function readCapture(text: string): CaptureSettings {
  const { on = false, retentionDays = 7, redact = true } = JSON.parse(text) as Partial<CaptureSettings>;
  return { on, retentionDays, redact };
}

export function writeCapture({ on, retentionDays, redact }: CaptureSettings): string {
  return JSON.stringify({ on, retentionDays, redact });
}
