import en from './en.json' with { type: 'json' };

type Entry = keyof typeof en;

/** The name of a text: its key without a plural suffix. */
export type TextName = Entry extends infer Name
  ? Name extends `${infer Base}_one` | `${infer Base}_other`
    ? Base
    : Name
  : never;

type Values = Readonly<Record<string, string | number>>;

const texts: Readonly<Record<string, string>> = en;

/** The only language so far; a translation is another file next to `en.json`. */
export const LANGUAGE = 'en';

const plurals = new Intl.PluralRules(LANGUAGE);
const numbers = new Intl.NumberFormat(LANGUAGE);

/**
 * A text of the console. `{name}` is replaced by the value of that name; `count` selects the plural form (`_one` or
 * `_other`, CLDR's plural categories).
 */
export function text(name: TextName, values: Values = {}): string {
  const { count } = values;
  const form = typeof count === 'number' ? texts[`${name}_${plurals.select(count)}`] : undefined;
  return (form ?? texts[name] ?? texts[`${name}_other`] ?? name).replace(
    /\{(\w+)\}/g,
    (place, key: string) => {
      const value = values[key];
      return value === undefined ? place : typeof value === 'number' ? numbers.format(value) : value;
    },
  );
}

export function formatNumber(value: number): string {
  return numbers.format(value);
}

/** A text whose name is not known at compile time, such as a warning's code; `undefined` if there is none. */
export function optionalText(name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}
