/** Whether an error that says something was not found is about content that the request named, not about the model. */

/** Only as a whole word: `gpt-image-1` is the name of a model. */
const CONTENT = /(?:^|\s)(?:image|file|url|audio|video|document|attachment)s?\b/i;

/** "The model could not fetch https://…: image not found", "File not found: file_1". */
export function namesContent(message: string): boolean {
  return CONTENT.test(message);
}
