import { nearestName } from '@svc/foundation';
import type { CommanderConfig } from './commander-config.js';
import type { ConfigKey, ParsedSource, Setting } from './config-key.js';
import { convertValue, UnfitValueError, type ConfigValue } from './convert-value.js';
import { maskName } from './mask-value.js';

/** One key of the effective configuration. */
export interface EffectiveSetting {
  readonly key: ConfigKey;
  readonly value: ConfigValue | undefined;
  /** Where it was set; `default` if not set. */
  readonly origin: string;
}

/** The configuration, each key's origin, and all errors: with any, the configuration must not be used. */
export interface AssembledConfig {
  readonly config: CommanderConfig;
  readonly settings: readonly EffectiveSetting[];
  /** One line each, in the order of sources and lines. */
  readonly errors: readonly string[];
}

/**
 * Merges sources over the defaults and converts every value.
 *
 * @param sources lowest precedence first; a key may appear once per source
 * @param folder base of relative paths
 */
export function assembleConfig(
  keys: readonly ConfigKey[],
  sources: readonly ParsedSource[],
  folder: string,
): AssembledConfig {
  const chosen = new Map(
    sources.flatMap(({ settings }) => settings.map((setting) => [nameOf(setting), setting])),
  );
  const unfit = new Map<Setting, string>();
  const settings = keys.map((key): EffectiveSetting => {
    const setting = chosen.get(nameOf(key));
    if (setting !== undefined && setting.value !== '')
      return { key, value: convert(key, setting), origin: setting.origin };
    const value = key.default === undefined ? undefined : convertValue(key.type, key.default, folder);
    return { key, value, origin: 'default' };
  });
  const errors = sources.flatMap((source) =>
    [
      ...source.errors,
      ...misplaced(keys, source.settings),
      ...source.settings.flatMap((setting) => unfit.get(setting) ?? []),
    ].sort(BY_LINE.compare),
  );
  return { config: toConfig(settings), settings, errors };

  function convert(key: ConfigKey, setting: Setting): ConfigValue | undefined {
    try {
      return convertValue(key.type, setting.value, folder);
    } catch (error) {
      if (!(error instanceof UnfitValueError)) throw error;
      unfit.set(setting, `${setting.origin}: ${nameOf(key)} must be ${error.message}`);
      return undefined;
    }
  }
}

/** Line 10 comes after line 9. */
const BY_LINE = new Intl.Collator('en', { numeric: true });

function toConfig(settings: readonly EffectiveSetting[]): CommanderConfig {
  const config: Record<string, Record<string, ConfigValue>> = {};
  for (const { key, value, origin } of settings) {
    const section = (config[key.section] ??= {});
    if (value === undefined) continue;
    section[key.field ?? key.key] = value;
    if (key.type === 'key') section[`${key.key}Origin`] = origin;
  }
  return config as unknown as CommanderConfig;
}

const nameOf = ({ section, key }: Pick<Setting, 'section' | 'key'>): string => `${section}.${key}`;

/** Reports unknown and duplicate names. */
function misplaced(keys: readonly ConfigKey[], settings: readonly Setting[]): string[] {
  const seen = new Map<string, string>();
  return settings.flatMap((setting) => {
    const { section, key, origin } = setting;
    const name = nameOf(setting);
    const first = seen.get(name);
    seen.set(name, first ?? origin);
    if (first === undefined) return unknownName(keys, setting);
    return [`${origin}: ${maskName(section)}.${maskName(key)} is already set at ${first}; keep one of them`];
  });
}

function unknownName(keys: readonly ConfigKey[], { section, key, origin }: Setting): string[] {
  const own = keys.filter((candidate) => candidate.section === section);
  if (own.length === 0) {
    const sections = keys.map((candidate) => candidate.section);
    return [`${origin}: unknown section [${maskName(section)}]${suggestion(sections, section)}`];
  }
  if (key === '') return [`${origin}: ${section} must be a mapping of keys`];
  const names = own.map((candidate) => candidate.key);
  if (names.includes(key)) return [];
  return [`${origin}: unknown key ${section}.${maskName(key)}${suggestion(names, key)}`];
}

/** The longer a name, the more of it may be mistyped. */
export function editsOf(name: string): number {
  return Math.max(1, Math.floor(name.length / 3));
}

function suggestion(known: readonly string[], typed: string): string {
  const nearest = nearestName(typed, new Set(known), editsOf);
  return `; ${nearest ? `did you mean ${nearest}?` : `known: ${[...new Set(known)].join(', ')}`}`;
}
