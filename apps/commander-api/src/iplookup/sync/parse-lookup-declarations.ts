import { resolve } from 'node:path';
import {
  formatMessage,
  isLookupName,
  LookupOptionError,
  MERGE_RULES,
  type MergeRule,
  termsOf,
} from '@svc/iplookup-core';
import { encpwdTag } from '@svc/password-format';
import type { Violation } from '@svc/service-kit';
import { toViolations } from '@svc/service-kit/validation-problem';
import { plainToInstance } from 'class-transformer';
import { IsArray, IsBoolean, IsIn, IsOptional, IsString, MaxLength, validateSync } from 'class-validator';
import { isJsonObject } from '@svc/foundation';
import { CommanderError } from '../../errors/commander-error.js';
import { type Declaration, parseDeclarations } from '../../files/parse-declarations.js';
import {
  CsvBuildParameters,
  MaxmindBuildParameters,
  toBuildFlags,
  VendorBuildParameters,
} from '../build/build-parameters.dto.js';
import { type GuardFlags, toGuards } from '../build/guard-flags.js';
import { GuardParameters } from '../build/guard-parameters.dto.js';
import { asParameter } from '../files/http-names.js';
import { type NamedJoin, parseJoin } from '../build/join-flag.js';
import { LAYER_KINDS, type LayerDeclaration, type LookupDeclaration } from './lookup-declaration.js';
import { nameOfRemote, parseRemoteSource } from './remote-source.js';

class LookupKeys {
  @IsOptional()
  @IsBoolean()
  readonly gzip?: boolean;

  @IsOptional()
  readonly guards?: unknown;

  @IsArray()
  readonly layers!: unknown[];
}

class LayerKeys {
  @IsString()
  @MaxLength(4096)
  readonly source!: string;

  @IsOptional()
  @IsIn(LAYER_KINDS)
  readonly kind?: LayerDeclaration['kind'];

  @IsOptional()
  @IsIn(MERGE_RULES)
  readonly merge?: MergeRule;

  @IsOptional()
  @IsBoolean()
  readonly checksum?: boolean;

  @IsOptional()
  @IsString()
  @MaxLength(255)
  readonly user?: string;

  @IsOptional()
  @IsString()
  @MaxLength(1000)
  readonly licence?: string;

  @IsOptional()
  @IsString()
  @MaxLength(1000)
  readonly attribution?: string;
}

class NoParameters {}

const PARAMETERS = {
  csv: CsvBuildParameters,
  vendor: VendorBuildParameters,
  maxmind: MaxmindBuildParameters,
  lookup: NoParameters,
};

/** Parameters of a build that a layer does not take: they belong to the lookup, or would differ from run to run. */
const NOT_IN_LAYERS: readonly string[] = [
  'file_name',
  'lookup_name',
  'zone_name',
  'gzip',
  'build_epoch',
  'force_ipv4',
  'include_ip_range',
  // Those of the whole lookup are declared beside its layers.
  'guards',
  'verify',
  'max_lost',
  'max_changed',
  'max_share',
  'probe',
  'not_older',
  'force',
] satisfies (keyof CsvBuildParameters)[];

/** Guards are on unless declared otherwise. Only `--force` overrides them, for one run. */
const NOT_IN_GUARDS: readonly string[] = ['guards', 'force'] satisfies (keyof GuardParameters)[];

const MAX_LAYERS = 100;

/**
 * Reads declared lookups: `lookups`, by name.
 *
 * @param file for messages
 * @throws {CommanderError} with a line for each problem
 */
export function parseLookupDeclarations(text: string, file: string): LookupDeclaration[] {
  const { declarations, errors } = parseDeclarations(text, [encpwdTag]);
  if (errors.length > 0) throw refusal(errors.map(({ line, message }) => `${file}:${line}: ${message}`));
  const [declaration, ...more] = declarations;
  if (declaration === undefined) throw refusal([`${file}:1: the file declares no lookup`]);
  const reader = new DeclarationReader(resolve(file));
  const lookups = more.length > 0 ? reader.refuse('', 'must be one document') : reader.read(declaration);
  if (reader.violations.length === 0) return lookups;
  throw refusal(reader.violations.map((violation) => lineFor(violation, file, declaration)));
}

function lineFor({ field, message }: Violation, file: string, { lineOf }: Declaration): string {
  return `${file}:${lineOf(field)}: ${field === '' ? '' : `${field}: `}${message}`;
}

function refusal(lines: readonly string[]): CommanderError {
  return new CommanderError('failed', [...lines, 'no lookup was built']);
}

/** Collects all violations, so that they can be fixed in one go. */
class DeclarationReader {
  readonly violations: Violation[] = [];

  constructor(private readonly file: string) {}

  read({ value }: Declaration): LookupDeclaration[] {
    const { lookups, ...rest } = asMap(value) ?? {};
    const [unknown] = Object.keys(rest);
    if (unknown !== undefined) return this.refuse(pointer('', unknown), `'${unknown}' is not supported`);
    const named = asMap(lookups);
    if (named === undefined) return this.refuse('', "must have 'lookups': a map of lookups by name");
    const names = Object.keys(named);
    return names.map((name) => this.lookup(name, named[name], names));
  }

