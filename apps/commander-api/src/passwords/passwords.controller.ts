import { preferredFormat } from '@svc/foundation';
import { Body, Controller, Get, Header, HttpCode, Post, Query, Req, Res } from '@nestjs/common';
import {
  ApiBody,
  ApiConsumes,
  ApiExtraModels,
  ApiOperation,
  ApiProperty,
  ApiPropertyOptional,
  ApiResponse,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { CURVES, MAX_PASSWORD_BYTES } from '@svc/password-format';
import { Problem, RequireScope } from '@svc/service-kit';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { AuditLog, senderOf } from '../audit/audit-log.js';
import { EncryptQuery } from './encrypt-query.dto.js';
import { RawBody, readRawBody } from '../http/raw-body.js';
import type { EncryptedAnswer } from './encrypt-answer.js';
import { PasswordsService } from './passwords.service.js';

/** A password and a line break. */
const MAX_BODY_BYTES = MAX_PASSWORD_BYTES + 2;

/** The first is the answer to callers with no preference. */
const ANSWERS = { text: ['text/plain'], json: ['application/json'] };

const EXAMPLE_KID = 'e2ttt0CHQpgdVnB8ZhVDwwpBLe679BvrAbPUe-tyqYc';

const JWE_DESCRIPTION =
  'A JWE: in compact serialization for one key, in general JSON serialization for several recipients.';

const EXAMPLE_JWE =
  'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIiwia2lkIjoielBWdUgyWnA0RmcifQ..POupSbeoSCKwPzYp.ag.lGTuvrIxuYIr4UEMFtOZXw';

export class EncryptedPasswordAnswer implements EncryptedAnswer {
  @ApiProperty({ description: JWE_DESCRIPTION, example: EXAMPLE_JWE })
  readonly encrypted_password!: string;

  @ApiProperty({ description: 'Id of the first key that decrypts it.', example: 'zPVuH2Zp4Fg' })
  readonly kid!: string;

  @ApiPropertyOptional({
    description: 'Ids of all keys that it is sealed to; absent for a symmetric key.',
  })
  readonly recipients?: string[];
}

export class PublicKey {
  @ApiProperty({ enum: ['EC', 'OKP'] })
  readonly kty!: string;

  @ApiProperty({ enum: CURVES })
  readonly crv!: string;

  @ApiProperty({ example: 'R7-cEpeIx3UDI02UXNFge1-OtCuLvVsQbJAIEEWfIck' })
  readonly x!: string;

  @ApiPropertyOptional({
    description: 'Only for keys of the curve P-256.',
    example: 'W584WAnvU4COKs5XVI26JNkxL_3OTBBqj7jX4WtE-W0',
  })
  readonly y?: string;

  @ApiProperty({ description: 'SHA-256 thumbprint (RFC 7638).', example: EXAMPLE_KID })
  readonly kid!: string;

  @ApiProperty({ enum: ['enc'] })
  readonly use!: string;

  @ApiProperty({ enum: ['ECDH-ES+A256KW'] })
  readonly alg!: string;
}

export class PublicKeys {
  @ApiProperty({ type: [PublicKey] })
  readonly keys!: PublicKey[];
}

@ApiTags('passwords')
@Controller('encpwd')
export class PasswordsController {
  constructor(
    private readonly passwords: PasswordsService,
    private readonly audit: AuditLog,
  ) {}

  @Post()
  @HttpCode(200)
  @RawBody('refused')
  @RequireScope('passwords:encrypt')
  @Header('vary', 'Accept')
  @ApiOperation({
    operationId: 'encryptPassword',
    summary: 'Encrypt a password',
    description:
      'The body is the password itself, in UTF-8; a byte order mark and one trailing line break (LF or CRLF) are dropped, as on the command line. The response is the value for !encpwd in YAML: sealed to the configured recipients if there are any, else encrypted with the configured key.',
  })
  @ApiConsumes('text/plain')
  @ApiBody({
    schema: {
      type: 'string',
      minLength: 1,
      maxLength: MAX_PASSWORD_BYTES,
      example: 'correct horse battery staple',
    },
  })
  @ApiExtraModels(EncryptedPasswordAnswer)
  @ApiResponse({
    status: 200,
    description: 'The encrypted password.',
    content: {
      'text/plain': {
        schema: { type: 'string', description: JWE_DESCRIPTION, example: EXAMPLE_JWE },
      },
      'application/json': { schema: { $ref: getSchemaPath(EncryptedPasswordAnswer) } },
    },
  })
  @ApiResponse({ status: 400, description: 'The password is empty or not UTF-8, or a recipient is unknown.' })
  @ApiResponse({ status: 413, description: 'The password is longer than 64 KiB.' })
  @ApiResponse({ status: 415, description: 'The body is JSON, compressed, or not in UTF-8.' })
  @ApiResponse({ status: 503, description: 'The server has no usable key.' })
  async encrypt(
    @Req() request: FastifyRequest,
    @Query() query: EncryptQuery,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<unknown> {
    assertPasswordType(request.headers);
    const answer = await this.encryptBody(request, query, body);
    if (preferredFormat(request.headers.accept, ANSWERS) === 'json') return answer;
    void reply.type('text/plain; charset=utf-8');
    return answer.encrypted_password;
  }

  @Get('keys')
  @RequireScope('passwords:encrypt')
  @Header('content-type', 'application/jwk-set+json')
  @ApiOperation({
    operationId: 'listPublicKeys',
    summary: 'List the public keys that passwords are sealed to',
    description:
      'A JWK set (RFC 7517): those in pwdencryptor.recipients, else the public key of a pair in pwdencryptor.key; empty for a symmetric key.',
  })
  @ApiExtraModels(PublicKeys)
  @ApiResponse({
    status: 200,
    description: 'The public keys.',
    content: { 'application/jwk-set+json': { schema: { $ref: getSchemaPath(PublicKeys) } } },
  })
  @ApiResponse({ status: 503, description: 'The configured keys cannot be used.' })
  async keys(): Promise<PublicKeys> {
    return { keys: (await this.passwords.publicKeys()).map((recipient) => recipient.toJwk()) };
  }

  private async encryptBody(request: FastifyRequest, query: EncryptQuery, body: unknown) {
    const password = await readRawBody(body, MAX_BODY_BYTES);
    return this.audit.observe(
      'password.encrypt',
      senderOf(request),
      undefined,
      async () => this.passwords.encrypt(password, query),
      ({ kid, recipients = [kid] }) => ({ count: 1, recipients }),
    );
  }
}

/** UTF-8 and its subsets. */
const UTF8_CHARSETS = ['utf-8', 'utf8', 'us-ascii', 'ascii'];

/**
 * Requires a password to be uncompressed UTF-8.
 *
 * @throws {Problem} 415
 */
function assertPasswordType(headers: IncomingHttpHeaders): void {
  const [, ...parameters] = (headers['content-type'] ?? '').toLowerCase().split(';');
  const charset = parameters
    .map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1])
    .find(Boolean);
  if (charset !== undefined && !UTF8_CHARSETS.includes(charset))
    throw unsupported('The password must be in UTF-8.');
  const encoding = headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity') throw unsupported('The password must not be compressed.');
}

function unsupported(detail: string): Problem {
  return new Problem({ status: 415, detail });
}
