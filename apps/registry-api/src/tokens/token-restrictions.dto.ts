import { applyDecorators } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { type ClientSelector, isLabelKey, isLabelValue, selectsAll } from '@svc/client-metadata';
import {
  ArrayMaxSize,
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsInt,
  IsOptional,
  Matches,
  Max,
  Min,
  ValidateBy,
} from 'class-validator';
import { isJsonObject } from '@svc/foundation';
import { CLIENT_ID } from '../clients/credentials.js';
import { MayBeAbsent } from '../http/may-be-absent.js';
import { isNetwork } from './networks.js';
import { MAX_SELECTOR_LABELS, type TokenRestrictions } from './token-restrictions.js';

const MAX_NETWORKS = 64;
const MAX_USES = 1_000_000;

const MAX_SELECTOR_VALUES = 64;

const SELECTOR_SCHEMA = {
  type: 'object' as const,
  additionalProperties: {
    oneOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' }, minItems: 1 }],
  },
  example: { team: 'shop' },
};

function isSelector(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const labels = Object.entries(value);
  return labels.length > 0 && labels.length <= MAX_SELECTOR_LABELS && labels.every(isSelectorLabel);
}

function isSelectorLabel([key, given]: [string, unknown]): boolean {
  const values: readonly unknown[] = Array.isArray(given) ? given : [given];
  const isFew = values.length > 0 && values.length <= MAX_SELECTOR_VALUES;
  return (
    isFew && isLabelKey(key) && values.every((value) => typeof value === 'string' && isLabelValue(value))
  );
}

/** What `POST /token` can restrict a token to. */
export class RestrictionsBody {
  @ApiPropertyOptional({
    ...SELECTOR_SCHEMA,
    description:
      'Labels: the token reaches only clients that have all of them, each with the value or one of the values given. What it ' +
      'registers gets them. It cannot reach more than your own token.',
  })
  @ValidateBy({
    name: 'isSelector',
    validator: {
      validate: isSelector,
      defaultMessage: () =>
        `selector must be an object of 1 to ${MAX_SELECTOR_LABELS} labels, with a value or 1 to ${MAX_SELECTOR_VALUES} values each`,
    },
  })
  @MayBeAbsent()
  selector?: Readonly<Record<string, string | readonly string[]>>;

  @ApiPropertyOptional({
    type: 'string',
    description: 'The token reaches only the client with this id.',
    example: 'shop-web',
  })
  @Matches(CLIENT_ID, { message: 'client_id must be 1 to 255 printable ASCII characters' })
  @MayBeAbsent()
  client_id?: string;

  @ApiPropertyOptional({
    type: [String],
    minItems: 1,
    maxItems: MAX_NETWORKS,
    description: 'Addresses and CIDR blocks: the token may be used only from there.',
    example: ['10.0.0.0/8'],
  })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayMaxSize(MAX_NETWORKS)
  @ArrayUnique()
  @ValidateBy(
    {
      name: 'isNetwork',
      validator: {
        validate: isNetwork,
        defaultMessage: () => 'networks must be addresses and CIDR blocks such as 10.0.0.0/8',
      },
    },
    { each: true },
  )
  @MayBeAbsent()
  networks?: string[];

  @ApiCountLimit(
    'How many requests may use the token; those that are rejected count, too. Not with tokens:write.',
  )
  max_uses?: number | null;

  @ApiCountLimit(
    'How many clients may be registered with the token. Requires clients:register; not with tokens:write.',
  )
  max_registrations?: number | null;

  @ApiCountLimit('The same per day (UTC).')
  registrations_per_day?: number | null;
}

function ApiCountLimit(description: string) {
  return applyDecorators(
    ApiPropertyOptional({ type: 'integer', minimum: 1, maximum: MAX_USES, description }),
    IsInt(),
    Min(1),
    Max(MAX_USES),
    IsOptional(),
  );
}

/** What the body restricts the token to. */
export function restrictionsIn({
  selector,
  client_id: clientId,
  networks,
  max_uses: maxUses,
  max_registrations: maxRegistrations,
  registrations_per_day: registrationsPerDay,
}: RestrictionsBody): TokenRestrictions {
  const labels = Object.fromEntries(
    Object.entries(selector ?? {}).map(([key, value]) => [key, typeof value === 'string' ? [value] : value]),
  );
  const wanted: ClientSelector = { labels, ...(clientId !== undefined && { clientId }) };
  return {
    selector: selectsAll(wanted) ? null : wanted,
    networks: networks ?? null,
    maxUses: maxUses ?? null,
    maxRegistrations: maxRegistrations ?? null,
    registrationsPerDay: registrationsPerDay ?? null,
  };
}

/** What a token is restricted to, as callers see it. */
export class RestrictedDocument {
  @ApiPropertyOptional({
    ...SELECTOR_SCHEMA,
    description: 'Labels of the clients that it reaches; absent: any.',
  })
  readonly selector?: Readonly<Record<string, string | readonly string[]>>;

  @ApiPropertyOptional({ description: 'The only client that it reaches.', example: 'shop-web' })
  readonly client_id?: string;

  @ApiPropertyOptional({ type: [String], description: 'Where it may be used from.', example: ['10.0.0.0/8'] })
  readonly networks?: readonly string[];
}

/** A selector as callers see it; a label with one value has it alone. */
export function selectorMembers({
  labels,
  clientId,
}: ClientSelector): Pick<RestrictedDocument, 'selector' | 'client_id'> {
  const entries = Object.entries(labels).map(([key, values]) => {
    const [only] = values;
    return [key, values.length === 1 && only !== undefined ? only : values] as const;
  });
  return {
    ...(entries.length > 0 && { selector: Object.fromEntries(entries) }),
    ...(clientId !== undefined && { client_id: clientId }),
  };
}
