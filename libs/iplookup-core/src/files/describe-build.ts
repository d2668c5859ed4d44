import { basename } from 'node:path';
import type { BuildCounts } from '../build/build-counts.js';
import type { BuildOptions } from '../build/build-options.js';
import type { GuardResult } from './guard-swap.js';
import { InputFileError } from './file.errors.js';
import { maxmindFolderFiles } from './open-maxmind.js';
import { termsOf } from '../vendor/source-terms.js';
import { describeSource, type LookupManifest, type ManifestSource, sha256OfFile } from './lookup-manifest.js';

/** The parts of a build's request that a manifest records. */
interface DescribedBuild extends BuildOptions {
  readonly input: string;
  readonly moreInputs?: readonly string[];
  readonly inputName?: string;
  readonly languages?: readonly string[] | undefined;
  readonly joinFiles?: readonly { readonly path: string; readonly name: string }[] | undefined;
  readonly manifestTool?: string | undefined;
}

/** A build as its manifest describes it. */
export class BuildDescription {
  private constructor(
    private readonly request: DescribedBuild,
    private readonly paths: readonly { readonly path: string; readonly name: string }[],
    private readonly before: readonly Omit<ManifestSource, 'sha256'>[],
  ) {}

  /** Records the state of the sources before they are read. */
  static async begin(request: DescribedBuild): Promise<BuildDescription> {
    const { input, moreInputs = [], inputName = input, joinFiles = [], languages } = request;
    const unpacked = languages === undefined ? undefined : await maxmindFolderFiles(input, languages);
    const more = (unpacked ?? moreInputs).map((path) => ({ path, name: path }));
    const first = input === '-' || unpacked !== undefined ? [] : [{ path: input, name: inputName }];
    const paths = [...first, ...more, ...joinFiles];
    const before = await Promise.all(paths.map(stateOf));
    return new BuildDescription(request, paths, before);
  }

  /** @param file the complete lookup file, under its temporary name */
  async finish(
    file: string,
    target: string,
    counts: BuildCounts,
    guarded: GuardResult,
  ): Promise<LookupManifest> {
    const { buildEpoch, input, inputName: name = this.paths[0]?.name ?? input } = this.request;
    return {
      file: basename(target),
      sha256: await sha256OfFile(file),
      built: new Date(buildEpoch * 1000).toISOString(),
      tool: this.request.manifestTool,
      sources: await this.sources(),
      options: optionsOf(this.request),
      rows: counts.rows,
      kept: counts.kept,
      records: counts.records,
      ...termsOf(basename(name)),
      ...guarded,
    };
  }

  private async sources(): Promise<ManifestSource[]> {
    return Promise.all(
      this.paths.map(async ({ path, name }, index) => {
        const was = this.before[index]!;
        const sha256 = await sha256OfFile(path);
        const is = await describeSource(path, name);
        return is.bytes === was.bytes && is.modified === was.modified ? { ...was, sha256 } : was;
      }),
    );
  }
}

/** The options as given. */
function optionsOf(request: DescribedBuild): object {
  const { kind, lookupName, inputFormat, separator, header, columnNames, schema } = request;
  const { types, columnTypes, dropColumns, keepColumns, rename, set, joinFiles = [] } = request;
  const { keepEmptyRows, emptyRows, includeIpRange, forceIpv4, skipInvalid, strict, overlap } = request;
  const { languages = [] } = request;
  const joins = joinFiles.map(({ path, ...join }) => join);
  return {
    ...{ kind, lookupName, inputFormat, separator, header, columnNames, schema },
    ...{ types, columnTypes, dropColumns, keepColumns, rename, set },
    ...(languages.length > 0 && { languages }),
    ...(joins.length > 0 && { joins }),
    ...{ keepEmptyRows, emptyRows, includeIpRange, forceIpv4, skipInvalid, strict, overlap },
  };
}

/** @throws {InputFileError} */
async function stateOf({ path, name }: { readonly path: string; readonly name: string }) {
  try {
    return await describeSource(path, name);
  } catch (error) {
    throw InputFileError.from(name, error);
  }
}
