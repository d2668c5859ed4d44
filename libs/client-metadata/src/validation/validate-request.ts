import { type Capabilities, DEVELOPER_SESSION_SECONDS } from '../fields/capabilities.js';
import type { CurrentClient } from '../fields/client-metadata.js';
import type { ClientField } from '../fields/client-field.js';
import { CLIENT_FIELDS } from '../fields/client-fields.js';
import { SERVER_FIELDS } from '../fields/server-fields.js';
import { pointerTo, type Problem, quote } from '../violations/violation.js';
import { EDITABLE_FIELDS, judgeClient, type Candidate, type Judgement } from './validate-client.js';
import { memberFault, type Audience, type Occasion } from './field-permissions.js';

export interface JudgeOptions {
  /** `admin` when left out. */
  readonly audience?: Audience;
}

export interface UpdateOptions extends JudgeOptions {
  /** Tells whether a client_secret in the body is a valid one of this Client; without it the body may hold none. */
  readonly isCurrentSecret?: (secret: string) => boolean;
}

export interface ImportOptions {
  /** The Client of the record's client_id, where there is one: the record replaces its metadata. */
  readonly current?: CurrentClient;
  /** More names of the registry's own that exports carry and imports ignore. */
  readonly carried?: readonly string[];
}

/** More are counted, not listed: an answer stays readable, and short. */
const MAX_PROBLEMS = 200;

/** Names beyond these get no suggestion: to find one is a hundred times the work of all else about a name. */
const MAX_HINTS = 20;

const NOT_AN_OBJECT: Problem = { field: '', code: 'type', message: 'a Client must be a JSON object' };

/** Judges the body of a registration. What is left out, or null, gets its default. */
export function judgeRegistration(
  body: unknown,
  capabilities: Capabilities,
  options: JudgeOptions = {},
): Judgement {
  const given = membersOf(body);
  if (!given) return refused([NOT_AN_OBJECT]);
  const problems = memberProblems(given, {
    audience: options.audience ?? 'admin',
    maxSessionSeconds: maxSessionOf(capabilities),
  });
  return combined(problems, judgeClient(given, capabilities));
}

/** Judges a PUT: the body replaces all that can be edited; what is left out, or null, gets its default. */
export function judgeUpdate(
  current: CurrentClient,
  body: unknown,
  capabilities: Capabilities,
  options: UpdateOptions = {},
): Judgement {
  const given = membersOf(body);
  if (!given) return refused([NOT_AN_OBJECT]);
  const { audience = 'admin', isCurrentSecret } = options;
  const maxSessionSeconds = maxSessionOf(capabilities);
  const problems = memberProblems(given, { audience, current, isCurrentSecret, maxSessionSeconds });
  if (audience === 'public' && !given.has('client_id')) {
    const message = 'client_id must be sent in an update (RFC 7592 section 2.2)';
    problems.push({ field: pointerTo('client_id'), code: 'required', message });
  }
  const kept = audience === 'public' ? EDITABLE_FIELDS.filter((field) => isKept(field, given, current)) : [];
  const replaced = EDITABLE_FIELDS.filter((field) => !kept.includes(field));
  const judgement = judgeClient(merged(valuesOf(current, kept), valuesOf(given, replaced)), capabilities);
  if (audience === 'public') problems.push(...looselyMatched(current, judgement));
  return combined(problems, judgement);
}

/** An administrator gave up exact matching for the URIs that were there then, not for those that a developer adds. */
function looselyMatched(current: CurrentClient, judgement: Judgement): Problem[] {
  if (!judgement.valid) return [];
  const { redirect_uris: uris, redirect_uri_validation_method: method } = judgement.metadata;
  if (method === 'full_match') return [];
  const known = new Set(
    Array.isArray(current['redirect_uris']) ? (current['redirect_uris'] as unknown[]) : [],
  );
  return uris.flatMap((uri, index) => {
    if (known.has(uri)) return [];
    const message = `${quote(uri)} is new: redirect_uri_validation_method must be full_match then, except by an administrator`;
    return [{ field: pointerTo('redirect_uris', index), code: 'not_public', message }];
  });
}

function maxSessionOf({ developer_session_seconds: seconds }: Capabilities): number {
  return seconds ?? DEVELOPER_SESSION_SECONDS;
}

/** A developer's update leaves alone what an administrator alone could have set, unless it sets what a developer may. */
function isKept({ name, public: open }: ClientField, given: Candidate, current: CurrentClient): boolean {
  if (typeof open === 'boolean') return !open;
  const value = current[name];
  return given.get(name) == null && typeof value === 'string' && !open.includes(value);
}

