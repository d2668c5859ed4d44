import { Injectable } from '@nestjs/common';
import { Problem, type TraceContext } from '@svc/service-kit';
import { ClientsService } from '../clients/clients.service.js';
import { DestinationPolicy } from '@svc/service-kit/destinations';
import { probeCookieWebhook, type ProbeReport } from '../cookie-webhook/probe-cookie-webhook.js';
import type { Reach } from '../http/current-caller.js';
import { RegistrySettings } from '../settings/registry-settings.js';

/** Concurrent calls: resolving a slow name blocks one of Node's few threads for files and names. */
const MAX_UNDER_WAY = 2;

@Injectable()
export class CookieWebhookCheckService {
  private underWay = 0;

  constructor(
    private readonly clients: ClientsService,
    private readonly settings: RegistrySettings,
    private readonly policy: DestinationPolicy,
  ) {}

  /** @throws {RegistryError | Problem} `client_not_found` */
  async check(
    clientId: string,
    caller: Reach,
    { user, trace }: { user?: Record<string, unknown> | undefined; trace?: TraceContext | undefined },
  ): Promise<ProbeReport> {
    const { metadata, cookieName, enabled } = await this.clients.find(clientId, caller);
    if (!enabled) {
      throw new Problem({ status: 409, detail: 'The client is disabled; enable it to call its webhook.' });
    }
    const { cookie_webhook_uri: uri, cookie_domain: cookieDomain } = metadata;
    if (uri === undefined) {
      throw new Problem({ status: 409, detail: 'The client has no cookie_webhook_uri to call.' });
    }
    if (this.underWay >= MAX_UNDER_WAY) {
      const detail = 'Other cookie webhooks are being called at the moment; try again shortly.';
      throw new Problem({ status: 503, detail, headers: { 'retry-after': '3' } });
    }
    this.underWay += 1;
    try {
      const { cookiePrefix } = this.settings;
      return await probeCookieWebhook(
        { uri, user, trace, cookieName, cookiePrefix, cookieDomain },
        { policy: this.policy },
      );
    } finally {
      this.underWay -= 1;
    }
  }
}
