/** What the log says of an error. */

/** An error for the log: type, code and stack; messages of libraries may quote input, so only our own frames remain. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(typeof error);
  const { message, stack: badKeyError = '' } = error;
  // The message precedes the frames in the stack, and a line of it may look like a frame. If the message was changed since,
  // it cannot be located, and no frame is kept.
  const at = badKeyError.indexOf(message);
  const stack = (at === -1 ? '' : badKeyError.slice(at + message.length))
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('at '))
    .slice(0, 3);
  return [error.name, (error as NodeJS.ErrnoException).code ?? '', ...stack].filter((part) => part !== '').join(' | ');
}
