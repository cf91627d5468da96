/**
 * Tells the test runner of Node which test is running, without async hooks. It enables them to know to which test an error belongs, and
 * V8 then takes a third more processor time for everything: each promise is noted. An `AsyncLocalStorage` follows the same calls
 * and costs almost nothing.
 *
 * Import this before anything imports `node:test`, and import that dynamically. Only for the Node of the lock file:
 * `track-tests.test.ts` shows that errors are still attributed.
 */
import asyncHooks, { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';

const { createHook, executionAsyncId } = asyncHooks;
const { runInAsyncScope: enter } = AsyncResource.prototype;
/** The id of the test, suite or hook that is running. */
const running = new AsyncLocalStorage();
/** What the runner wants to be told of each resource. */
let noteResource = null;

asyncHooks.executionAsyncId = () => running.getStore() ?? executionAsyncId();
asyncHooks.createHook = (callbacks) => {
  noteResource = callbacks.init;
  return { enable() {}, disable() {} };
};
await import('node:test');
Object.assign(asyncHooks, { createHook, executionAsyncId });

/** The runner enters a test, a suite or a hook by this, and so do others with resources of their own. */
AsyncResource.prototype.runInAsyncScope = function (run, self, ...parameters) {
  if (noteResource === null || !isOfRunner(this.constructor)) return enter.call(this, run, self, ...parameters);
  const id = this.asyncId();
  noteResource(id, 'Test', 0, this);
  // Within, because a resource restores the storages of the time when it was made.
  return enter.call(this, () => running.run(id, () => run.apply(self, parameters)));
};

/** Whether it is the runner's class of tests, or derived from it. */
function isOfRunner(made) {
  return typeof made === 'function' && (made.name === 'Test' || isOfRunner(Object.getPrototypeOf(made)));
}
