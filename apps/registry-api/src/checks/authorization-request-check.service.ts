import { Injectable } from '@nestjs/common';
import {
  DISABLED_CLIENT,
  type RequestParameters,
  requestUse,
  validateAuthorizationRequest,
} from '@svc/client-metadata';
import { ClientsService } from '../clients/clients.service.js';
import { liveMetadata } from '../clients/temporary-uris.js';
import type { Reach } from '../http/current-caller.js';
import { RegistryMetrics } from '../metrics/registry-metrics.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import { UsageRecorder } from '../usage/usage-recorder.js';
import type { AuthorizationRequestCheck } from './checks.dto.js';

/** Validates authorization requests against their Client's registration. */
@Injectable()
export class AuthorizationRequestCheckService {
  constructor(
    private readonly clients: ClientsService,
    private readonly settings: RegistrySettings,
    private readonly metrics: RegistryMetrics,
    private readonly usage: UsageRecorder,
  ) {}

  /** @throws {RegistryError} `client_not_found` */
  async check(
    clientId: string,
    parameters: RequestParameters,
    caller: Reach,
  ): Promise<AuthorizationRequestCheck> {
    const client = await this.clients.find(clientId, caller);
    const metadata = liveMetadata(client, Date.now());
    const { capabilities } = this.settings;
    const verdict = client.enabled
      ? validateAuthorizationRequest(parameters, clientId, metadata, capabilities)
      : DISABLED_CLIENT;
    this.metrics.countAuthorizationRequestCheck(verdict.valid ? 'valid' : 'invalid');
    this.usage.record(client, requestUse(parameters, verdict, metadata, capabilities));
    return verdict;
  }
}
