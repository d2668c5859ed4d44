import { text } from '../texts/text.js';

/** The script or the style of a screen could not be fetched. */
export class ScreenLoadError extends Error {
  override readonly name = 'ScreenLoadError';
}

/** Fetches a screen's code. @throws {ScreenLoadError} which the router does not take for a reason to reload the page itself */
export async function loadScreen<Screen>(fetchScreen: () => Promise<Screen>): Promise<Screen> {
  try {
    return await fetchScreen();
  } catch (cause) {
    throw new ScreenLoadError(text('crash.notLoaded'), { cause });
  }
}
