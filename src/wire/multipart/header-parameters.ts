/** Reads header values like `form-data; name="file"`: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.6 */

export interface ParameterValue {
  /** What comes before the first `;`, in lower case. */
  readonly value: string;
  /** By lower-case name. */
  readonly parameters: ReadonlyMap<string, string>;
}

/**
 * Null if it is not of this form, or has a parameter twice. In quotes, a backslash before a quote is left out, and stays before anything else:
 * browsers do not escape it, and Windows has it in paths.
 */
export function readParameters(header: string): ParameterValue | null {
  const first = header.indexOf(';');
  const value = (first === -1 ? header : header.slice(0, first)).trim().toLowerCase();
  const parameters = new Map<string, string>();
  let at = first === -1 ? header.length : first;
  while (at < header.length) {
    at = skipBlanks(header, at);
    if (at === header.length) break;
    if (header[at] !== ';') return null;
    at = skipBlanks(header, at + 1);
    // A semicolon may be the end.
    if (at === header.length) break;
    const equals = header.indexOf('=', at);
    if (equals === -1) return null;
    const name = header.slice(at, equals).trim().toLowerCase();
    const read = header[equals + 1] === '"' ? quoted(header, equals + 2) : plain(header, equals + 1);
    if (read === null || name === '' || parameters.has(name)) return null;
    parameters.set(name, read.text);
    at = read.end;
  }
  return { value, parameters };
}

interface Read {
  readonly text: string;
  readonly end: number;
}

/** Null if the quote is not closed. */
function quoted(header: string, start: number): Read | null {
  let text = '';
  let from = start;
  for (let at = start; at < header.length; at += 1) {
    if (header[at] === '"') return { text: text + header.slice(from, at), end: at + 1 };
    if (header[at] === '\\' && header[at + 1] === '"') {
      text += header.slice(from, at);
      from = at + 1;
      at += 1;
    }
  }
  return null;
}

function plain(header: string, start: number): Read {
  const semicolon = header.indexOf(';', start);
  const end = semicolon === -1 ? header.length : semicolon;
  return { text: header.slice(start, end).trim(), end };
}

function skipBlanks(text: string, start: number): number {
  let at = start;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  return at;
}
