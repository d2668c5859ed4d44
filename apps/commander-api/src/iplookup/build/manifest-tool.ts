import { packageVersion } from '@svc/foundation/files';
import type { CommanderConfig } from '../../config/commander-config.js';

/** What manifests name as the program that built a lookup; undefined if none are written. */
export function manifestTool({ iplookup }: CommanderConfig): string | undefined {
  if (iplookup.manifests !== true) return undefined;
  return `svccmd ${packageVersion(import.meta.url)}`;
}
