/** Goal: the dialect keeps the contract of a caller's format. Method: requests written by hand, in Google's two spellings. */
import { callerContract } from '../contract.ts';
import { gemini } from './gemini.ts';

const requests = [
  { contents: [{ role: 'user', parts: [{ text: 'Which lamps are lit?' }] }] },
  {
    system_instruction: { parts: { text: 'Be brief.' } },
    contents: { parts: { text: 'Which lamps are lit?' } },
    generation_config: { max_output_tokens: 40 },
  },
];

callerContract(
  gemini,
  requests.map((request) => JSON.stringify(request)),
  (what) => `gemini: ${what}`,
);
