import { Global, Module } from '@nestjs/common';
import { TOKEN_VERIFIER } from '@svc/service-kit';
import { ApiTokenVerifier } from './api-token-verifier.js';

/** API tokens: who may call. */
@Global()
@Module({
  providers: [ApiTokenVerifier, { provide: TOKEN_VERIFIER, useExisting: ApiTokenVerifier }],
  exports: [TOKEN_VERIFIER],
})
export class TokensModule {}
