import { parseSessionExpiration } from '@svc/client-metadata';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import {
  ArrayNotEmpty,
  ArrayUnique,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  Matches,
  ValidateBy,
} from 'class-validator';
import { type Scope, SCOPES } from './scopes.js';

/** Visible text with no space around it, so that two names never look the same but for something invisible. */
const NAME = /^(?! )[^\p{C}\p{Zl}\p{Zp}]{1,255}(?<! )$/u;

/** Body of `POST /token`. */
export class CreateTokenBody {
  @ApiProperty({ description: 'For people: who or what the token is for.', minLength: 1, maxLength: 255 })
  @IsString()
  @Matches(NAME, { message: 'name must be 1 to 255 visible characters, without a space at its ends' })
  name!: string;

  @ApiProperty({
    enum: SCOPES,
    isArray: true,
    description: 'What it allows; at most what your own token allows.',
  })
  @IsArray()
  @ArrayNotEmpty()
  @ArrayUnique()
  @IsIn(SCOPES, { each: true })
  scopes!: Scope[];

  @ApiPropertyOptional({
    oneOf: [{ type: 'number' }, { type: 'string' }],
    example: '90 d',
    description:
      'Seconds, or a number and a unit (s, m, h, d, w, y), up to 10 years. Without, it lasts as long as may be: as long as ' +
      'the token it is made with, if that expires.',
  })
  @ValidateBy({
    name: 'isLifetime',
    validator: {
      validate: (value: unknown) => typeof parseSessionExpiration(value) === 'number',
      defaultMessage: () =>
        'expires_in must be a number of seconds, or a number and a unit as in 90 d, up to 10 y',
    },
  })
  @IsOptional()
  expires_in?: number | string | null;
}

/** Seconds; nothing when the token is not to expire. */
export function lifetimeOf({ expires_in: given }: CreateTokenBody): number | undefined {
  const seconds = given == null ? undefined : parseSessionExpiration(given);
  return typeof seconds === 'number' ? seconds : undefined;
}
