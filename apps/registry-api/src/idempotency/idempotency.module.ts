import { Global, Module } from '@nestjs/common';
import { IdempotencyKeys } from './idempotency-keys.js';

/** Requests that take effect once. */
@Global()
@Module({ providers: [IdempotencyKeys], exports: [IdempotencyKeys] })
export class IdempotencyModule {}
