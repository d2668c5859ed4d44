import type { ClientField } from './client-field.js';
import { CLIENT_FIELDS } from './client-fields.js';

const FIELDS: ReadonlyMap<string, ClientField> = new Map(CLIENT_FIELDS.map((field) => [field.name, field]));

/** The fields that can be edited, which make up the stored metadata. */
export const EDITABLE_FIELDS = CLIENT_FIELDS.filter((field) => field.editable === 'always');

/** Language, script and region or variants (RFC 5646 section 2.1). */
const LANGUAGE_TAG = /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}$/;

/** True for a language tag in its usual case, such as `de` and `zh-Hant`: names of members are case-sensitive. */
export function isLanguageTag(text: string): boolean {
  if (!LANGUAGE_TAG.test(text)) return false;
  try {
    return Intl.getCanonicalLocales(text)[0] === text;
  } catch {
    return false;
  }
}

/** A member's name without its language, and the language: `client_name#de` (RFC 7591 section 2.2). */
export function splitName(name: string): { readonly base: string; readonly language?: string } {
  const at = name.indexOf('#');
  return at < 0 ? { base: name } : { base: name.slice(0, at), language: name.slice(at + 1) };
}

/** The row of a member, also by language; undefined if there is none. */
export function fieldNamed(name: string): ClientField | undefined {
  const { base, language } = splitName(name);
  const field = FIELDS.get(base);
  if (!field || language === undefined) return field;
  return field.localized && isLanguageTag(language) ? inLanguage(field, language) : undefined;
}

/** The row of a field in one language. It can always be left out. */
export function inLanguage(field: ClientField, language: string): ClientField {
  const { localized: _localized, ...row } = field;
  return {
    ...row,
    name: `${field.name}#${language}`,
    label: `${field.label} (${language})`,
    required: false,
  };
}

/** The rows, each followed by those of its languages among the names. */
export function withLanguages(rows: readonly ClientField[], names: Iterable<string>): readonly ClientField[] {
  const byBase = new Map<string, Set<string>>();
  for (const name of names) {
    const { base, language } = splitName(name);
    if (language === undefined) continue;
    const known = byBase.get(base);
    if (known) known.add(name);
    else byBase.set(base, new Set([name]));
  }
  if (byBase.size === 0) return rows;
  return rows.flatMap((row) => [
    row,
    ...[...(byBase.get(row.name) ?? [])].sort().flatMap((name) => fieldNamed(name) ?? []),
  ]);
}

/** The names of a Client's editable members, in the order of the table. */
export function metadataNames(client: object): readonly string[] {
  return withLanguages(EDITABLE_FIELDS, Object.keys(client))
    .map(({ name }) => name)
    .filter((name) => Object.hasOwn(client, name));
}
