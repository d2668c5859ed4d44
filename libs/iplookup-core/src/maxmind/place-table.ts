import type { JoinTable } from '../build/join-table.js';

/** MaxMind's files of places, as tables of their rows by `geoname_id`. */
export interface Locations {
  /** Has a row for each place. */
  readonly complete: JoinTable;
  /** By language, in the order of the names that are wanted. */
  readonly byLanguage: ReadonlyMap<string, JoinTable>;
}

/** MaxMind's identifiers of the continents, since its files need not have a row for each. @see https://www.geonames.org */
const CONTINENT_IDS: Readonly<Record<string, string>> = {
  AF: '6255146',
  AN: '6255152',
  AS: '6255147',
  EU: '6255148',
  NA: '6255149',
  OC: '6255151',
  SA: '6255150',
};

/** A place's parents and itself, from the widest. */
const LEVELS = ['continent', 'country', 'subdivisions.0', 'subdivisions.1', 'city'] as const;
type Level = (typeof LEVELS)[number];

/** The column with a level's code, or for cities, which have none, its name. */
const CODES: Readonly<Record<Level, string>> = {
  continent: 'continent_code',
  country: 'country_iso_code',
  'subdivisions.0': 'subdivision_1_iso_code',
  'subdivisions.1': 'subdivision_2_iso_code',
  city: 'city_name',
};

const NAMES: Readonly<Record<Level, string>> = {
  continent: 'continent_name',
  country: 'country_name',
  'subdivisions.0': 'subdivision_1_name',
  'subdivisions.1': 'subdivision_2_name',
  city: 'city_name',
};

/**
 * Finds the values of MaxMind's records in its files of places. Each row of these is about a place and names the ones that it
 * is in; those have rows, and so identifiers, of their own.
 */
export class PlaceTable {
  private readonly columns: ReadonlyMap<string, number>;
  /** Identifiers by the codes of the place and those that it is in. */
  private readonly idsByCodes = new Map<string, string>();
  /** By language: names by the same codes, so that a place has its country's name where it has no row itself. */
  private readonly names = new Map<string, Map<string, string>>();

  constructor(private readonly locations: Locations) {
    const { complete, byLanguage } = locations;
    this.columns = new Map(complete.columns.map((name, index) => [name, index]));
    for (const id of complete.rows.keys()) this.idsByCodes.set(this.codes(id, this.levelOf(id)), id);
    for (const [language, table] of byLanguage) this.names.set(language, this.namesIn(table));
  }

  get ids(): readonly string[] {
    return [...this.locations.complete.rows.keys()];
  }

  /** Countries and continents. */
  get wideIds(): readonly string[] {
    return this.ids.filter((id) => ['continent', 'country'].includes(this.levelOf(id)));
  }

  /** Whether the files have this column: those of countries have no cities. */
  has(column: string): boolean {
    return this.columns.has(column);
  }

  /**
   * A value of the record of a place; empty if it has none.
   *
   * @param path in MaxMind's records, such as `country.names.en`
   */
  cell(id: string, path: string): string {
    const [, level, name] = /^(subdivisions\.[01]|[a-z]+)\.(.+)$/.exec(path)!;
    if (level === 'location') return this.text(id, name!);
    if (name === 'is_in_european_union') return this.text(id, name) === '1' ? '1' : '';
    if (name === 'geoname_id') return this.idOf(id, level as Level);
    if (name === 'code' || name === 'iso_code') return this.text(id, CODES[level as Level]);
    return this.nameOf(id, level as Level, name!.slice('names.'.length));
  }

  private idOf(id: string, level: Level): string {
    if (this.text(id, CODES[level]) === '' && this.text(id, NAMES[level]) === '') return '';
    if (level === 'continent') return CONTINENT_IDS[this.text(id, CODES[level])] ?? '';
    return level === this.levelOf(id) ? id : (this.idsByCodes.get(this.codes(id, level)) ?? '');
  }

  private nameOf(id: string, level: Level, language: string): string {
    const table = this.locations.byLanguage.get(language)!;
    const own = table.rows.get(id)?.[table.columns.indexOf(NAMES[level])] ?? '';
    return own === '' ? (this.names.get(language)!.get(this.codes(id, level)) ?? '') : own;
  }

  /** The level of the place that a row is about. */
  private levelOf(id: string): Level {
    return LEVELS.findLast((level) => this.text(id, NAMES[level]) !== '') ?? 'continent';
  }

  /** What identifies the place of a level that a row is in. */
  private codes(id: string, level: Level): string {
    const depth = LEVELS.indexOf(level);
    // A country's code is its own on any continent.
    const codes = LEVELS.slice(Math.min(1, depth), depth + 1).map((each) => this.text(id, CODES[each]));
    // Without a code of its own, a place is known by its identifier alone.
    return codes.at(-1) === '' ? `${level} ${id}` : `${level} ${codes.join('/')}`;
  }

  private namesIn({ rows, columns }: JoinTable): Map<string, string> {
    const names = new Map<string, string>();
    const places = LEVELS.slice(0, -1).map((level) => [level, columns.indexOf(NAMES[level])] as const);
    for (const [id, cells] of rows) {
      for (const [level, at] of places) {
        const name = cells[at] ?? '';
        if (name !== '') names.set(this.codes(id, level), name);
      }
    }
    return names;
  }

  private text(id: string, column: string): string {
    const at = this.columns.get(column);
    return at === undefined ? '' : (this.locations.complete.rows.get(id)?.[at] ?? '');
  }
}
