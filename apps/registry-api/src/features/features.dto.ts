import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import type {
  ClientTemplate,
  Deviation,
  JsonSchema,
  SecretImport,
  SupportedFeatures,
  SupportedField,
} from '@svc/client-metadata';

type Field = Required<SupportedField>;

class FeatureField implements SupportedField {
  @ApiProperty({ example: 'redirect_uris' })
  readonly name!: string;

  @ApiProperty({ example: 'Redirect URIs' })
  readonly label!: string;

  @ApiProperty({ example: 'Where the authorization server may send users back to.' })
  readonly description!: string;

  @ApiProperty({ description: 'The document that defines the field.', example: 'RFC 7591 section 2' })
  readonly source!: string;

  @ApiProperty({
    enum: ['canonical', 'own'],
    description: '`canonical`: defined by OAuth 2.0 or OpenID Connect registration; `own`: by this registry.',
  })
  readonly group!: Field['group'];

  @ApiProperty({
    enum: ['string', 'string[]', 'boolean', 'number or string', 'map', 'object'],
    example: 'string[]',
  })
  readonly type!: Field['type'];

  @ApiPropertyOptional({ type: String, description: 'How a string is written.' })
  readonly format?: Field['format'];

  @ApiProperty({ example: true })
  readonly required!: boolean;

  @ApiPropertyOptional({ description: 'When the field is needed although `required` is false.' })
  readonly required_for?: string;

  @ApiProperty({ enum: ['always', 'never', 'registration'] })
  readonly editable!: Field['editable'];

  @ApiPropertyOptional({
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }],
  })
  readonly default?: Field['default'];

  @ApiPropertyOptional({ description: 'How the server determines a default that is not fixed.' })
  readonly generated?: string;

  @ApiPropertyOptional({ type: [String] })
  readonly allowed_values?: readonly string[];

  @ApiPropertyOptional({ type: 'integer' })
  readonly min_length?: number;

  @ApiPropertyOptional({ type: 'integer' })
  readonly max_length?: number;

  @ApiPropertyOptional({ type: 'integer' })
  readonly min_items?: number;

  @ApiPropertyOptional({ type: 'integer' })
  readonly max_items?: number;

  @ApiProperty({
    oneOf: [{ type: 'boolean' }, { type: 'array', items: { type: 'string' } }],
    description: 'Whether developers may set it (POST /register); a list: with these values only.',
    example: true,
  })
  readonly public!: boolean | readonly string[];
}

class FeatureTemplate implements ClientTemplate {
  @ApiProperty({ example: 'web' })
  readonly id!: string;

  @ApiProperty({ example: 'Web application' })
  readonly label!: string;

  @ApiProperty({ example: 'A web application that signs users in, with PKCE.' })
  readonly description!: string;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'A body for registration that is valid as it is.',
    example: { client_name: 'My web application', redirect_uris: ['https://app.example.com/callback'] },
  })
  readonly metadata!: Readonly<Record<string, unknown>>;
}

class FeatureDeviation implements Deviation {
  @ApiProperty({ description: 'A field, a value, or an interface.', example: 'token_endpoint_auth_method' })
  readonly subject!: string;

  @ApiProperty({ description: 'The document it deviates from.', example: 'RFC 7591 section 2' })
  readonly from!: string;

  @ApiProperty({ example: 'The default is none, not client_secret_basic.' })
  readonly description!: string;
}

class FeatureSchemas {
  @ApiProperty({ type: 'object', additionalProperties: true, example: { type: 'object' } })
  readonly registration!: JsonSchema;

  @ApiProperty({ type: 'object', additionalProperties: true, example: { type: 'object' } })
  readonly update!: JsonSchema;
}

class SecondsRange {
  @ApiProperty({ type: 'integer', example: 1 })
  readonly minimum!: number;

  @ApiProperty({ type: 'integer', example: 315_360_000 })
  readonly maximum!: number;
}

class FeatureLimits {
  @ApiProperty({ type: 'integer', description: 'Redirect URIs of a client.', example: 100 })
  readonly redirect_uris!: number;

  @ApiProperty({ type: 'integer', description: 'Characters of a URI.', example: 2048 })
  readonly uri_length!: number;

  @ApiProperty()
  readonly session_expiration_seconds!: SecondsRange;

  @ApiProperty({
    type: [String],
    description: 'Hosts besides localhost, 127.0.0.0/8 and [::1] whose redirect URIs may be plain http.',
    example: ['app.internal'],
  })
  readonly http_redirect_hosts!: readonly string[];
}

class FeatureSecretImport implements SecretImport {
  @ApiProperty({ type: [String], description: 'Schemes of client_secret_hash.', example: ['bcrypt'] })
  readonly hashes!: readonly string[];

  @ApiProperty({
    type: 'integer',
    description: 'How long such a hash is accepted, unless the secret passes a check first.',
    example: 7_776_000,
  })
  readonly hash_max_age_seconds!: number;
}

class FeatureUsage {
  @ApiProperty({ description: 'Whether this registry records how clients are used.', example: true })
  readonly is_recorded!: boolean;

  @ApiProperty({ type: 'integer', description: 'How long counts are kept.', example: 400 })
  readonly retention_days!: number;
}

class FeatureTemporaryUris {
  @ApiProperty({ type: 'integer', description: 'How many a client may have at once.', example: 50 })
  readonly per_client!: number;

  @ApiProperty({ description: 'Limits of expires_in.' })
  readonly life_seconds!: SecondsRange;
}

/** Response of `GET /client/features`. */
export class Features implements SupportedFeatures {
  @ApiProperty({ type: [FeatureField], description: 'In the order of a form.' })
  readonly fields!: readonly FeatureField[];

  @ApiProperty({ description: 'JSON Schemas (draft 2020-12) of a registration and of an update.' })
  readonly schemas!: FeatureSchemas;

  @ApiProperty({ type: [FeatureTemplate], description: 'Starting points for common kinds of client.' })
  readonly templates!: readonly FeatureTemplate[];

  @ApiProperty()
  readonly limits!: FeatureLimits;

  @ApiProperty({
    type: [FeatureDeviation],
    description: 'Where the registry deliberately deviates from a document that it follows.',
  })
  readonly deviations!: readonly FeatureDeviation[];

  @ApiPropertyOptional({ description: 'Present if imports may contain client secrets.' })
  readonly secret_import?: FeatureSecretImport;

  @ApiProperty({ description: 'How clients are used: GET /client/{client_id}/usage.' })
  readonly usage!: FeatureUsage;

  @ApiProperty({ description: 'Temporary redirect URIs: POST /client/{client_id}/redirect_uris.' })
  readonly temporary_redirect_uris!: FeatureTemporaryUris;
}