/** Judges a PATCH: a JSON Merge Patch (RFC 7396). What is left out stays; null unsets, which brings back the default. */
export function judgePatch(
  current: CurrentClient,
  patch: unknown,
  capabilities: Capabilities,
  options: Omit<UpdateOptions, 'audience'> = {},
): Judgement {
  const given = membersOf(patch);
  if (!given) return refused([NOT_AN_OBJECT]);
  const problems = memberProblems(given, {
    audience: 'admin',
    current,
    isCurrentSecret: options.isCurrentSecret,
  });
  const candidate = merged(valuesOf(current, EDITABLE_FIELDS), valuesOf(given, EDITABLE_FIELDS));
  return combined(problems, judgeClient(candidate, capabilities));
}

/**
 * Judges a record of an export or a declaration: a whole Client under its client_id, to be registered or, with
 * `current`, replaced. What else the server owns is ignored, so that exports can be imported; a client_secret is
 * refused.
 *
 * @returns with `preferredClientId`, the record's client_id, unless it replaces a Client
 */
export function judgeImport(
  record: unknown,
  capabilities: Capabilities,
  options: ImportOptions = {},
): Judgement {
  const given = membersOf(record);
  if (!given) return refused([NOT_AN_OBJECT]);
  const { current } = options;
  const carried = options.carried ? new Set([...CARRIED, ...options.carried]) : CARRIED;
  const problems = memberProblems(given, { audience: 'admin', current, carried });
  const clientId = given.get('client_id') ?? undefined;
  const other = current?.client_id ?? given.get('preferred_client_id') ?? clientId;
  if (clientId !== undefined && clientId !== other) {
    const message = `client_id is not the same as ${current ? 'that of the Client to replace' : 'preferred_client_id'}`;
    problems.push({ field: pointerTo('client_id'), code: 'mismatch', message });
  }
  const candidate = valuesOf(given, EDITABLE_FIELDS);
  if (!current) candidate.set('preferred_client_id', other);
  const judgement = judgeClient(candidate, capabilities);
  return combined(problems, clientId === undefined ? judgement : named(judgement));
}

/** What exports carry of the table and imports ignore: all that the server owns, except secrets. */
const CARRIED: ReadonlySet<string> = new Set(
  [
    ...CLIENT_FIELDS.filter((field) => field.editable === 'never' && field.name !== 'client_secret'),
    ...SERVER_FIELDS,
  ].map((field) => field.name),
);

/** The members of a JSON object; nothing for any other value. Own members only: no name reaches a prototype. */
function membersOf(body: unknown): Map<string, unknown> | undefined {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return undefined;
  return new Map(Object.entries(body));
}

function memberProblems(given: Candidate, occasion: Occasion): Problem[] {
  const problems: Problem[] = [];
  for (const [name, value] of given) {
    const fault = memberFault(name, value, { ...occasion, withHint: problems.length < MAX_HINTS });
    if (fault) problems.push({ field: pointerTo(name), ...fault });
  }
  return problems;
}

function valuesOf(
  source: Candidate | CurrentClient,
  fields: readonly { readonly name: string }[],
): Map<string, unknown> {
  const members = source instanceof Map ? (source as Candidate) : new Map(Object.entries(source));
  return new Map(fields.flatMap(({ name }) => (members.has(name) ? [[name, members.get(name)]] : [])));
}

function merged(base: Candidate, over: Candidate): Candidate {
  return new Map([...base, ...over]);
}

/** The same judgement, with the id's problems placed where the record has it. */
function named(judgement: Judgement): Judgement {
  if (judgement.valid) return judgement;
  const problems = judgement.problems.map((problem) =>
    problem.field === '/preferred_client_id'
      ? {
          ...problem,
          field: '/client_id',
          message: problem.message.replace('preferred_client_id', 'client_id'),
        }
      : problem,
  );
  return { ...judgement, problems };
}

function combined(problems: readonly Problem[], judgement: Judgement): Judgement {
  if (judgement.valid) return problems.length > 0 ? refused(problems) : judgement;
  return refused([...problems, ...judgement.problems]);
}

function refused(problems: readonly Problem[]): Judgement {
  const surplus = problems.length - MAX_PROBLEMS;
  if (surplus <= 0) return { valid: false, problems, warnings: [] };
  const rest = { field: '', code: 'more_problems', message: `there are ${surplus} more problems` };
  return { valid: false, problems: [...problems.slice(0, MAX_PROBLEMS), rest], warnings: [] };
}
