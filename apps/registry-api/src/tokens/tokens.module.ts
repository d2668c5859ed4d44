import { Global, Module } from '@nestjs/common';
import { TOKEN_VERIFIER, type TokenVerifier } from '@svc/service-kit';
import { ApiTokenVerifier, ACCESS_TOKENS, CompositeTokenVerifier } from './token-verifiers.js';
import { TokenEvents } from './token-events.js';
import { TokenExpiries } from './token-expiries.js';
import { TokensController } from './tokens.controller.js';
import { TokensService } from './tokens.service.js';

/** API tokens, and the verification of every bearer token. */
@Global()
@Module({
  controllers: [TokensController],
  providers: [
    TokenEvents,
    TokenExpiries,
    ApiTokenVerifier,
    TokensService,
    {
      provide: TOKEN_VERIFIER,
      inject: [ApiTokenVerifier, { token: ACCESS_TOKENS, optional: true }],
      useFactory: (apiTokens: ApiTokenVerifier, accessTokens?: TokenVerifier) =>
        new CompositeTokenVerifier(apiTokens, accessTokens),
    },
  ],
  exports: [TOKEN_VERIFIER],
})
export class TokensModule {}
