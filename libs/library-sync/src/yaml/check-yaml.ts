import { isUtf8 } from 'node:buffer';
import { isPlainYaml } from './is-plain-yaml.js';
import type { YamlFinding } from './parse-yaml.js';

/**
 * Checks that a file is well-formed YAML 1.2 with no key twice in a mapping and no alias without its anchor. Tags are
 * left to the consumers, aliases are never expanded, several documents are fine. Others get their turn meanwhile.
 *
 * @returns at most ten findings
 */
export async function checkYaml(data: Uint8Array, signal?: AbortSignal): Promise<YamlFinding[]> {
  if (!isUtf8(data)) return [{ code: 'yaml-encoding', message: 'is not valid UTF-8' }];
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (isPlainYaml(bytes)) return [];
  // Loaded where it is needed: it takes longer to load than most libraries to check.
  const { parseYaml } = await import('./parse-yaml.js');
  return parseYaml(bytes.toString(), signal);
}
