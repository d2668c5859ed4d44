import { Counter, Gauge, type HttpServiceOptions, type Metrics, Problem } from '@svc/service-kit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { SecurityEvents } from '../security-events/security-events.js';
import type { AllowedZones } from './allowed-zones.js';
import type { LookupFile, Zones } from './lookup-file.js';
import { SignInLog } from './sign-in-log.js';

/** Locates requests, and decides which locations may use the API. */
export interface Audit {
  /** Absent when no lookup file is configured. */
  readonly zones: Zones | undefined;
  /** For the HTTP service. */
  readonly options: Pick<HttpServiceOptions, 'accessLogFields' | 'checkCaller'>;
  /** Starts the sign-in log; everything stops when the service closes. */
  follow(fastify: FastifyInstance): void;
}

/** The environment variables of the audit. */
export interface AuditSettings {
  readonly AUDIT_IP_LOOKUP?: LookupFile | undefined;
  readonly ADMIN_ALLOWED_ZONES?: AllowedZones | undefined;
}

export function openAudit(
  { AUDIT_IP_LOOKUP: zones, ADMIN_ALLOWED_ZONES: allowed }: AuditSettings,
  logger: Logger,
  metrics: Metrics,
  events: SecurityEvents,
): Audit {
  const signIns = new SignInLog(logger, events, zones);
  const endWatch = zones && watchLookup(zones, logger, metrics);
  if (allowed) logger.info({ allowed: allowed.list }, 'the admin API is restricted to these zones');
  return {
    zones,
    options: {
      ...(zones && { accessLogFields: ({ ip }) => ({ zone: zones.zoneOf(ip) }) }),
      ...(allowed && { checkCaller: new AdminGate(allowed, zones, signIns, metrics).check }),
    },
    follow: (fastify) => {
      signIns.follow(fastify);
      fastify.addHook('onClose', async () => endWatch?.());
    },
  };
}

/** Not part of the admin API: developers may register clients from anywhere (RFC 7591). */
const OPEN_SCOPE = 'clients:register';

/** Restricts the admin API to the allowed zones, whatever token a caller has. */
class AdminGate {
  private readonly refusals: Counter;

  constructor(
    private readonly allowed: AllowedZones,
    private readonly zones: Zones | undefined,
    private readonly signIns: SignInLog,
    { registry }: Metrics,
  ) {
    this.refusals = new Counter({
      name: 'http_zone_refused_requests_total',
      help: 'Requests rejected because of their address.',
      registers: [registry],
    });
  }

  /**
   * Called before the token is verified, so that callers from other zones cannot learn whether it is valid.
   *
   * @param scope that the route requires
   * @throws {Problem} 403
   */
  readonly check = (request: FastifyRequest, scope: string | undefined): void => {
    if (scope === OPEN_SCOPE || this.allowed.admit(request.ip, this.zones)) return;
    this.refusals.inc();
    this.signIns.refused(request, 'zone');
    throw new Problem({
      status: 403,
      error: 'access_denied',
      detail: `The admin API cannot be used from ${request.ip}, which is in none of the zones that the operator allows.`,
    });
  };
}

const POLL_MS = 2_000;

/**
 * Reloads a lookup file whenever it is replaced, and reports that in the log and the metrics. Polls the file, because change
 * notifications do not work on every kind of mount.
 *
 * @returns stops watching
 */
function watchLookup(lookup: LookupFile, logger: Logger, { registry }: Metrics): () => void {
  const reloads = new Counter({
    name: 'ip_lookup_reloads_total',
    help: 'Replaced lookup files, by outcome: loaded, or rejected because of errors.',
    labelNames: ['outcome'],
    registers: [registry],
  });
  for (const outcome of ['loaded', 'refused']) reloads.labels(outcome).inc(0);
  new Gauge({
    name: 'ip_lookup_build_timestamp_seconds',
    help: 'Build time of the lookup file in use, in seconds since 1970.',
    registers: [registry],
    collect() {
      this.set(lookup.buildEpoch);
    },
  });
  let isPolling = false;
  const poll = async (): Promise<void> => {
    if (isPolling) return;
    isPolling = true;
    try {
      if (!(await lookup.refresh())) return;
      reloads.inc({ outcome: 'loaded' });
      logger.info({ file: lookup.path, built: lookup.buildEpoch }, 'loaded the new lookup file');
    } catch (err) {
      reloads.inc({ outcome: 'refused' });
      logger.error({ err }, 'cannot use the new lookup file; the previous one stays in use');
    } finally {
      isPolling = false;
    }
  };
  const timer = setInterval(() => void poll(), POLL_MS);
  timer.unref();
  return () => clearInterval(timer);
}
