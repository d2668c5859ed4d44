import type { HttpServiceOptions, Metrics } from '@svc/service-kit';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { AllowedZones } from './allowed-zones.js';
import { AdminGate } from './admin-gate.js';
import type { LookupFile } from './lookup-file.js';
import { SignInLog } from './sign-in-log.js';
import { watchLookup } from './watch-lookup.js';
import type { Zones } from './zones.js';

/** Locates requests, and decides which locations may use the API. */
export interface Audit {
  /** Absent when no lookup file is configured. */
  readonly zones: Zones | undefined;
  /** For the HTTP service. */
  readonly options: Pick<HttpServiceOptions, 'accessLogFields' | 'checkCaller'>;
  /** Begins the sign-in log; ends all when the service closes. */
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
): Audit {
  const signIns = new SignInLog(logger, zones);
  const endWatch = zones && watchLookup(zones, logger, metrics);
  if (allowed) logger.info({ allowed: allowed.list }, 'the admin API is open to these zones alone');
  return {
    zones,
    options: {
      ...(zones && { accessLogFields: ({ ip }) => ({ zone: zones.zoneOf(ip) }) }),
      ...(allowed && { checkCaller: new AdminGate(allowed, zones, signIns, metrics).judge }),
    },
    follow: (fastify) => {
      signIns.follow(fastify);
      fastify.addHook('onClose', async () => endWatch?.());
    },
  };
}
