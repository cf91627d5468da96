/**
 * `node scripts/build-catalog.ts <folder>` reads the price tables in a folder and writes
 * `src/catalog/models.json`. The same tables give the same bytes. Where they disagree:
 *
 * 1. A vendor's own interface: both tables count. Prices on which they agree are joined line by
 *    line; where input or output differ, the dearer table is taken whole; where another line differs, the dearer line. Each case is printed,
 *    because a price too low is paid by the operator without his knowing. A price that a table still has although it was lowered is left out
 *    (`outdated-prices.ts`). Limits, names and
 *    modalities are models.dev's, which counts a whole context window; LiteLLM counts the input.
 * 2. OpenRouter: models.dev alone, which mirrors its list; LiteLLM keeps what has left it. Lines the
 *    list lacks (audio, an hour's cache write) are the vendor's where both sell at one price.
 * 3. Left out: what is withdrawn (by date, by status, by `withdrawn.ts`), what has no price, what
 *    answers in images or in audio without a price, speech, aliases that move, OpenAI's models for research, and those
 *    that neither chat completions nor Responses serve. Of embeddings, those of Google's that its own format serves, and those of
 *    providers that have them in OpenAI's.
 * 4. Efforts, the way of thinking, prefill and instructions in mid-conversation are LiteLLM's flags,
 *    which hold for the reseller's copy too; what no table says is left out of the line. A model that
 *    takes no sampling is not listed with any, whatever the other table says.
 *
 * 5. A search has the fee of a search of the size that is taken by default. A model that searches with every call has it as the fee of
 *    a call; where no table says it, the model has no price once the catalogue is opened (`always-searches.ts`).
 *    The fees of OpenAI's own tools are in `tool-fees.ts`.
 *
 * 6. Bedrock and Vertex are further places of models that the catalogue has already: Claude, Gemini and Nova. Each prefix of a region is a
 *    name of its own there, with a price of its own; `offers` of the provider's declaration chooses among them.
 *
 * 7. Makers and hosts that came later join models by name, and change nothing of what was there: `join-later.ts`, decision 0080.
 *
 * 8. Models of a single purpose, such as making images, are named in `single-purpose.ts`.
 *
 * Ids are `<vendor>/<name>`, vendors spelt as OpenRouter spells them, names as the vendor's own
 * interface does; OpenRouter's other spelling of a name becomes an alias. Targets: the vendor first,
 * then OpenRouter, then others.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { catalogText } from './build-catalog/catalog-text.ts';

const { positionals } = parseArgs({ allowPositionals: true });
const [folder] = positionals;
if (folder === undefined || positionals.length > 1) {
  process.stderr.write('Usage: node scripts/build-catalog.ts <folder with the price tables>\n');
  process.exit(2);
}

const { text, ids, disagreements } = catalogText(folder);
writeFileSync(new URL('../src/catalog/models.json', import.meta.url), text);
const vendors = new Set(ids.map((id) => id.slice(0, id.indexOf('/'))));
for (const line of disagreements) process.stdout.write(`The tables disagree on ${line}\n`);
process.stdout.write(`${ids.length} models of ${vendors.size} vendors\n`);
