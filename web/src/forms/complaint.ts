import { ApiError } from '../api/client.ts';

/**
 * What an error says about a field (`limits.budgets.day`) or one within it (`permissions.ips[2]`), for `<Field error>`;
 * null if it is about another one. The server names the fields of limits and permissions by the words of the request
 * or by its own (`permissions.modelsAllow`): both are understood.
 */
export function complaintAbout(error: unknown, field: string): string | null {
  if (!(error instanceof ApiError) || error.param === null) return null;
  const param = plain(error.param);
  if (param !== field && !param.startsWith(`${field}.`)) return null;
  // The server's message starts with the field's name, which the label shows already.
  const named = error.message.startsWith(error.param) ? error.message.slice(error.param.length) : error.message;
  const text = named.replace(/^( is not accepted)?:? /, '');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Whether an error is about none of these fields, and so must be shown above the buttons. */
export function isAboutNone(error: unknown, fields: readonly string[]): boolean {
  return fields.every((field) => complaintAbout(error, field) === null);
}

function plain(param: string): string {
  return param.replace(/\[\d+\]/g, '').replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
