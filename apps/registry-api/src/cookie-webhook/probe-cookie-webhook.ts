import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Violation, type TraceContext } from '@svc/service-kit';
import type { CookieContext } from './cookie-grammar.js';
import type { DestinationPolicy } from './destination-policy.js';
import type { Resolve } from './guarded-lookup.js';
import { validateWebhookAnswer } from './validate-webhook-answer.js';
import { type CallAnswer, CallError, type CallLimits, putJson } from './put-json.js';

/** What a probe may cost: a sign-in waits for the webhook, so one that needs longer is not fit for use. */
export const PROBE_LIMITS: CallLimits = { timeoutMs: 3_000, maxBytes: 64 * 1024 };

export interface CookieWebhookProbe extends CookieContext {
  /** The Client's cookie_webhook_uri. */
  readonly uri: string;
  /** Claims to send beside, or instead of, those of the sample user. */
  readonly user?: Readonly<Record<string, unknown>> | undefined;
  /** Of the request that asks for the probe. */
  readonly trace?: TraceContext | undefined;
}

/** How a probe may call. */
export interface ProbeOptions {
  readonly policy: DestinationPolicy;
  readonly limits?: CallLimits;
  /** How names are resolved; by the system when left out. */
  readonly resolve?: Resolve;
}

/** What a call of the cookie webhook showed. */
export class ProbeReport {
  @ApiProperty({ description: 'Whether the webhook can be used as it is.', example: true })
  readonly ok!: boolean;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'The HTTP status; absent without an answer.',
    example: 200,
  })
  readonly status?: number;

  @ApiProperty({ type: 'integer', example: 42 })
  readonly duration_ms!: number;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'The cookies of the answer, name to value.',
    example: { session: 'b0f1c2' },
  })
  readonly cookies?: Readonly<Record<string, unknown>>;

  @ApiProperty({ type: [Violation], description: 'Why it cannot be used.', example: [] })
  readonly problems!: readonly Violation[];
}

/**
 * Calls a Client's cookie webhook as an authorization server does, with the data of a sample user, and reports. What
 * is wrong with the webhook is part of the report, never an exception.
 */
export async function probeCookieWebhook(
  probe: CookieWebhookProbe,
  options: ProbeOptions,
): Promise<ProbeReport> {
  const start = performance.now();
  const duration = () => ({ duration_ms: Math.round(performance.now() - start) });
  const url = toUrl(probe.uri);
  if (!url) return { ok: false, ...duration(), problems: [NOT_CALLABLE] };
  try {
    const answer = await call(url, probe, options);
    const timing = duration();
    const validation = validateWebhookAnswer(answer, probe);
    return { ok: validation.problems.length === 0, status: answer.status, ...timing, ...validation };
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    return { ok: false, ...duration(), problems: [{ field: '', code: error.code, message: error.message }] };
  }
}

const NOT_CALLABLE: Violation = {
  field: '',
  code: 'uri',
  message: 'cookie_webhook_uri is not an http or https URI without userinfo',
};

async function call(
  url: URL,
  { user, trace }: CookieWebhookProbe,
  { policy, limits = PROBE_LIMITS, resolve }: ProbeOptions,
): Promise<CallAnswer> {
  return putJson(url, { body: { ...SAMPLE_USER, ...user }, trace }, policy, limits, resolve);
}

/** Judged when it was registered; but what the rules were then is not known now. */
function toUrl(uri: string): URL | undefined {
  if (!URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  return isHttp && url.username === '' && url.password === '' ? url : undefined;
}

/** Claims of a user who does not exist, as OpenID Connect Core section 5.1 names them. */
const SAMPLE_USER = {
  sub: 'sample-user',
  preferred_username: 'sample',
  name: 'Sample User',
  given_name: 'Sample',
  family_name: 'User',
  email: 'sample.user@example.com',
  email_verified: true,
  phone_number: '+1 555 0100',
  phone_number_verified: false,
  locale: 'en',
  zoneinfo: 'Europe/Prague',
  updated_at: 1_700_000_000,
} as const;
