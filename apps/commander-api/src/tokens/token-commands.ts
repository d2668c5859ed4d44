import { hostname } from 'node:os';
import type { CommanderScope, Reach } from '../access/caller.js';
import type { CommandContext } from '../command-line/command-context.js';
import { currentUser } from '../command-line/current-user.js';
import { textTable } from '../command-line/text-table.js';
import type { CommanderConfig } from '../config/commander-config.js';
import { CommanderError } from '../errors/commander-error.js';
import { changeTokenFile, readTokenFile } from './change-tokens.js';
import { createToken, revokeToken, type TokenRights } from './create-token.js';
import { type LastUses, readLastUses } from './last-uses.js';
import { isLookupName, MAX_NAMES, stateOf, type StoredToken, TOKEN_NAME } from './token-file.js';

/** Options of `svccmd token create`. */
export interface CreateFlags {
  readonly scope: readonly CommanderScope[];
  readonly library?: readonly string[];
  readonly allLibraries?: true;
  readonly lookup?: readonly string[];
  readonly allLookups?: true;
  /** In milliseconds. */
  readonly expiresIn?: number;
}

export async function create(context: CommandContext, name: string, flags: CreateFlags): Promise<void> {
  const config = context.config();
  const rights = toRights(config, name, flags);
  const { token, value } = await changeTokenFile(
    fileOf(config),
    (tokens) => {
      const { tokens: changed, ...result } = createToken(tokens, rights, thisChange());
      return { tokens: changed, result };
    },
    context.signal,
  );
  context.answer({ text: value, value: { ...toJson(token, new Map()), token: value } });
}

export async function list(context: CommandContext): Promise<void> {
  const file = fileOf(context.config());
  const uses = readLastUses(file);
  const tokens = readTokenFile(file);
  const rows = tokens.map((token) => [
    token.id,
    token.name,
    stateOf(token, Date.now()),
    rightsText(token),
    token.expires_at ?? 'never',
    uses.get(token.id) ?? 'never',
  ]);
  const heading = ['ID', 'NAME', 'STATE', 'MAY', 'EXPIRES', 'LAST USED'];
  context.answer({
    text: rows.length === 0 ? `no tokens in ${file}` : textTable([heading, ...rows]),
    value: { tokens: tokens.map((token) => toJson(token, uses)) },
  });
}

export async function revoke(context: CommandContext, which: string): Promise<void> {
  const token = await changeTokenFile(
    fileOf(context.config()),
    (tokens) => {
      const { tokens: changed, token: revoked } = revokeToken(tokens, which, thisChange());
      return { tokens: changed, result: revoked };
    },
    context.signal,
  );
  context.answer({ text: `revoked token ${token.id} (${token.name})`, value: toJson(token, new Map()) });
}

const thisChange = () => ({ by: `${currentUser()}@${hostname()}`, nowMs: Date.now() });

function fileOf({ http }: CommanderConfig): string {
  if (http.api_tokens !== undefined) return http.api_tokens;
  throw new CommanderError('configuration', 'http.api_tokens is not set: set it to the file of API tokens');
}

/** @throws {CommanderError} usage */
function toRights(config: CommanderConfig, name: string, flags: CreateFlags): TokenRights {
  if (!TOKEN_NAME.test(name))
    throw invalid(
      `the name ${JSON.stringify(name)} must start with a lower-case letter, followed by lower-case letters, digits and single hyphens, at most 40 characters in total`,
    );
  if ([...RESERVED, ...config.tokens.map((token) => token.name)].includes(name))
    throw invalid(`the name ${name} is already used by a token in the configuration; choose another`);
  const scopes = [...new Set(flags.scope)];
  const libraries = reachOf('library', scopes, flags.library, flags.allLibraries);
  const lookups = reachOf('lookup', scopes, flags.lookup, flags.allLookups);
  assertLibraries(config, libraries);
  const wrong = lookups === 'all' ? undefined : lookups.find((lookup) => !isLookupName(lookup));
  if (wrong !== undefined)
    throw invalid(`${JSON.stringify(wrong)} is not the name of a lookup; pass it without .mmdb`);
  return { name, scopes, libraries, lookups, expiresInMs: flags.expiresIn };
}

/** Names that the token of [http] and requests without a token have in the log. */
const RESERVED = ['token', 'anonymous'];

const KINDS = {
  library: { prefix: 'library:', plural: 'libraries', option: '--library', all: '--all-libraries' },
  lookup: { prefix: 'iplookup:', plural: 'lookups', option: '--lookup', all: '--all-lookups' },
} as const;

/** Which libraries or lookups: nothing is granted that was not named. */
function reachOf(
  kind: keyof typeof KINDS,
  scopes: readonly string[],
  names: readonly string[] | undefined,
  all: true | undefined,
): Reach {
  const { prefix, plural, option, all: allOption } = KINDS[kind];
  const isNeeded = scopes.some((scope) => scope.startsWith(prefix));
  if (!isNeeded && (names ?? all) !== undefined)
    throw invalid(`${option} and ${allOption} need a scope that starts with ${prefix}`);
  if (isNeeded && (names === undefined) === (all === undefined))
    throw invalid(`pass either ${option} or ${allOption}, for the scopes that start with ${prefix}`);
  const unique = [...new Set(names ?? [])];
  if (unique.length > MAX_NAMES) throw invalid(`a token may name at most ${MAX_NAMES} ${plural}`);
  return all ? 'all' : unique;
}

function assertLibraries({ libraries: configured }: CommanderConfig, libraries: Reach): void {
  const known = configured.flatMap(({ name }) => name ?? []);
  const unknown = libraries === 'all' ? undefined : libraries.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw invalid(
    `no library is named ${JSON.stringify(unknown)}; named libraries: ${known.join(', ') || 'none'}`,
  );
}

function invalid(message: string): CommanderError {
  return new CommanderError('usage', message);
}

function rightsText({ scopes, libraries, lookups }: StoredToken): string {
  return [scopes.join(' '), ...reachText(libraries, 'libraries'), ...reachText(lookups, 'lookups')].join(
    ', ',
  );
}

function reachText(names: Reach, plural: string): string[] {
  if (names === 'all') return [`all ${plural}`];
  return names.length > 0 ? [`${plural} ${names.join(' ')}`] : [];
}

/** A token without its hash. */
function toJson({ sha256: _, ...token }: StoredToken, uses: LastUses): object {
  const used = uses.get(token.id);
  return { ...token, ...(used !== undefined && { last_used: used }) };
}
