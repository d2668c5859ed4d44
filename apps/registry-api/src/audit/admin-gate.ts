import { Counter, type Metrics, Problem } from '@svc/service-kit';
import type { FastifyRequest } from 'fastify';
import type { AllowedZones } from './allowed-zones.js';
import type { SignInLog } from './sign-in-log.js';
import type { Zones } from './zones.js';

/** Developers register their Clients from anywhere (RFC 7591): that is not the admin API. */
const OPEN_SCOPE = 'clients:register';

/** Keeps those out of the admin API who ask from elsewhere than the allowed zones, whatever token they have. */
export class AdminGate {
  private readonly refusals: Counter;

  constructor(
    private readonly allowed: AllowedZones,
    private readonly zones: Zones | undefined,
    private readonly signIns: SignInLog,
    { registry }: Metrics,
  ) {
    this.refusals = new Counter({
      name: 'http_zone_refused_requests_total',
      help: 'Requests refused for where their address lies.',
      registers: [registry],
    });
  }

  /**
   * Called before the token is verified, so that callers from elsewhere cannot learn whether it is valid.
   *
   * @param scope that the route asks for
   * @throws {Problem} 403
   */
  readonly judge = (request: FastifyRequest, scope: string | undefined): void => {
    if (scope === OPEN_SCOPE || this.allowed.admit(request.ip, this.zones)) return;
    this.refusals.inc();
    this.signIns.refused(request, 'zone');
    throw new Problem({
      status: 403,
      error: 'access_denied',
      detail: `The admin API is not open to the address ${request.ip}: it lies in none of the zones that the operator allows.`,
    });
  };
}
