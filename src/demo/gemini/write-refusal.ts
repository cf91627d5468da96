import type { Refusal } from '../refusal.ts';

/** https://ai.google.dev/gemini-api/docs/troubleshooting */
const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  404: 'NOT_FOUND',
  405: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
};

export function writeGeminiRefusal({ status, message }: Refusal): string {
  return JSON.stringify({ error: { code: status, message, status: STATUSES[status] ?? 'INTERNAL' } });
}
