import en from './en.json' with { type: 'json' };

type Entry = keyof typeof en;

/** A text's name: the key in the file, less the ending that tells forms of the plural apart. */
export type TextName = Entry extends infer Name
  ? Name extends `${infer Base}_one` | `${infer Base}_other`
    ? Base
    : Name
  : never;

type Values = Readonly<Record<string, string | number>>;

const texts: Readonly<Record<string, string>> = en;

/** The one language there is so far; a translation is a second file beside `en.json`. */
export const LANGUAGE = 'en';

const plurals = new Intl.PluralRules(LANGUAGE);
const numbers = new Intl.NumberFormat(LANGUAGE);

/**
 * A text of the interface. `{name}` in it stands for the value of that name; with `count` the form of the plural is
 * chosen (`_one`, `_other`: the categories of CLDR that the language has).
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

/** A number as the language writes it. */
export function formatNumber(value: number): string {
  return numbers.format(value);
}

/** A text whose name comes from outside, such as a warning's code; nothing where there is none. */
export function optionalText(name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}
