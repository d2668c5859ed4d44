import { Injectable } from '@nestjs/common';
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
    let client: StoredClient | undefined;
    try {
      client = await this.verifier.find(clientId, caller);
      const { client_assertion: assertion, audience } = body;
      await this.verifier.verify(client, assertion, audience);
      this.metrics.countAssertionCheck('valid');
      this.usage.record(client, { kind: 'assertion' });
      return { valid: true };
    } catch (error) {
      if (!(error instanceof AssertionError)) throw error;
      this.metrics.countAssertionCheck('invalid');
      if (client) this.usage.record(client, { kind: 'assertion', refusal: `assertion_${error.rule}` });
      return { valid: false, rule: error.rule, message: error.message };
    }
  }
}
