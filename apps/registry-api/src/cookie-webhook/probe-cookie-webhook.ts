import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Violation, type TraceContext } from '@svc/service-kit';
import type { DestinationPolicy, Resolve } from '@svc/service-kit/destinations';
import { type CallAnswer, CallError, type CallLimits, callHost } from '../outgoing/call-host.js';
import { type CookieContext, validateWebhookAnswer } from './validate-webhook-answer.js';

/** Limits of a probe. A sign-in waits for the webhook, so a slower one is unusable. */
export const PROBE_LIMITS: CallLimits = { timeoutMs: 3_000, maxBytes: 64 * 1024 };

export interface CookieWebhookProbe extends CookieContext {
  /** The Client's cookie_webhook_uri. */
  readonly uri: string;
  /** Claims that add to or replace those of the sample user. */
  readonly user?: Readonly<Record<string, unknown>> | undefined;
  /** Trace of the caller's request. */
  readonly trace?: TraceContext | undefined;
}

export interface ProbeOptions {
  readonly policy: DestinationPolicy;
  readonly limits?: CallLimits;
  /** Resolves names; by default, the system does. */
  readonly resolve?: Resolve;
}

/** The result of calling the cookie webhook. */
export class ProbeReport {
  @ApiProperty({ description: 'Whether the webhook can be used as it is.', example: true })
  readonly ok!: boolean;

  @ApiPropertyOptional({
    type: 'integer',
    description: 'The HTTP status; absent without a response.',
    example: 200,
  })
  readonly status?: number;

  @ApiProperty({ type: 'integer', example: 42 })
  readonly duration_ms!: number;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'The cookies in the response, name to value.',
    example: { session: 'b0f1c2' },
  })
  readonly cookies?: Readonly<Record<string, unknown>>;

  @ApiProperty({ type: [Violation], description: 'Why it cannot be used.', example: [] })
  readonly problems!: readonly Violation[];
}

/**
 * Calls a client's cookie webhook as an authorization server does, with a sample user, and reports the result. Problems of the
 * webhook are part of the report, never exceptions.
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
  const headers = { ...trace, accept: 'application/json', 'content-type': 'application/json' };
  const body = JSON.stringify({ ...SAMPLE_USER, ...user });
  return callHost(url, { method: 'PUT', headers, body }, policy, limits, resolve);
}

/** The URI was validated when it was registered, but perhaps by other rules. */
function toUrl(uri: string): URL | undefined {
  if (!URL.canParse(uri)) return undefined;
  const url = new URL(uri);
  const isHttp = url.protocol === 'http:' || url.protocol === 'https:';
  return isHttp && url.username === '' && url.password === '' ? url : undefined;
}

/** Claims of a fictitious user (OpenID Connect Core section 5.1). */
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
