import { text } from '../texts/text.js';

/** A script or style of the console could not be loaded. */
export class CodeLoadError extends Error {
  override readonly name = 'CodeLoadError';
}

/**
 * Loads the code of a screen, or of a part of one.
 *
 * @throws {CodeLoadError} which the screen explains; the router would reload the page by itself on any other error
 */
export async function loadCode<Code>(fetchCode: () => Promise<Code>): Promise<Code> {
  try {
    return await fetchCode();
  } catch (cause) {
    throw new CodeLoadError(text('crash.notLoaded'), { cause });
  }
}
