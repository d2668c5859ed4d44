import { nearestName } from '@svc/foundation';
import type { CommanderConfig } from './commander-config.js';
import type { ConfigKey, ParsedSource, Setting } from './config-key.js';
import { collectConfig, type EffectiveSetting } from './collect-config.js';
import { convertValue, UnfitValueError, type ConfigValue } from './convert-value.js';
import { configErrors } from './config-errors.js';
import { isMarked, NOT_ENCRYPTED } from './encrypted-value.js';
import { maskName } from './mask-value.js';
import { isInGroup, isNamedSection, NAMED_SECTIONS, sectionErrors } from './named-sections.js';

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
  const found = new Map<string, EffectiveSetting>();
  for (const key of keys) found.set(nameOf(key), settle(key));
  const settings = [...found.values()];
  const errors = sources.flatMap((source) =>
    [
      ...source.errors,
      ...sectionErrors(source),
      ...misplaced(keys, source.settings),
      ...source.settings.flatMap((setting) => unfit.get(setting) ?? []),
    ].sort(BY_LINE.compare),
  );
  const config = collectConfig(settings);
  return { config, settings, errors: errors.length > 0 ? errors : configErrors(config) };

  function settle(key: ConfigKey): EffectiveSetting {
    const setting = chosen.get(nameOf(key));
    if (setting !== undefined && setting.value !== '')
      return { key, value: convert(key, setting), origin: setting.origin };
    const shared = setting === undefined && key.base && !key.base.own && found.get(nameOf(key.base));
    if (shared) return { key, value: shared.value, origin: shared.origin };
    const value = key.default === undefined ? undefined : convertValue(key.type, key.default, folder);
    return { key, value, origin: 'default' };
  }

  function convert(key: ConfigKey, setting: Setting): ConfigValue | undefined {
    if (isMarked(setting.value)) {
      unfit.set(setting, `${setting.origin}: ${nameOf(key)}: ${NOT_ENCRYPTED}`);
      return undefined;
    }
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
    // Reported with the sections.
    if (isInGroup(section)) return [];
    const plain = keys.map((candidate) => candidate.section).filter((known) => !isNamedSection(known));
    const sections = [...plain, ...NAMED_SECTIONS];
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
