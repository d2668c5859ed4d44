import type { CommanderConfig, LibrarySettings, TokenSettings } from './commander-config.js';
import type { ConfigKey } from './config-key.js';
import type { ConfigValue } from './convert-value.js';
import { isNamedSection, nameOfSection } from './named-sections.js';

/** One key of the effective configuration. */
export interface EffectiveSetting {
  readonly key: ConfigKey;
  readonly value: ConfigValue | undefined;
  /** Where it was set; `default` if not set. */
  readonly origin: string;
}

type Section = Record<string, ConfigValue>;

/** Brings settings into the form that the program reads. */
export function collectConfig(settings: readonly EffectiveSetting[]): CommanderConfig {
  const plain: Record<string, Section> = {};
  const libraries = new Map<string, Record<string, Section>>();
  const tokens = new Map<string, Section>();
  for (const setting of settings) {
    const { section, key, base } = setting.key;
    if (!isNamedSection(section)) add((plain[section] ??= {}), setting, key);
    else if (base)
      add((entry(libraries, nameOfSection(section), {})[base.section] ??= {}), setting, base.key);
    else add(entry(tokens, nameOfSection(section), {}), setting, key);
  }
  const { source, validate, destination, ...rest } = plain as unknown as LibrarySettings & CommanderConfig;
  const shared = { pwdencryptor: rest.pwdencryptor, iplookup: rest.iplookup };
  const named = [...libraries].map(([name, own]) => ({ name, ...shared, ...own }));
  const hasUnnamed = named.length === 0 || source?.path !== undefined;
  const unnamed: LibrarySettings = { ...shared, source, validate, destination };
  return {
    ...rest,
    libraries: [...(hasUnnamed ? [unnamed] : []), ...(named as unknown as LibrarySettings[])],
    tokens: [...tokens].map(([name, own]) => ({ name, ...own }) as unknown as TokenSettings),
  };
}

function add(section: Section, { key, value, origin }: EffectiveSetting, name: string): void {
  if (value === undefined) return;
  section[key.field ?? name] = value;
  if (key.type === 'key' || key.type === 'command') section[`${name}Origin`] = origin;
}

function entry<T>(map: Map<string, T>, name: string, initial: T): T {
  const found = map.get(name) ?? initial;
  map.set(name, found);
  return found;
}
