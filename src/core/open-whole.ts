/**
 * Opens several things as one: `open` gives each to `closing` as soon as it is open, and where it throws they are closed again, the
 * last one first. The error is the one of `open`; one of the closing besides is a warning of the process, so that neither hides the other.
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
