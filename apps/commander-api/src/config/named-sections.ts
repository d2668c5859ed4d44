import { CONFIG_KEYS } from './config-keys.js';
import type { ConfigKey, NamedSection, ParsedSource, SectionPlace } from './config-key.js';
import { TOKEN_KEYS } from './token-keys.js';

/** Per group. */
const MAX_SECTIONS = 100;

/** Names are used in URL paths, environment variables and metric labels. */
export const NAME_PATTERN = '[a-z](?:-?[a-z0-9]){0,39}';
const NAME = new RegExp(`^${NAME_PATTERN}$`);

/** What a named section describes. */
export const GROUPS = ['library', 'token'] as const;

/** Sections that occur once per library, or once per token. */
export const NAMED_SECTIONS = GROUPS.map((group) => `${group}:<name>` as const);

/** Sections whose keys can be set per library. */
const LIBRARY_SECTIONS: readonly string[] = ['source', 'validate', 'destination'];

/** Every key of a configuration with these sections: the table, then those of its named sections. */
export function keysOf(sections: readonly SectionPlace[]): readonly ConfigKey[] {
  const named = new Set(sections.map(({ section }) => section).filter(isNamedSection));
  return [...CONFIG_KEYS, ...[...named].flatMap(namedKeys)];
}

/** The keys of one named section. A library has those of the plain sections, written as `source.path`. */
export function namedKeys(section: NamedSection): readonly ConfigKey[] {
  if (section.startsWith('token:')) return TOKEN_KEYS.map((key) => ({ ...key, section }));
  return CONFIG_KEYS.filter((key) => LIBRARY_SECTIONS.includes(key.section)).map((base) => ({
    ...base,
    section,
    key: `${base.section}.${base.key}`,
    field: base.field ?? base.key,
    base,
  }));
}

/** `parsers` of `library:parsers`. */
export const nameOfSection = (section: NamedSection): string => section.slice(section.indexOf(':') + 1);

export function isNamedSection(section: string): section is NamedSection {
  const [group, ...rest] = section.split(':');
  return isGroup(group) && NAME.test(rest.join(':'));
}

/** True even if the name is invalid. */
export const isInGroup = (section: string): boolean => isGroup(/^([^:]*):/.exec(section)?.[1]);

const isGroup = (text: string | undefined): boolean => GROUPS.some((group) => group === text);

/** Reports names that are invalid, and too many of them. */
export function sectionErrors({ sections }: Pick<ParsedSource, 'sections'>): string[] {
  const invalid = sections
    .filter(({ section }) => isInGroup(section) && !isNamedSection(section))
    .map(({ section, origin }) => {
      const [group] = section.split(':');
      return `${origin}: the name in [${group}:<name>] must start with a lower-case letter, followed by lower-case letters, digits and single hyphens, at most 40 characters in total`;
    });
  const crowded = GROUPS.flatMap((group) => {
    const own = new Map(
      sections.filter(({ section }) => section.startsWith(`${group}:`)).map((one) => [one.section, one]),
    );
    const extra = [...own.values()][MAX_SECTIONS];
    return extra ? [`${extra.origin}: more than ${MAX_SECTIONS} sections [${group}:<name>]`] : [];
  });
  return [...invalid, ...crowded];
}
