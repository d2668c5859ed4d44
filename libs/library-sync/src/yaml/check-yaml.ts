import { isUtf8 } from 'node:buffer';
import { isPlainYaml } from './is-plain-yaml.js';
import type { YamlFinding } from './parse-yaml.js';

/**
 * Checks that a file is well-formed YAML 1.2 without duplicate keys or undefined aliases. Tags are left to the
 * consumers, aliases are never expanded, multiple documents are allowed. Yields to the event loop.
 *
 * @returns at most ten findings
 */
export async function checkYaml(data: Uint8Array, signal?: AbortSignal): Promise<YamlFinding[]> {
  if (!isUtf8(data)) return [{ code: 'yaml-encoding', message: 'is not valid UTF-8' }];
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  if (isPlainYaml(bytes)) return [];
  // Loaded lazily: loading it takes longer than checking most libraries.
  const { parseYaml } = await import('./parse-yaml.js');
  return parseYaml(bytes.toString(), signal);
}
