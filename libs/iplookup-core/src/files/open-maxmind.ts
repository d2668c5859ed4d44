import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { BuildPlan } from '../build/build-plan.js';
import { type JoinTable, parseJoinTable } from '../build/join-table.js';
import type { BuildOptions } from '../build/build-options.js';
import { planBuild } from '../build/plan-build.js';
import { chooseLanguages, findMaxmindFiles, type MaxmindFiles } from '../maxmind/maxmind-files.js';
import { maxmindJoins } from '../maxmind/maxmind-joins.js';
import type { Locations } from '../maxmind/place-table.js';
import { LookupOptionError, optionMessage } from '../messages/option-message.js';
import { InputFileError } from './file.errors.js';
import { type InputRules, listArchive, openInput } from './open-input.js';
import type { InputFile } from './open-regular-file.js';
import { combineTables } from './open-tables.js';
import { readJoined } from './read-joins.js';

/** How a MaxMind database is read. */
export interface MaxmindRules extends InputRules {
  /** Languages of places' names. Default, if empty: English. */
  readonly languages: readonly string[];
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens the CSV edition of a MaxMind database: the zip archive as it is downloaded, or a folder that it was unpacked to.
 *
 * @param options of the build; names, types and schema are those of the database unless given
 * @throws {InputFileError} if it cannot be read, or holds no database
 * @throws {LookupOptionError} if it does not have the languages
 * @throws {LookupInputError} if its places are malformed
 */
export async function openMaxmind(
  path: string,
  options: BuildOptions,
  rules: MaxmindRules,
): Promise<{ readonly plan: BuildPlan; readonly input: InputFile }> {
  const schema = options.schema ?? 'geoip2';
  if (schema === 'flat' && new Set(rules.languages).size > 1)
    throw new LookupOptionError(
      optionMessage`${{ option: 'language' }} takes one language with ${{ option: 'schema', value: 'flat' }}, whose records have one name for a place`,
    );
  const source = await MaxmindSource.open(path, rules);
  const { database, blocks } = source.files;
  const plan = planBuild(`${database}.csv`, {
    ...options,
    kind: 'csv',
    inputFormat: 'cidr',
    schema,
    joins: await source.joins(schema),
    ...(schema === 'geoip2' && { databaseType: database }),
  });
  const inputs: InputFile[] = [];
  for (const file of blocks) inputs.push(await source.input(file));
  const { input, places } = combineTables(blocks.map(fileName), inputs, plan.separator);
  return { plan: { ...plan, file: fileName(blocks[0]!), places }, input };
}

/**
 * The name of the MaxMind database in an archive or a folder, such as `GeoLite2-City`.
 *
 * @returns undefined for anything else
 * @throws {InputFileError} if it cannot be read
 */
export async function maxmindDatabase(path: string): Promise<string | undefined> {
  const files = findMaxmindFiles(
    (await isFolder(path)) ? await readdir(path) : ((await listArchive(path)) ?? []),
  );
  return typeof files === 'string' ? undefined : files.database;
}

/** The files of a database in a folder; undefined for an archive, which is one file. */
export async function maxmindFolderFiles(
  path: string,
  languages: readonly string[],
): Promise<readonly string[] | undefined> {
  if (!(await isFolder(path))) return undefined;
  const { files, folder } = await MaxmindSource.open(path, { languages });
  const { blocks, locations, isp } = files;
  const wanted = ['en', ...languages].flatMap((language) => locations.get(language) ?? []);
  return [...new Set([...blocks, ...wanted, ...(isp === undefined ? [] : [isp])])].map((file) =>
    join(folder!, file),
  );
}

class MaxmindSource {
  private constructor(
    private readonly path: string,
    /** Undefined for an archive. */
    readonly folder: string | undefined,
    readonly files: MaxmindFiles,
    private readonly languages: readonly string[],
    private readonly rules: MaxmindRules,
  ) {}

  static async open(path: string, rules: MaxmindRules): Promise<MaxmindSource> {
    const name = rules.name ?? path;
    const folder = (await isFolder(path)) ? path : undefined;
    const paths = folder === undefined ? await listArchive(path, rules) : await readdir(folder);
    if (paths === undefined)
      throw new InputFileError(
        `${name} is neither a zip archive nor a folder: MaxMind’s databases are several files`,
      );
    const files = findMaxmindFiles(paths);
    if (typeof files === 'string') throw new InputFileError(`${name} ${files}`);
    return new MaxmindSource(path, folder, files, chooseLanguages(name, files, rules.languages), rules);
  }

  /** What other files add to the blocks. */
  async joins(schema: NonNullable<BuildOptions['schema']>): Promise<JoinTable[]> {
    const { locations, isp } = this.files;
    const providers = isp === undefined ? [] : [await this.table(isp, 'isp_id')];
    if (locations.size === 0) return providers;
    return [...maxmindJoins(await this.locations(), schema), ...providers];
  }

  async input(file: string): Promise<InputFile> {
    const { limits, followLinks, name = this.path } = this.rules;
    const named = `${name}: ${fileName(file)}`;
    if (this.folder !== undefined)
      return openInput(join(this.folder, file), { limits, name: named, followLinks });
    return openInput(this.path, { limits, entry: file, name, followLinks });
  }

  /** English has all places, other languages those with a name in them. */
  private async locations(): Promise<Locations> {
    const { languages } = this;
    const byLanguage = new Map<string, JoinTable>();
    for (const language of languages)
      byLanguage.set(language, await this.table(this.files.locations.get(language)!, 'geoname_id'));
    const english = byLanguage.get('en') ?? this.files.locations.get('en');
    const complete = typeof english === 'string' ? await this.table(english, 'geoname_id') : english;
    return { complete: complete ?? byLanguage.get(languages[0]!)!, byLanguage };
  }

  private async table(file: string, column: string): Promise<JoinTable> {
    const content = await readJoined(await this.input(file), fileName(file), this.rules.signal);
    return parseJoinTable(content, fileName(file), { column, rowColumn: column, prefix: '' });
  }
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (entry) => entry.isDirectory(),
    () => false,
  );
}

const fileName = (path: string): string => basename(path);
