import { Global, Module } from '@nestjs/common';
import { TOKEN_VERIFIER, type TokenVerifier } from '@svc/service-kit';
import { ACCESS_TOKENS, AnyTokenVerifier } from '../oidc/any-token-verifier.js';
import { ApiTokenVerifier } from './api-token-verifier.js';
import { TokensController } from './tokens.controller.js';
import { TokensService } from './tokens.service.js';

/** API tokens: who may call. */
@Global()
@Module({
  controllers: [TokensController],
  providers: [
    ApiTokenVerifier,
    TokensService,
    {
      provide: TOKEN_VERIFIER,
      inject: [ApiTokenVerifier, { token: ACCESS_TOKENS, optional: true }],
      useFactory: (apiTokens: ApiTokenVerifier, accessTokens?: TokenVerifier) =>
        new AnyTokenVerifier(apiTokens, accessTokens),
    },
  ],
  exports: [TOKEN_VERIFIER],
})
export class TokensModule {}
