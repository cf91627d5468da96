/** `turnpike serve`: read the configuration, open the app, listen, and drain on a signal. */
import { type App, openApp } from './app.ts';
import type { Config } from './config.ts';
import { greeting } from './first-run.ts';

/**
 * Signals that follow one another so closely are one: a supervisor signals every process of a service
 * (`KillMode=control-group` of systemd), and those in front of this one, npm and the launcher, each pass theirs on.
 */
const ONE_SIGNAL_MS = 1_000;

/** Resolves with the exit code when the server has ended. Rejects when it cannot listen; then no key was made. */
export async function serve(config: Config, print: (text: string) => void): Promise<number> {
  const app = await openApp(config);
  try {
    const { url } = await app.listen();
    const setUpLink = await app.setUpLink();
    // Last, since its secret is shown this once: whatever fails before leaves the first run to the next start.
    const firstRun = await app.begin();
    // `performance.now()` counts from the start of the process.
    print(greeting({ url, config, app, firstRun, readyMs: performance.now(), setUpLink }));
  } catch (error) {
    await app.close();
    throw error;
  }
  await signalled(app, config);
  return 0;
}

function signalled(app: App, config: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    let firstMs: number | null = null;
    const onSignal = (signal: NodeJS.Signals) => {
      const nowMs = performance.now();
      if (firstMs === null) {
        firstMs = nowMs;
        app.gateway.log.info({ signal, running: app.gateway.running.count }, 'draining');
        // SIGINT comes from a person at a terminal: no load balancer has to look elsewhere first.
        const graceMs = signal === 'SIGINT' ? 0 : config.timeouts.drainDelayMs;
        app.drain({ graceMs, deadlineMs: config.timeouts.drainMs }).then(resolve, reject);
      } else if (nowMs - firstMs >= ONE_SIGNAL_MS) {
        app.gateway.log.warn({ signal, running: app.gateway.running.count }, 'draining_cut_short');
        app.gateway.running.cutAll();
      }
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  });
}
