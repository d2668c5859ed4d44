import { Injectable } from '@nestjs/common';
import { ClientsService } from '../clients/clients.service.js';
import type { Reach } from '../http/current-caller.js';
import { RegistryMetrics } from '../metrics/registry-metrics.js';
import { RegistrySettings } from '../settings/registry-settings.js';
import {
  DISABLED_CLIENT,
  validateAuthorizationRequest,
  type RequestParameters,
} from './authorization-request.js';
import type { AuthorizationRequestCheck } from './checks.dto.js';

/** Validates authorization requests against their Client's registration. */
@Injectable()
export class AuthorizationRequestCheckService {
  constructor(
    private readonly clients: ClientsService,
    private readonly settings: RegistrySettings,
    private readonly metrics: RegistryMetrics,
  ) {}

  /** @throws {RegistryError} `client_not_found` */
  async check(
    clientId: string,
    parameters: RequestParameters,
    caller: Reach,
  ): Promise<AuthorizationRequestCheck> {
    const { metadata, enabled } = await this.clients.find(clientId, caller);
    const verdict = enabled
      ? validateAuthorizationRequest(parameters, clientId, metadata, this.settings.capabilities)
      : DISABLED_CLIENT;
    this.metrics.countAuthorizationRequestCheck(verdict.valid ? 'valid' : 'invalid');
    return verdict;
  }
}
