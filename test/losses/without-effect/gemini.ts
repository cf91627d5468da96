/** What of a request in the format `gemini` is left out of a translation without a warning. */
import type { WithoutEffect } from '../without-effect.ts';
import { DEFAULT, hasNoTools, NO_TOOLS, NOT_SHOWN, SNIFFED } from './reasons.ts';

export const gemini: readonly WithoutEffect[] = [
  { fields: '`labels`', places: /^labels\b/, why: 'they are for the caller’s own bills' },
  {
    fields:
      '`role` of the user and of instructions, `responseModalities: TEXT`, `type: object` at the root of a schema',
    places:
      /^(contents\[\]|system_?[iI]nstruction)\.role$|[mM]odalities(\[\])?$|Declarations\[\]\.parameters(JsonSchema|_json_schema)?\.type$/,
    why: DEFAULT,
  },
  {
    fields: '`functionResponse.id` or `functionResponse.name`',
    places: /\.functionResponse\.(id|name)$/,
    why: 'either finds the call',
  },
  {
    fields: '`inlineData.mimeType` of an image',
    places: /\.inlineData\.mimeType$/,
    why: SNIFFED,
  },
  {
    fields: '`inlineData.displayName` of an image, a sound or a video',
    places: /\.inlineData\.displayName$/,
    why: 'formats have names only for documents',
  },
  {
    fields: '`thoughtSignature` with a value that stands for a lost one',
    places: /\.thoughtSignature$/,
    when: ({ value }) => value === 'skip_thought_signature_validator',
    why: 'it means nothing by definition',
  },
  {
    fields: '`thinkingBudget: -1` where a level is given',
    places: /\.thinkingBudget$/,
    when: ({ value }) => value === -1,
    why: DEFAULT,
  },
  {
    fields: '`toolConfig` without tools, and `allowedFunctionNames` where no function may be called',
    places: /^toolConfig\b/,
    when: (silence) =>
      hasNoTools(silence) || /"(AUTO|NONE|VALIDATED)"/.test(JSON.stringify(silence.request['toolConfig'])),
    why: NO_TOOLS,
  },
  {
    fields: '`functionDeclarations` that `toolConfig` excludes',
    places: /^tools\[\]\.functionDeclarations\b/,
    when: ({ request }) => /"NONE"|allowedFunctionNames/.test(JSON.stringify(request['toolConfig'] ?? '')),
    why: NOT_SHOWN,
  },
  {
    fields: '`propertyOrdering` of a schema',
    places: /\.propertyOrdering(\[\])?$/,
    why: 'no JSON Schema has it',
  },
];
