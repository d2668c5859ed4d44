import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type { RedirectMatch, RequestValidation, RequestViolation } from '@svc/client-metadata';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsObject,
  IsOptional,
  IsString,
  MaxLength,
} from 'class-validator';
import { ASSERTION_RULES, type AssertionRule } from '../assertions/verify-assertion.js';

/** Body of `POST /client/{client_id}/check/authorization_request`: its members are parameters, whatever their names. */
export const REQUEST_PARAMETERS = {
  type: 'object',
  description:
    'The parameters of the authorization request by name; a list where one was sent more than once, which only ' +
    'resource may be (RFC 8707 section 2). An empty one counts as omitted (RFC 6749 section 3.1).',
  additionalProperties: { oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] },
  example: {
    response_type: 'code',
    redirect_uri: 'https://shop.example/cb',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  },
};

/** Longer than any secret; hashing more would be wasted work. */
const MAX_SECRET_LENGTH = 1_024;

/** Body of `POST /client/{client_id}/check/secret`. */
export class CheckSecretBody {
  @ApiProperty({
    maxLength: MAX_SECRET_LENGTH,
    description: 'What the client sent as its client_secret.',
    example: 'WJ0nSSXVpsTLMlR2YvM7P2bKl3dTj4eQ0cZxJtYbA1s',
  })
  @IsString()
  @MaxLength(MAX_SECRET_LENGTH)
  client_secret!: string;
}

/** Longer than any assertion; verifying more would be wasted work. */
const MAX_ASSERTION_LENGTH = 16_384;

const MAX_AUDIENCES = 10;

/** Body of `POST /client/{client_id}/check/client_assertion`. */
export class CheckClientAssertionBody {
  @ApiProperty({
    maxLength: MAX_ASSERTION_LENGTH,
    description: 'What the client sent as its client_assertion.',
    example: 'eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJzaG9wIn0.c2lnbmF0dXJl',
  })
  @IsString()
  @MaxLength(MAX_ASSERTION_LENGTH)
  client_assertion!: string;

  @ApiProperty({
    type: [String],
    minItems: 1,
    maxItems: MAX_AUDIENCES,
    description:
      'What identifies the authorization server: its issuer, and its token endpoint if that is accepted, too. The assertion must be for one of them.',
    example: ['https://login.example.com'],
  })
  @IsArray()
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_AUDIENCES)
  @IsString({ each: true })
  @MaxLength(2_048, { each: true })
  audience!: string[];
}

/** Body of `POST /client/{client_id}/check/cookie_webhook`; it may be left out. */
export class CheckCookieWebhookBody {
  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Claims that extend or replace those of the sample user.',
    example: { email: 'sample@example.com' },
  })
  @IsObject()
  @IsOptional()
  user?: Record<string, unknown>;
}

/** One reason to refuse an authorization request. */
export class RequestError implements RequestViolation {
  @ApiProperty({
    enum: ['invalid_request', 'unauthorized_client', 'unsupported_response_type'],
    description: 'RFC 6749 section 4.1.2.1.',
  })
  readonly error!: 'invalid_request' | 'unauthorized_client' | 'unsupported_response_type';

  @ApiProperty({ description: 'The violated rule, for programs.', example: 'response_type_not_registered' })
  readonly rule!: string;

  @ApiProperty({
    description: 'For the developer of the application.',
    example: 'the client is not registered for this response_type',
  })
  readonly error_description!: string;

  @ApiPropertyOptional({
    type: Boolean,
    enum: [true],
    description: "Present if the error must be shown on the server's own page: do not redirect.",
  })
  readonly must_not_redirect?: true;
}

/** How the redirect URI of a request was compared. */
export class RedirectUriMatch implements RedirectMatch {
  @ApiProperty({ example: true })
  readonly matches!: boolean;

  @ApiPropertyOptional({
    description: 'The registered URI that it matches.',
    example: 'https://shop.example/cb',
  })
  readonly registered?: string;

  @ApiProperty({ description: 'The rule that decided, for programs.', example: 'exact' })
  readonly rule!: string;

  @ApiProperty({ description: 'The rule that decided, as text.', example: 'is registered' })
  readonly message!: string;
}

/** Whether a Client may make an authorization request. */
export class AuthorizationRequestCheck implements RequestValidation {
  @ApiProperty({ example: true })
  readonly valid!: boolean;

  @ApiProperty({ type: [RequestError], example: [] })
  readonly errors!: readonly RequestError[];

  @ApiPropertyOptional({
    description: 'Where to send the response, including errors; absent if it must not redirect.',
    example: 'https://shop.example/cb',
  })
  readonly redirect_uri?: string;

  @ApiPropertyOptional({
    type: RedirectUriMatch,
    description: 'How the redirect URI of the request was compared; absent when it has none.',
  })
  readonly redirect_uri_match?: RedirectMatch;
}

/** Whether a secret is valid now, and for how long. */
export class SecretCheck {
  @ApiProperty({ example: true })
  readonly valid!: boolean;

  @ApiPropertyOptional({
    type: 'integer',
    description:
      'Seconds since 1970; 0 when it does not expire (RFC 7591 section 3.2.1). Absent when the secret is not valid.',
    example: 0,
  })
  readonly client_secret_expires_at?: number;
}

/** Whether a client_assertion is valid. Each is accepted only once. */
export class ClientAssertionCheck {
  @ApiProperty({ example: true })
  readonly valid!: boolean;

  @ApiPropertyOptional({ enum: ASSERTION_RULES, description: 'The violated rule, for programs.' })
  readonly rule?: AssertionRule;

  @ApiPropertyOptional({
    description: 'The violated rule, for the developer of the application.',
    example: 'the assertion has expired',
  })
  readonly message?: string;
}
