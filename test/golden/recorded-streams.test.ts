/**
 * Goal: a recorded answer says the same in every caller's format, and an ordinary one loses nothing. Method: streams that are not part of the project, from
 * `TURNPIKE_RECORDINGS` (skipped with a message if absent), are translated, and the translation is read again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { providerNames, relayNames } from './fixtures.ts';
import { recordedStreams } from './recorded-answers.ts';
import { recordings, skip } from './recordings.ts';
import { type Said, saidIn } from './said.ts';
import { readStream, writeStream } from './translate.ts';

for (const from of providerNames) {
  test(`${from}: recorded streams say the same in every other format`, { skip }, (context) => {
    let seen = 0;
    for (const { file, bytes } of recordedStreams(recordings, from)) {
      const { events, cut } = readStream(from, bytes);
      const before = saidIn(events);
      // A stream that broke off is an error in every format; the golden tests show how.
      if (before === null || cut) continue;
      seen += 1;
      for (const to of relayNames) {
        if (to === from) continue;
        const { bytes: written, warnings } = writeStream(to, events);
        if (!LOSSY.test(bytes.toString())) assert.deepEqual(warnings, [], `${file} for ${to}`);
        const after = saidIn(readStream(to, written).events);
        // The Messages API cannot leave the usage out.
        const expected = joined(before);
        assert.deepEqual(
          before.usage === null ? { ...joined(after), usage: null } : joined(after),
          expected,
          `${file} for ${to}`,
        );
      }
    }
    assert.ok(seen >= (LEAST[from] ?? 10), `only ${seen} streams were found`);
    context.diagnostic(`${seen} recorded streams`);
  });
}

/** Chat completions have one text: a blank line stands between two. */
function joined(said: Said | null): Said | null {
  return said && { ...said, text: said.text.replaceAll('\n\n', '') };
}

/** How many whole streams there must be, where there are few. */
const LEAST: Partial<Record<(typeof providerNames)[number], number>> = { 'bedrock-converse': 8 };

/** Blocks, and a refusal's details, that only the Messages API has: their warnings are tested where they are read. */
const LOSSY = /"(server_tool_use|mcp_tool_use|compaction|fallback|tool_search_tool_result)"|"stop_details": ?\{/;
