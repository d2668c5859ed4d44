import type { CommanderConfig } from './commander-config.js';
import type { ConfigKey } from './config-key.js';
import type { ParsedSource, Setting } from './config-source.js';
import { convertValue, UnfitValueError, type ConfigValue } from './convert-value.js';
import { nearestName } from './nearest-name.js';

/** One key of the effective configuration. */
export interface EffectiveSetting {
  readonly key: ConfigKey;
  readonly value: ConfigValue | undefined;
  /** Where it was set; `default` when nowhere. */
  readonly origin: string;
}

/** The configuration, each key's origin, and what is wrong: with faults the configuration must not be used. */
export interface AssembledConfig {
  readonly config: CommanderConfig;
  readonly settings: readonly EffectiveSetting[];
  readonly faults: readonly string[];
}

/**
 * Lays sources over each other and over the defaults, and converts every value.
 *
 * @param sources weakest first; within one source a key may stand once
 * @param folder what relative paths are relative to
 */
export function assembleConfig(
  keys: readonly ConfigKey[],
  sources: readonly ParsedSource[],
  folder: string,
): AssembledConfig {
  const faults = sources.flatMap((source) => [...source.faults, ...misplaced(keys, source.settings)]);
  const chosen = new Map(
    sources.flatMap(({ settings }) => settings.map((setting) => [nameOf(setting), setting])),
  );
  const config: Record<string, Record<string, ConfigValue>> = {};
  const settings = keys.map((key): EffectiveSetting => {
    const setting = chosen.get(nameOf(key));
    const isSet = setting !== undefined && setting.value !== '';
    const value = convert(key, isSet ? setting : undefined);
    const section = (config[key.section] ??= {});
    if (value !== undefined) section[key.field ?? key.key] = value;
    return { key, value, origin: isSet ? setting.origin : 'default' };
  });
  return { config: config as unknown as CommanderConfig, settings, faults };

  function convert(key: ConfigKey, setting: Setting | undefined): ConfigValue | undefined {
    const value = setting?.value ?? key.default;
    if (value === undefined) return undefined;
    try {
      return convertValue(key.type, value, folder);
    } catch (error) {
      if (!(error instanceof UnfitValueError)) throw error;
      faults.push(`${setting?.origin ?? 'default'}: ${nameOf(key)} must be ${error.message}`);
      return undefined;
    }
  }
}

const nameOf = ({ section, key }: Pick<Setting, 'section' | 'key'>): string => `${section}.${key}`;

/** Unknown and repeated names. */
function misplaced(keys: readonly ConfigKey[], settings: readonly Setting[]): string[] {
  const seen = new Map<string, string>();
  return settings.flatMap((setting) => {
    const name = nameOf(setting);
    const first = seen.get(name);
    seen.set(name, first ?? setting.origin);
    if (first !== undefined)
      return [`${setting.origin}: ${name} is already set at ${first}; keep one of them`];
    return unknownName(keys, setting);
  });
}

function unknownName(keys: readonly ConfigKey[], { section, key, origin }: Setting): string[] {
  const own = keys.filter((candidate) => candidate.section === section);
  if (own.length === 0) {
    return [
      `${origin}: unknown section [${section}]${suggestion(
        keys.map((candidate) => candidate.section),
        section,
      )}`,
    ];
  }
  const names = own.map((candidate) => candidate.key);
  return names.includes(key) ? [] : [`${origin}: unknown key ${section}.${key}${suggestion(names, key)}`];
}

function suggestion(known: readonly string[], typed: string): string {
  const nearest = nearestName(new Set(known), typed);
  return `; ${nearest ? `did you mean ${nearest}?` : `known: ${[...new Set(known)].join(', ')}`}`;
}
