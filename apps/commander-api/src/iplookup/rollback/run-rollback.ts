import type { LookupVersion } from '@svc/iplookup-core';
import type { CommandContext } from '../../command-line/command-context.js';
import { lookupFolder } from '../files/lookup-paths.js';
import { findVersions, rollBackLookup } from './lookup-rollback.js';

/** `svccmd iplookup versions` */
export async function versions(context: CommandContext, lookup: string): Promise<void> {
  const { file, versions: found } = await findVersions(lookupFolder(context.config()), lookup);
  const lines = found.map(versionText);
  context.answer({
    text: lines.join('\n') || `${file} has no previous version`,
    value: { file, versions: found.map(toVersionJson) },
  });
}

/** `svccmd iplookup rollback` */
export async function rollback(
  context: CommandContext,
  lookup: string,
  { to }: { readonly to?: number },
): Promise<void> {
  const done = await rollBackLookup(lookupFolder(context.config()), lookup, to);
  const kept = done.replaced === null ? '' : `; the one before is version ${done.replaced}`;
  context.answer({
    text: `${done.file}: restored version ${done.version}, written ${done.modified}, ${done.bytes} bytes${kept}`,
    value: done,
  });
}

function versionText({ number, bytes, modified }: LookupVersion): string {
  return `version ${number}: written ${modified.toISOString()}, ${bytes} bytes`;
}

/** A version without its path. */
export function toVersionJson({ number, bytes, modified }: LookupVersion) {
  return { version: number, bytes, modified: modified.toISOString() };
}
