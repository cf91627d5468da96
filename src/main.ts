/** `turnpike serve`: read the configuration, open the app, listen, and drain on a signal. */
import { type App, openApp } from './app.ts';
import type { Config } from './config.ts';
import { systemClock } from './core/clock.ts';
import { greeting, keptKeyText } from './first-run.ts';

/**
 * New calls are taken this long after SIGTERM, so that a load balancer has time to look elsewhere.
 * SIGINT comes from a person at a terminal, who waits for nobody.
 */
const GRACE_MS = 5_000;
/** What is left of patience after a second signal. */
const IMPATIENT_MS = 5_000;

/** Resolves with the exit code when the server has ended. Rejects when it cannot listen; a key made on a first run is told all the same. */
export async function serve(config: Config, print: (text: string) => void): Promise<number> {
  const app = await openApp(config);
  try {
    const { url } = await app.listen();
    // `performance.now()` counts from the start of the process.
    print(greeting({ url, config, app, readyMs: performance.now(), setUpLink: await app.setUpLink() }));
  } catch (error) {
    if (app.firstRun !== null) print(keptKeyText(app.firstRun));
    await app.close();
    throw error;
  }
  await signalled(app, config);
  return 0;
}

function signalled(app: App, config: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    let signals = 0;
    const onSignal = (signal: NodeJS.Signals) => {
      signals += 1;
      if (signals === 1) {
        app.gateway.log.info({ signal, running: app.gateway.running.count }, 'draining');
        app
          .drain({ graceMs: signal === 'SIGINT' ? 0 : GRACE_MS, deadlineMs: config.timeouts.drainMs })
          .then(resolve, reject);
      } else {
        systemClock.after(IMPATIENT_MS, () => app.gateway.running.cutAll());
      }
    };
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal);
  });
}
