/**
 * Opens several resources as one: `open` registers each with `closing` as soon as it is open, and if it throws they are closed again,
 * last one first. Throws the error of `open`; an error while closing becomes a process warning, so that neither hides the other.
 */
export async function openWhole<Opened>(open: (closing: AsyncDisposableStack) => Promise<Opened>): Promise<Opened> {
  const closing = new AsyncDisposableStack();
  try {
    return await open(closing);
  } catch (error) {
    await closing.disposeAsync().catch((closingError: Error) => process.emitWarning(closingError));
    throw error;
  }
}
