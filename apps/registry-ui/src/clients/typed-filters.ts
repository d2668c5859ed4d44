import type { Filter, FilterOption } from '../filters/filters.js';
import { startOfDay } from '../filters/local-days.js';

/** A filter as typed into the search box, such as `warning:weak_pkce`. */
const TYPED = /^(-?[a-z][a-z_]*):(.*)$/iu;

/** `:` in URLs, URNs and addresses with a port: these are words. */
const NO_VALUE = /^\d+(?:\/|$)|[:/]/u;

/** A filter's name and value in the URL. */
export type FilterEntry = readonly [name: string, value: string];

/** What a search box contains. */
export interface TypedSearch {
  /** The words to search for. */
  readonly words: string;
  /** Complete filters. */
  readonly filters: readonly FilterEntry[];
  /** Names that no filter has. */
  readonly unknown: readonly string[];
  /** Filters whose value is not valid, with the value. */
  readonly invalid: readonly { readonly filter: Filter; readonly typed: string }[];
}

/** The name of a filter as users type it: a minus sign negates. */
export function typedName({ name }: Filter): string {
  return name.endsWith('!') ? `-${name.slice(0, -1)}` : name;
}

/** Splits a search into words and filters. */
export function readTyped(typed: string, filters: readonly Filter[]): TypedSearch {
  const words: string[] = [];
  const entries: FilterEntry[] = [];
  const unknown: string[] = [];
  const invalid: { filter: Filter; typed: string }[] = [];
  for (const word of typed.split(/\s+/u).filter((one) => one !== '')) {
    const { filter, name, value } = readWord(word, filters);
    const read = filter && value !== '' ? readValue(filter, value) : undefined;
    if (filter && read !== undefined) entries.push([filter.name, read]);
    else if (filter && value !== '') invalid.push({ filter, typed: value });
    else if (!filter) words.push(word);
    if (!filter && name !== undefined && value !== '' && !NO_VALUE.test(value)) unknown.push(name);
  }
  return { words: words.join(' '), filters: entries, unknown, invalid };
}

/** The same text without the filters in it, ready for further words. */
export function withoutTypedFilters(typed: string, filters: readonly Filter[]): string {
  const words = typed
    .split(/\s+/u)
    .filter((word) => word !== '' && readTyped(word, filters).filters.length === 0);
  return words.map((word) => `${word} `).join('');
}

interface ReadWord {
  readonly filter: Filter | undefined;
  /** What stands before the colon, if there is one. */
  readonly name: string | undefined;
  readonly value: string;
}

export function readWord(word: string, filters: readonly Filter[]): ReadWord {
  const [, name, value = ''] = TYPED.exec(word) ?? [];
  const filter = filters.find((one) => typedName(one) === name?.toLowerCase());
  return { filter, name, value };
}

/** The value that users mean: a value itself, the only option that contains what they typed, a day, or free text. */
function readValue({ options, read }: Filter, typed: string): string | undefined {
  if (!options && !read) return startOfDay(typed);
  const free = read?.(typed);
  if (free !== undefined || !options) return free;
  const exact = options.find(({ value }) => value.toLowerCase() === typed.toLowerCase());
  if (exact) return exact.value;
  // Part of a number is a different number.
  const found = /\p{L}/u.test(typed) ? optionsWith(options, typed) : [];
  return found.length === 1 ? found[0]?.value : undefined;
}

/** Options whose value or label contains a text. */
export function optionsWith(options: readonly FilterOption[], typed: string): FilterOption[] {
  const wanted = typed.toLowerCase();
  return options.filter(({ value, label }) =>
    [value, label].some((shown) => shown.toLowerCase().includes(wanted)),
  );
}

/** Something to put in place of the last word of a search. */
export interface Suggestion {
  /** The word. A filter without a value ends with a colon. */
  readonly word: string;
  readonly label: string;
}

/** Suggested values; typing on narrows them. */
const MAX_VALUES = 50;

/** What the user may want to type next. */
export function suggestionsFor(
  word: string,
  filters: readonly Filter[],
  valuesOf: (filter: Filter) => readonly FilterOption[],
): Suggestion[] {
  const { filter, value } = readWord(word, filters);
  if (filter) {
    const found = optionsWith(valuesOf(filter), value);
    return found
      .slice(0, MAX_VALUES)
      .map((option) => ({ word: `${typedName(filter)}:${option.value}`, label: option.label }));
  }
  const wanted = word.toLowerCase();
  return filters
    .filter((one) => beginsWord(typedName(one), wanted) || beginsWord(one.label.toLowerCase(), wanted))
    .map((one) => ({ word: `${typedName(one)}:`, label: one.label }));
}

function beginsWord(text: string, wanted: string): boolean {
  return text.startsWith(wanted) || text.split(/[^\p{L}\p{N}]+/u).some((part) => part.startsWith(wanted));
}
