import { fileValue, nearestName } from '@svc/foundation';
import type { Environment } from '@svc/foundation/config';
import { editsOf } from './assemble-config.js';
import { describeReadError } from '../files/read-at-most.js';
import { type ConfigKey, environmentName, type ParsedSource, type Setting } from './config-key.js';
import { GROUPS, isNamedSection, namedKeys } from './named-sections.js';

/** Variables with the prefix that are not configuration keys. */
const NOT_KEYS = ['SVCCMD_DEBUG'];

/**
 * Reads `SVCCMD_<SECTION>_<KEY>`, or `SVCCMD_<SECTION>_<KEY>_FILE` which names a file with the value (its last line break
 * is dropped). For the encryption key, whose value names a file anyway, both mean the same. Empty variables are ignored.
 * Variables of a known section with an unknown key are left to the caller to reject.
 *
 * @param readFile reads a file as text; throws when it cannot
 */
export function parseEnvironment(
  keys: readonly ConfigKey[],
  environment: Environment,
  readFile: (path: string) => string,
): ParsedSource {
  const settings: Setting[] = [];
  const errors: string[] = [];
  const byName = new Map(keys.map((key) => [environmentName(key), key]));
  for (const [name, value] of Object.entries(environment)) {
    if (!name.startsWith('SVCCMD_') || NOT_KEYS.includes(name) || !value) continue;
    if (isServicePort(name, value)) continue;
    const direct = byName.get(name);
    const key = direct ?? byName.get(name.replace(/_FILE$/, ''));
    if (!key) {
      if (isServiceVariable(name)) continue;
      if (namesNoSection(name))
        errors.push(
          `${name}: the configuration file has no such section; variables can only override sections that it has`,
        );
      else settings.push(...unknown(keys, name));
    } else if (direct || key.type === 'key') {
      settings.push({ section: key.section, key: key.key, value, origin: name });
    } else {
      addFromFile(key, name, value);
    }
  }
  return { sections: [], settings, errors };

  function addFromFile({ section, key }: ConfigKey, name: string, path: string): void {
    try {
      settings.push({ section, key, value: fileValue(readFile(path)), origin: name });
    } catch (error) {
      errors.push(`${name}: cannot read the file that it names (${describeReadError(error)})`);
    }
  }
}

/** Kubernetes announces a service named `svccmd-http` to every container, also as SVCCMD_HTTP_PORT=tcp://10.0.0.1:8080. */
const isServicePort = (name: string, value: string): boolean =>
  name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value);

/** The other variables of such a service: SVCCMD_HTTP_SERVICE_HOST, SVCCMD_HTTP_PORT_8080_TCP_ADDR and more. */
const isServiceVariable = (name: string): boolean =>
  /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_\w+)?$/.test(name);

/** True for a key of a named section, whatever its name: no other variables end like one. */
function namesNoSection(name: string): boolean {
  return GROUPS.some((group) => {
    const start = `SVCCMD_${group}_`.toUpperCase();
    const ends = namedKeys(`${group}:x`).map((key) => environmentName(key).slice(`${start}X`.length));
    return new RegExp(`^${start}.+(${ends.join('|')})(_FILE)?$`).test(name);
  });
}

/** Orchestrators set similar variables (`SVCCMD_SERVICE_HOST`), so keep only those that look like a section's. */
function unknown(keys: readonly ConfigKey[], name: string): Setting[] {
  const named = keys.find(({ section }) => isNamedSection(section) && name.startsWith(prefixOf(section)));
  if (named) {
    const key = name.slice(prefixOf(named.section).length).toLowerCase();
    return [{ section: named.section, key, value: '', origin: name }];
  }
  const [section = '', ...rest] = name.slice('SVCCMD_'.length).toLowerCase().split('_');
  const known = keys.some(
    (key) => key.section === section || nearestName(section, [key.section], editsOf) !== undefined,
  );
  return known && rest.length > 0 ? [{ section, key: rest.join('_'), value: '', origin: name }] : [];
}

const prefixOf = (section: ConfigKey['section']): string => environmentName({ section, key: '' });
