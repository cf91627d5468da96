/** Errors that say that something is missing: whether it is what the request named, not the model. */

/** A word by itself: `gpt-image-1` is the name of a model. */
const CONTENT = /(?:^|\s)(?:image|file|url|audio|video|document|attachment)s?\b/i;

/** "The model could not fetch https://…: image not found", "File not found: file_1". */
export function namesContent(message: string): boolean {
  return CONTENT.test(message);
}
