/** How texts are written in the languages of snippets. */

/** Whether only this machine reaches an address. */
export function isLocal(origin: string): boolean {
  const host = URL.canParse(origin) ? new URL(origin).hostname : '';
  return host === 'localhost' || host.endsWith('.localhost') || host.startsWith('127.') || host === '[::1]';
}

/** In single quotes, for a shell. */
export function shell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A text of a shell that needs no quotes where it is plain. */
export function word(text: string): string {
  return /^[\w@%+=:,./…-]+$/.test(text) ? text : shell(text);
}

/** In double quotes, for Python, YAML and TOML. */
export function double(text: string): string {
  return JSON.stringify(text);
}

/** In single quotes, for JavaScript. */
export function single(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
