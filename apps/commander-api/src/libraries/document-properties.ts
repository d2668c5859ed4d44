import { ApiPropertyOptional } from '@nestjs/swagger';
import type { SourceSignature } from '@svc/library-sync';

// Examples in the API document.
export const REVISION = '9fceb02d0ae598e95dc970b74767f19372d61af8';
export const SOURCE = 'git.example.com/library.git';
export const DESTINATION = 'zookeeper-1:2181 /library';

/** Who signed what was loaded: only with `source.verify`. */
export class SignatureDocument implements Partial<SourceSignature> {
  @ApiPropertyOptional({
    description:
      'With `source.verify`: the names that the list of allowed signers gives the key, such as `alice@example.com`.',
  })
  readonly signed_by?: string;

  @ApiPropertyOptional({ description: "The key's fingerprint." })
  readonly signing_key?: string;

  @ApiPropertyOptional({
    format: 'date-time',
    description: 'Time of the signature, according to the signer.',
  })
  readonly signed_at?: string;
}
