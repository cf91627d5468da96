/** Official and popular clients, each over a provider of each format; `TURNPIKE_PROVE_CLIENTS` names some of them, by parts, with commas. */
import { proveClients } from '../clients/prove-clients.ts';
import { prove } from './support/prove.ts';

const parts = (process.env['TURNPIKE_PROVE_CLIENTS'] ?? '').split(',').filter((part) => part !== '');

await prove('clients', () => proveClients(parts));
