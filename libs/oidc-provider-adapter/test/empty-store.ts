import type { Adapter } from 'oidc-provider';

/** A store of the provider's models that keeps nothing: for tests that do not get as far as a session. */
export class EmptyStore implements Adapter {
  constructor(readonly model: string) {}
  async upsert(): Promise<void> {}
  async find(): Promise<undefined> {}
  async findByUserCode(): Promise<undefined> {}
  async findByUid(): Promise<undefined> {}
  async consume(): Promise<void> {}
  async destroy(): Promise<void> {}
  async revokeByGrantId(): Promise<void> {}
}
