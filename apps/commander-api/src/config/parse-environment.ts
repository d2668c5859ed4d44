import { nearestName } from '@svc/foundation';
import { editsOf } from './assemble-config.js';
import { readFault } from '../files/read-at-most.js';
import { type ConfigKey, environmentName } from './config-key.js';
import type { ParsedSource, Setting } from './config-source.js';

/** Variables by name, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that start with the prefix and are no configuration keys. */
const NOT_KEYS = ['SVCCMD_DEBUG'];

/**
 * Reads `SVCCMD_<SECTION>_<KEY>`, or `SVCCMD_<SECTION>_<KEY>_FILE` that names a file with the value (its last line break
 * is dropped). For the encryption key, whose value names a file anyway, both mean the same. An empty variable counts as
 * not set. A variable of a known section with an unknown key is left to the caller to refuse.
 *
 * @param readFile reads a file as text; throws when it cannot
 */
export function parseEnvironment(
  keys: readonly ConfigKey[],
  environment: Environment,
  readFile: (path: string) => string,
): ParsedSource {
  const settings: Setting[] = [];
  const faults: string[] = [];
  const byName = new Map(keys.map((key) => [environmentName(key), key]));
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('SVCCMD_') || NOT_KEYS.includes(name) || !value) continue;
    if (isServiceVariable(name, value)) continue;
    const direct = byName.get(name);
    const key = direct ?? byName.get(name.replace(/_FILE$/, ''));
    if (!key) {
      settings.push(...unknown(keys, name));
    } else if (direct || key.type === 'key') {
      settings.push({ section: key.section, key: key.key, value, origin: name });
    } else {
      addFromFile(key, name, value);
    }
  }
  return { settings, faults };

  function addFromFile({ section, key }: ConfigKey, name: string, path: string): void {
    try {
      settings.push({ section, key, value: readFile(path).replace(/\r?\n$/, ''), origin: name });
    } catch (error) {
      faults.push(`${name}: cannot read the file it names (${readFault(error)})`);
    }
  }
}

/**
 * Kubernetes tells every container of a service named `svccmd-http` by SVCCMD_HTTP_SERVICE_HOST, SVCCMD_HTTP_SERVICE_PORT,
 * SVCCMD_HTTP_PORT=tcp://10.0.0.1:8080, SVCCMD_HTTP_PORT_8080_TCP_ADDR and more.
 */
function isServiceVariable(name: string, value: string): boolean {
  return (
    /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_\w+)?$/.test(name) ||
    (name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value))
  );
}

/** Orchestrators put variables of their own there (`SVCCMD_SERVICE_HOST`), so only what looks meant for us is kept. */
function unknown(keys: readonly ConfigKey[], name: string): Setting[] {
  const [section = '', ...rest] = name.slice('SVCCMD_'.length).toLowerCase().split('_');
  const known = keys.some(
    (key) => key.section === section || nearestName(section, [key.section], editsOf) !== undefined,
  );
  return known && rest.length > 0 ? [{ section, key: rest.join('_'), value: '', origin: name }] : [];
}
