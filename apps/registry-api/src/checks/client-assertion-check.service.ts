import { Injectable } from '@nestjs/common';
import type { AssertionUse } from '@svc/client-metadata';
import { AssertionError } from '../assertions/verify-assertion.js';
import type { StoredClient } from '../clients/stored-client.js';
import type { Reach } from '../http/current-caller.js';
import { RegistryMetrics } from '../metrics/registry-metrics.js';
import { UsageRecorder } from '../usage/usage-recorder.js';
import type { CheckClientAssertionBody, ClientAssertionCheck } from './checks.dto.js';
import { ClientAssertionVerifier } from './client-assertion-verifier.js';

/** Checks and counts the assertions with which Clients authenticate by private_key_jwt (RFC 7523). */
@Injectable()
export class ClientAssertionCheckService {
  constructor(
    private readonly verifier: ClientAssertionVerifier,
    private readonly metrics: RegistryMetrics,
    private readonly usage: UsageRecorder,
  ) {}

  /** The response is the same for an unknown Client, a disabled one and one without the method. */
  async check(
    clientId: string,
    body: CheckClientAssertionBody,
    caller: Reach,
  ): Promise<ClientAssertionCheck> {
    const client = await this.verifier.find(clientId, caller);
    try {
      await this.verifier.verify(client, body.client_assertion, body.audience);
    } catch (error) {
      if (!(error instanceof AssertionError)) throw error;
      this.metrics.countAssertionCheck('invalid');
      this.recordUse(client, { kind: 'assertion', refusal: `assertion_${error.rule}` });
      return { valid: false, rule: error.rule, message: error.message };
    }
    this.metrics.countAssertionCheck('valid');
    this.recordUse(client, { kind: 'assertion' });
    return { valid: true };
  }

  /** After the response, as for secrets: an unknown Client is not counted. */
  private recordUse(client: StoredClient | undefined, use: AssertionUse): void {
    if (client) setImmediate(() => this.usage.record(client, use));
  }
}