  /** @returns an empty list */
  refuse(field: string, message: string): [] {
    this.violations.push({ field, code: 'invalid', message });
    return [];
  }

  private lookup(name: string, value: unknown, names: readonly string[]): LookupDeclaration {
    const field = pointer('/lookups', name);
    const wrong = nameViolation(name, names);
    if (wrong !== undefined) this.refuse(field, wrong);
    const keys = this.validated(LookupKeys, value, field);
    const { gzip = false, layers } = keys;
    const guards = this.guards(keys.guards, `${field}/guards`);
    if (!Array.isArray(layers)) return { name, gzip, guards, layers: [] };
    if (layers.length === 0 || layers.length > MAX_LAYERS)
      this.refuse(`${field}/layers`, `must have 1 to ${MAX_LAYERS} layers`);
    return {
      name,
      gzip,
      guards,
      layers: layers.map((layer, index) => this.layer(layer, `${field}/layers/${index}`)),
    };
  }

  private guards(value: unknown, field: string): GuardFlags | false {
    if (value === undefined) return {};
    if (value === false) return false;
    for (const name of NOT_IN_GUARDS)
      if (name in (asMap(value) ?? {}))
        this.refuse(pointer(field, name), `'${name}' is an option of the command`);
    const known = this.violations.length;
    const flags = toBuildFlags(this.validated<object>(GuardParameters, value, field)) as GuardFlags;
    // Other keys, and other types, are not guards.
    if (this.violations.length > known) return flags;
    try {
      toGuards(flags);
    } catch (error) {
      if (!(error instanceof LookupOptionError)) throw error;
      this.refuse(field, formatMessage(error.template, asParameter));
    }
    return flags;
  }

  private layer(value: unknown, field: string): LayerDeclaration {
    const { source, kind, merge, checksum, user, password, ...more } = asMap(value) ?? {};
    const { licence, attribution, ...parameters } = more;
    const given = { source, kind, merge, checksum, user, licence, attribution };
    const keys = this.validated(LayerKeys, asMap(value) && given, field);
    const remote = parseRemoteSource(
      { ...keys, password },
      (key, message) => this.refuse(key === '' ? field : pointer(field, key), message),
      { file: this.file, path: keysOf(field) },
    );
    const name = remote ? nameOfRemote(remote) : keys.source;
    const chosen = keys.kind ?? (/\.mmdb(\.gz)?(\?|$)/i.test(String(name)) ? 'lookup' : 'csv');
    for (const name of NOT_IN_LAYERS)
      if (name in parameters) this.refuse(pointer(field, name), `'${name}' is not supported for a layer`);
    const known = Object.entries(parameters).filter(([name]) => !NOT_IN_LAYERS.includes(name));
    const type = PARAMETERS[chosen] ?? NoParameters;
    const { join = [], ...flags } = toBuildFlags(
      this.validated<object>(type, Object.fromEntries(known), field),
    );
    const joins = join.flatMap((text, index) => this.join(text, `${field}/join/${index}`));
    return {
      source: name,
      ...(remote && { remote }),
      kind: chosen,
      merge: keys.merge ?? 'override',
      joins,
      flags,
      terms: {
        ...termsOf(String(name)),
        ...(keys.licence !== undefined && { licence: keys.licence }),
        ...(keys.attribution !== undefined && { attribution: keys.attribution }),
      },
    };
  }

  private join(text: string, field: string): NamedJoin | [] {
    try {
      return parseJoin(text);
    } catch (error) {
      if (!(error instanceof LookupOptionError)) throw error;
      return this.refuse(field, formatMessage(error.template, asParameter));
    }
  }

  private validated<T extends object>(type: new () => T, value: unknown, field: string): T {
    const map = asMap(value);
    if (map === undefined) this.refuse(field, 'must be a map');
    const given = Object.entries(map ?? {}).filter(([, each]) => each !== undefined);
    const instance = plainToInstance(type, Object.fromEntries(given));
    const errors = map
      ? validateSync(instance, { whitelist: true, forbidNonWhitelisted: true, forbidUnknownValues: false })
      : [];
    this.violations.push(
      ...toViolations(errors).map((violation) => ({ ...violation, field: field + violation.field })),
    );
    return instance;
  }
}

function asMap(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** A JSON pointer to a member (RFC 6901 section 4). */
function pointer(parent: string, name: string): string {
  return `${parent}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

const keysOf = (field: string): string[] =>
  field
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));

/**
 * Why a declared lookup cannot have its name.
 *
 * @param names of all declared lookups
 */
function nameViolation(name: string, names: readonly string[]): string | undefined {
  if (!isLookupName(name))
    return 'must be a name of letters, digits, dots, dashes and underscores, without the ending .mmdb';
  const same = names.slice(0, names.indexOf(name)).find((each) => each.toLowerCase() === name.toLowerCase());
  if (same === undefined) return undefined;
  return `differs from ${JSON.stringify(same)} only in case, which not all file systems distinguish: rename one of them`;
}
