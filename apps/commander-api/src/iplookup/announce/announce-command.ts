import type { CommandContext } from '../../command-line/command-context.js';
import { withLibraryErrors } from '../../libraries/libraries.errors.js';
import { announceLookups } from './announce-lookups.js';

/** `svccmd iplookup announce` */
export async function announce(context: CommandContext): Promise<void> {
  const done = await withLibraryErrors(() => announceLookups(context.config(), context.signal));
  const lines = [
    ...done.announced.map((name) => `announced ${name}`),
    ...done.withdrawn.map((name) => `withdrew ${name}`),
  ];
  context.answer({ text: lines.join('\n') || 'all announcements are up to date', value: done });
}
