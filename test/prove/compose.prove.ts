/**
 * `deploy/compose.yaml` starts, and serves: with `docker compose up --wait` where there is a daemon, otherwise its services as processes of
 * this machine, with the same commands, environment and health checks. A node is stopped and started while calls go on.
 */
import { composeServes } from '../deploy/compose-serves.ts';
import { prove } from './support/prove.ts';

await prove('compose', () => composeServes());
