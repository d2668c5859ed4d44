import { readVersion } from '@svc/foundation/files';
import type { CommanderConfig } from '../../config/commander-config.js';

/** What manifests name as the program that built a lookup; undefined if none are written. */
export function manifestTool({ iplookup }: CommanderConfig): string | undefined {
  if (iplookup.manifests !== true) return undefined;
  return `svccmd ${readVersion(new URL('../../../package.json', import.meta.url))}`;
}
