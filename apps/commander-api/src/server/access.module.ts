import { type DynamicModule, Module } from '@nestjs/common';
import { TOKEN_VERIFIER, type TokenVerifier } from '@svc/service-kit';

/** Who may do what: the port that the shared guard asks. */
@Module({})
export class AccessModule {
  static register(verifier: TokenVerifier): DynamicModule {
    return {
      module: AccessModule,
      providers: [{ provide: TOKEN_VERIFIER, useValue: verifier }],
      exports: [TOKEN_VERIFIER],
    };
  }
}
