import en from './en/shared.json' with { type: 'json' };

/** The names of texts: their keys without plural suffixes. */
type NameIn<Texts> = BaseOf<Extract<keyof Texts, string>>;
type BaseOf<Key extends string> = Key extends `${infer Base}_one` | `${infer Base}_other` ? Base : Key;

/** The name of a text that the start or several folders use. */
export type TextName = NameIn<typeof en>;

type Values = Readonly<Record<string, string | number>>;

const texts: Record<string, string> = {};

/** The only language so far; a translation is another folder next to `en`. */
export const LANGUAGE = 'en';

const plurals = new Intl.PluralRules(LANGUAGE);
const numbers = new Intl.NumberFormat(LANGUAGE);

/**
 * Adds the texts of a folder of screens, which load with it.
 *
 * @returns what finds these texts, and the shared ones
 */
export function withTexts<Texts extends Readonly<Record<string, string>>>(added: Texts): Finders<Texts> {
  Object.assign(texts, added);
  return { text: fill, optionalText: find };
}

/** The shared texts; screens take theirs from the file of their folder. */
export const { text } = withTexts(en);

interface Finders<Texts> {
  /**
   * A text of the console. `{name}` is replaced by the value of that name; `count` selects the plural form (`_one` or
   * `_other`, CLDR's plural categories).
   */
  readonly text: (name: TextName | NameIn<Texts>, values?: Values) => string;
  /** A text whose name is not known at compile time, such as a warning's code; `undefined` if there is none. */
  readonly optionalText: (name: string) => string | undefined;
}

function fill(name: string, values: Values = {}): string {
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

function find(name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}

export function formatNumber(value: number): string {
  return numbers.format(value);
}
